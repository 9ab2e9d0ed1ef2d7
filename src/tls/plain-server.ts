import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { encode } from 'uqr'
import type { Config } from '#config'
import { challengeAnswer } from './acme.ts'
import { tlsFolder } from './certificate.ts'
import { authorityFiles } from './local-authority.ts'
import { mobileProfile } from './mobile-profile.ts'

interface PlainAnswer {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

const CHALLENGES = '/.well-known/acme-challenge/'

/**
 * What plain HTTP is for beside HTTPS: it answers an ACME authority, shows phones how to trust this server's own
 * authority, and leads everybody else to HTTPS. No key is ever read here.
 */
export function createPlainServer(config: Config, httpsPort: () => number): Server {
  return createServer({ requestTimeout: 20_000, headersTimeout: 10_000 }, (request, response) => {
    void answer(config, request, httpsPort())
      .catch(() => text(500, 'Something went wrong here\n'))
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
  })
}

async function answer(config: Config, { url = '/', headers }: IncomingMessage, port: number): Promise<PlainAnswer> {
  const path = url.split('?', 1)[0] ?? '/'
  if (path.startsWith(CHALLENGES)) {
    const key = await challengeAnswer(config, path.slice(CHALLENGES.length))
    return key === null ? text(404, 'There is no such challenge\n') : text(200, key)
  }
  const host = hostOf(headers.host)
  if (host === null) return text(400, 'The Host header is missing\n')
  if (path === '/trust' || path.startsWith('/trust/')) return trust(config, path, headers.host ?? host)
  const address = config.MUSTER_BASE_URL || `https://${host}${port === 443 ? '' : `:${port}`}`
  return { status: 308, headers: { Location: `${address}${/^\/[!-~]*$/.test(url) ? url : '/'}` }, body: '' }
}

/** How a phone comes to trust the authority that `muster tls` made; 404 where there is none. */
async function trust(config: Config, path: string, authority: string): Promise<PlainAnswer> {
  const pem = await readFile(authorityFiles(tlsFolder(config)).cert).catch(() => null)
  if (pem === null) return text(404, 'This server has no authority of its own\n')
  const certificate = new X509Certificate(pem)
  if (path === '/trust/muster.crt') return download(certificate.raw, 'application/x-x509-ca-cert')
  if (path === '/trust/muster.mobileconfig')
    return download(mobileProfile(certificate), 'application/x-apple-aspen-config')
  if (path === '/trust/code.svg') return image(`http://${authority}/trust`)
  if (path !== '/trust') return text(404, 'There is no such page\n')
  const page = await readFile(new URL('./trust.html', import.meta.url), 'utf8')
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; img-src 'self'; style-src 'self' 'unsafe-inline'",
    },
    body: page.replaceAll('{{fingerprint}}', groups(certificate.fingerprint256)),
  }
}

/** A QR code as an image, dark on light. */
function image(content: string): PlainAnswer {
  const { data, size } = encode(content, { border: 2 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dark.join('')}"/></svg>`
  return { status: 200, headers: { 'Content-Type': 'image/svg+xml' }, body }
}

const download = (body: Buffer | string, type: string): PlainAnswer => ({
  status: 200,
  headers: { 'Content-Type': type },
  body,
})

const text = (status: number, body: string): PlainAnswer => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body,
})

/** The name without a port; null for what is no name of a host. */
function hostOf(header: string | undefined): string | null {
  const [, name] = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.exec(header ?? '') ?? []
  return name ?? null
}

/** A fingerprint in two lines of eight groups, as people compare it. */
const groups = (fingerprint: string) =>
  (fingerprint.replaceAll(':', '').match(/.{4}/g) ?? []).reduce(
    (all, group, i) => all + (i === 8 ? '\n' : i ? ' ' : '') + group,
    '',
  )
