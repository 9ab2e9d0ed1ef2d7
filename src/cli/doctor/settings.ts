import { type Config, described } from '#config'
import { certificateFiles } from '#tls/certificate'
import { type Finding, isLocal, ok, warn } from './finding.ts'

/** What is set, and what doesn't go together. */
export function checkSettings(config: Config): Finding[] {
  const said = described.map(({ name }) => name).filter((name) => process.env[name]?.trim())
  return [
    ok('settings', said.length > 0 ? `${said.join(', ')}; the others as they come` : 'all as they come'),
    ...addresses(config),
    ...unfit(config).map((sentence) => warn('settings', sentence)),
  ]
}

const hostOf = (url: string) => new URL(url).hostname

/** Whether the world is told the right address, and nobody can listen on the way there. */
function addresses(config: Config): Finding[] {
  const { MUSTER_HOST: host, MUSTER_BASE_URL: base, MUSTER_TRUST_PROXY: trust } = config
  const findings: Finding[] = []
  if (base) findings.push(ok('address', base))
  else if (isLocal(host) || trust) findings.push(ok('address', 'what each request says; MUSTER_BASE_URL would fix it'))
  else
    findings.push(
      warn('address', `${host} is not only this machine: set MUSTER_BASE_URL to the address that clients use`),
    )
  if (base.startsWith('http:') && !isLocal(hostOf(base)))
    findings.push(
      warn('tls', `${base} is not encrypted, and keys travel in addresses: put TLS in front, see docs/operating.md`),
    )
  if (trust && !isLocal(host))
    findings.push(
      warn(
        'proxy',
        `MUSTER_TRUST_PROXY is on and ${host} is not only this machine: see that only the proxy reaches the port`,
      ),
    )
  if (base.startsWith('https:') && !trust && certificateFiles(config) === null)
    findings.push(
      warn(
        'proxy',
        `${base} has TLS, so a proxy stands in front: with MUSTER_TRUST_PROXY off, all clients seem to come from it`,
      ),
    )
  return findings
}

function unfit(config: Config): string[] {
  const { MUSTER_FILES_URL: files, MUSTER_FILES_KEY: key, MUSTER_FILES_SECRET: secret } = config
  const sentences: string[] = []
  if (files === null && (key || secret))
    sentences.push('there is a key for a bucket and no MUSTER_FILES_URL: files are kept in the data folder')
  if (files?.startsWith('s3+http:') && !isLocal(hostOf(files)))
    sentences.push('MUSTER_FILES_URL is not encrypted, and photos travel there: s3:// is, where the store has TLS')
  if (config.MUSTER_LOG_LEVEL === 'silent') sentences.push('MUSTER_LOG_LEVEL is silent: nobody is told what goes wrong')
  return sentences
}
