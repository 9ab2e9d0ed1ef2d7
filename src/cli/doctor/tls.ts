import type { Config } from '#config'
import { messageOf } from '#problem'
import { certificateFiles, describeCertificate, readCertificate } from '#tls/certificate'
import { type Finding, fail, isLocal, ok, warn } from './finding.ts'

const DAY_MS = 24 * 3600_000
/** What should have been renewed by now. */
const SOON_DAYS = 14

/** Whether phones can reach the server over HTTPS: only then do browsers give them storage, camera and push. */
export async function checkTls(config: Config): Promise<Finding[]> {
  const files = certificateFiles(config)
  if (files === null) return config.MUSTER_BASE_URL.startsWith('https:') ? [] : [withoutTls(config)]
  try {
    const { names, expiresAt } = describeCertificate((await readCertificate(files)).cert)
    const days = Math.floor((expiresAt.getTime() - Date.now()) / DAY_MS)
    const about = `${files.cert} for ${names.join(', ')}`
    if (days < 0) return [fail('tls', `${about} ended ${-days} days ago: no client takes it any more`)]
    const findings = [
      days < SOON_DAYS
        ? warn('tls', `${about} ends in ${days} days: renew it`)
        : ok('tls', `${about}, for ${days} days`),
    ]
    const host = config.MUSTER_BASE_URL && new URL(config.MUSTER_BASE_URL).hostname.replace(/^\[|\]$/g, '')
    if (host && !names.some((name) => covers(name, host)))
      findings.push(fail('tls', `MUSTER_BASE_URL says ${host}, for which the certificate is not`))
    return findings
  } catch (error) {
    return [fail('tls', messageOf(error))]
  }
}

function withoutTls({ MUSTER_HOST: host }: Config): Finding {
  if (isLocal(host)) return ok('tls', 'plain HTTP, for this machine alone; a phone needs HTTPS')
  return warn(
    'tls',
    'plain HTTP: only over HTTPS does a browser let a phone work offline, use its camera and be notified. See “HTTPS” in docs/operating.md',
  )
}

/** Whether a name of a certificate is for a host; `*.example.com` is for one label more. */
const covers = (name: string, host: string) =>
  name === host || (name.startsWith('*.') && name.slice(1) === host.slice(host.indexOf('.')))
