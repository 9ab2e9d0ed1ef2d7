import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { Server as HttpsServer } from 'node:tls'
import type { App } from '#app'
import { repeatOnLeader } from '#tasks/repeat'
import { obtainCertificate } from '#tls/acme'
import {
  type Certificate,
  certificateFiles,
  ownFiles,
  readCertificate,
  tlsFolder,
  watchCertificate,
} from '#tls/certificate'
import { renewCertificate } from '#tls/local-authority'
import { createPlainServer } from '#tls/plain-server'

/** How often it is looked at whether a certificate must be renewed. */
const RENEWAL_CHECK_MS = 6 * 3600_000

/** HTTPS of a server that is about to start. */
export interface Encryption {
  certificate: Certificate
  /** Gives the server each certificate that takes the place of this one, until `stop`. */
  follow(server: Server): void
  stop(): Promise<void>
}

/**
 * The certificate to serve HTTPS with, requested first where a domain is named and there is none, and the plain HTTP
 * beside it; null where nothing asks for HTTPS. Renews what Muster made or requested itself.
 * @throws Problem unavailable when a certificate can't be read; Error when one is needed and can't be had
 */
export async function startTls({ config, log, store }: App): Promise<Encryption | null> {
  const files = certificateFiles(config)
  if (files === null) return null
  let server: Server | null = null
  const plain = await listenPlain()
  const failed = (err: unknown) => log.error({ err }, 'the certificate could not be renewed or read')
  const renew = async () => {
    const renewed = config.MUSTER_ACME_DOMAIN
      ? await obtainCertificate(config)
      : await renewCertificate(tlsFolder(config), ownFiles(config))
    if (renewed) log.info({ file: files.cert }, 'the certificate was renewed')
  }
  // One that is there serves until the next try.
  const usable = await readCertificate(files).catch(() => null)
  if (!config.MUSTER_TLS_CERT) await renew().catch((error) => (usable ? failed(error) : Promise.reject(error)))
  const certificate = await readCertificate(files)
  const stopWatching = watchCertificate(
    files,
    (changed) => server instanceof HttpsServer && server.setSecureContext({ ...changed, minVersion: 'TLSv1.2' }),
    failed,
  )
  const stopRenewing = config.MUSTER_TLS_CERT ? () => {} : repeatOnLeader(store, RENEWAL_CHECK_MS, renew, failed)
  return {
    certificate,
    follow(followed) {
      server = followed
    },
    async stop() {
      stopWatching()
      stopRenewing()
      plain?.closeAllConnections()
      plain?.close()
    },
  }

  async function listenPlain() {
    if (config.MUSTER_PLAIN_PORT === null) return null
    const port = () => (server?.address() as AddressInfo | null)?.port ?? config.MUSTER_PORT
    const http = createPlainServer(config, port).listen(config.MUSTER_PLAIN_PORT, config.MUSTER_HOST)
    await once(http, 'listening')
    return http
  }
}
