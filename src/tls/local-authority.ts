import { randomBytes, webcrypto } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { type CertificateFiles, describeCertificate } from './certificate.ts'

/** ECDSA on P-256: what every phone since 2014 takes. */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 24 * 3600_000
/** Phones must be told of a new authority by hand, so it lasts. */
const AUTHORITY_DAYS = 3650
/** Apple's devices refuse what is valid for more than 398 days. */
const CERTIFICATE_DAYS = 397
/** A certificate is made anew when so little is left of it. */
const RENEW_BEFORE_MS = 30 * DAY_MS

/** The files of an authority of this server's own. */
export const authorityFiles = (folder: string): CertificateFiles => ({
  cert: join(folder, 'authority.pem'),
  key: join(folder, 'authority.key'),
})

/**
 * Makes a certificate for names and IP addresses in `folder`, signed by the authority that is there; makes that one
 * first where there is none. Both keys are for this user alone, and the authority's never leaves the folder.
 */
export async function issueCertificate(folder: string, server: CertificateFiles, names: string[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const files = authorityFiles(folder)
  if (!existsSync(files.cert)) await makeAuthority(files)
  const authority = new x509.X509Certificate(await readFile(files.cert, 'utf8'))
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [names[0] ?? 'muster'] }],
    issuer: authority.subject,
    ...validFor(CERTIFICATE_DAYS),
    publicKey: keys.publicKey,
    signingKey: await signingKey(files.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  await write(server, certificate, keys.privateKey)
}

/** Makes the certificate anew for the names that it has when little time is left; only where the authority is ours. */
export async function renewCertificate(folder: string, server: CertificateFiles): Promise<boolean> {
  if (!existsSync(authorityFiles(folder).key) || !existsSync(server.cert)) return false
  const { names, expiresAt } = describeCertificate(await readFile(server.cert))
  if (expiresAt.getTime() - Date.now() > RENEW_BEFORE_MS) return false
  await issueCertificate(folder, server, names)
  return true
}

async function makeAuthority(files: CertificateFiles) {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [`Muster authority of ${hostname()}`] }],
    ...validFor(AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  await write(files, authority, keys.privateKey)
}

/** Positive, as the standard wants it: its first bit is 0. */
const serialNumber = () => `0${randomBytes(16).toString('hex').slice(1)}`

async function signingKey(file: string) {
  const pkcs8 = x509.PemConverter.decodeFirst(await readFile(file, 'utf8'))
  return webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign'])
}

/** The key first: who watches takes the pair once both are there. */
async function write(
  { cert, key }: CertificateFiles,
  certificate: x509.X509Certificate,
  privateKey: webcrypto.CryptoKey,
) {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', privateKey)
  await replace(key, x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'))
  await replace(cert, certificate.toString('pem'))
}

/** A file is there whole or not at all. */
export async function replace(file: string, text: string) {
  const beside = `${file}.new`
  await writeFile(beside, `${text.trimEnd()}\n`, { mode: 0o600 })
  await rename(beside, file)
}

const validFor = (days: number) => ({
  // Clocks of phones that are a day behind.
  notBefore: new Date(Date.now() - DAY_MS),
  notAfter: new Date(Date.now() + (days - 1) * DAY_MS),
})
