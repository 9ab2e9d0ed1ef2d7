import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as acme from 'acme-client'
import type { Config } from '#config'
import { describeCertificate, ownFiles, tlsFolder } from './certificate.ts'
import { replace } from './local-authority.ts'

/** A certificate is requested anew when so little is left of it: a third of what Let's Encrypt gives. */
const RENEW_BEFORE_MS = 30 * 24 * 3600_000

/**
 * Requests a certificate for `MUSTER_ACME_DOMAIN` where there is none, or where the one that is there is for another
 * name or ends soon; answers whether it did. The challenge (http-01) is answered at `MUSTER_PLAIN_PORT`, which the
 * authority must reach as port 80 of the domain.
 * @throws Error of the authority, in its words
 */
export async function obtainCertificate(config: Config): Promise<boolean> {
  const { MUSTER_ACME_DOMAIN: domain, MUSTER_ACME_EMAIL: email, MUSTER_ACME_DIRECTORY: directoryUrl } = config
  const files = ownFiles(config)
  if (!domain || (await isGood(files.cert, domain))) return false
  await mkdir(challengeFolder(config), { recursive: true, mode: 0o700 })
  const client = new acme.Client({ directoryUrl, accountKey: await accountKey(config) })
  const [key, csr] = await acme.crypto.createCsr({ altNames: [domain] })
  const cert = await client.auto({
    csr,
    ...(email && { email }),
    termsOfServiceAgreed: true,
    challengePriority: ['http-01'],
    // It would ask the domain from here first, which fails behind routers that don't lead back.
    skipChallengeVerification: true,
    challengeCreateFn: (_authorization, { token }, answer) => writeFile(challengeFile(config, token), answer),
    challengeRemoveFn: (_authorization, { token }) => rm(challengeFile(config, token), { force: true }),
  })
  await replace(files.key, key.toString())
  await replace(files.cert, cert)
  return true
}

/** The answer to a challenge that is open; null for any other token. Any process answers for the one that asked. */
export async function challengeAnswer(config: Config, token: string): Promise<string | null> {
  return /^[\w-]{1,128}$/.test(token) ? readFile(challengeFile(config, token), 'utf8').catch(() => null) : null
}

async function isGood(file: string, domain: string): Promise<boolean> {
  if (!existsSync(file)) return false
  const { names, expiresAt } = describeCertificate(await readFile(file))
  return names.includes(domain) && expiresAt.getTime() - Date.now() > RENEW_BEFORE_MS
}

async function accountKey(config: Config): Promise<Buffer> {
  const file = join(tlsFolder(config), 'acme-account.key')
  if (!existsSync(file)) await replace(file, (await acme.crypto.createPrivateEcdsaKey()).toString())
  return readFile(file)
}

const challengeFolder = (config: Config) => join(tlsFolder(config), 'challenges')
const challengeFile = (config: Config, token: string) => join(challengeFolder(config), token)
