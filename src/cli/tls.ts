import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { renderUnicodeCompact } from 'uqr'
import { describeCertificate, ownFiles, tlsFolder } from '#tls/certificate'
import { authorityFiles, issueCertificate } from '#tls/local-authority'
import { makeDataFolder } from './data-folder.ts'
import { json, UsageError, type Verb } from './verb.ts'

/** One label of a name of a host, or several. */
const HOST_NAME = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i

export const tls: Verb = {
  usage: 'NAME …',
  about:
    'Make a certificate for the names and addresses by which phones and browsers reach this server, signed by an authority of its own, which they must be told to trust once. The server serves HTTPS with it from its next start, and renews it by itself.',
  options: { ...json },
  words: [1, 20],
  async run({ config, words, say, answer }) {
    for (const name of words)
      if (!isIP(name) && !HOST_NAME.test(name))
        throw new UsageError(`${JSON.stringify(name)} is neither the name of a host nor an IP address`)
    if (config.MUSTER_TLS_CERT || config.MUSTER_ACME_DOMAIN)
      throw new UsageError(
        'MUSTER_TLS_CERT or MUSTER_ACME_DOMAIN says which certificate is used; this one would not be',
      )
    makeDataFolder(config)
    const files = ownFiles(config)
    await issueCertificate(tlsFolder(config), files, words)
    const authority = authorityFiles(tlsFolder(config)).cert
    const { fingerprint256 } = new X509Certificate(await readFile(authority))
    const { names, expiresAt } = describeCertificate(await readFile(files.cert))
    const page = config.MUSTER_PLAIN_PORT
      ? `http://${hostAndPort(words[0] ?? '', config.MUSTER_PLAIN_PORT)}/trust`
      : null
    answer({
      ...files,
      authority,
      fingerprint_sha256: fingerprint256,
      names,
      expires_at: expiresAt.toISOString(),
      page,
    })
    say(`Certificate for ${names.join(', ')}: ${files.cert}, until ${expiresAt.toISOString().slice(0, 10)}`)
    say(`Authority: ${authority}`)
    say(`  SHA-256 ${fingerprint256}`)
    say('')
    if (page === null) say('Set MUSTER_PLAIN_PORT, such as 8081, and phones get the authority at its page /trust.')
    else say(`Phones open ${page}\n\n${renderUnicodeCompact(page, { border: 2 })}`)
    say('Start the server again to serve HTTPS.')
  },
}

const hostAndPort = (host: string, port: number) =>
  `${isIP(host) === 6 ? `[${host}]` : host}${port === 80 ? '' : `:${port}`}`
