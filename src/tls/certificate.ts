import { X509Certificate } from 'node:crypto'
import { existsSync, unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Config } from '#config'
import { messageOf, Problem } from '#problem'

/** How often the files are looked at; whoever renews them need tell nobody. */
const WATCH_INTERVAL_MS = 2_000

/** Where a certificate and its private key are, PEM both. */
export interface CertificateFiles {
  cert: string
  key: string
}

export interface Certificate {
  cert: Buffer
  key: Buffer
}

/** The folder in which Muster keeps the certificates that it makes or requests itself. */
export const tlsFolder = ({ MUSTER_DATA_DIR }: Pick<Config, 'MUSTER_DATA_DIR'>) => join(MUSTER_DATA_DIR, 'tls')

/** Where Muster keeps the certificate that it made or requested itself. */
export const ownFiles = (config: Pick<Config, 'MUSTER_DATA_DIR'>): CertificateFiles => ({
  cert: join(tlsFolder(config), 'server.pem'),
  key: join(tlsFolder(config), 'server.key'),
})

/** The certificate that the server presents: the operator's, else Muster's own; null when it serves plain HTTP. */
export function certificateFiles(config: Config): CertificateFiles | null {
  const { MUSTER_TLS_CERT: cert, MUSTER_TLS_KEY: key } = config
  if (cert && key) return { cert, key }
  const own = ownFiles(config)
  return config.MUSTER_ACME_DOMAIN || existsSync(own.cert) ? own : null
}

/** @throws Problem unavailable that names the file, when one can't be read or the two don't belong together */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(files.cert), read(files.key)])
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw unusable(`${files.cert} and ${files.key} are not a certificate and its private key`, error)
  }
  return { cert, key }
}

/**
 * Calls back with the certificate whenever its files have changed and belong together. While only one of them has been
 * replaced, or one can't be read, what was there before stays in use and `onFailure` is told why. Answers how to stop.
 */
export function watchCertificate(
  files: CertificateFiles,
  changed: (certificate: Certificate) => void,
  onFailure: (error: unknown) => void,
): () => void {
  const reload = () => {
    readCertificate(files).then(changed).catch(onFailure)
  }
  for (const file of [files.cert, files.key])
    watchFile(file, { interval: WATCH_INTERVAL_MS, persistent: false }, reload)
  return () => {
    for (const file of [files.cert, files.key]) unwatchFile(file, reload)
  }
}

/** What a certificate says of itself: the names it is for, until when, and who issued it. */
export function describeCertificate(pem: Buffer): { names: string[]; expiresAt: Date; issuer: string } {
  const certificate = new X509Certificate(pem)
  const names = (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''))
  return { names, expiresAt: new Date(certificate.validTo), issuer: certificate.issuer.split('\n').join(', ') }
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw unusable(`${file} can't be read: ${messageOf(error)}`, error)
  }
}

const unusable = (sentence: string, cause: unknown) => new Problem('unavailable', sentence, { cause })
