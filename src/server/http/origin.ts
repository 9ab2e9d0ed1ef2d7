import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Config } from '#config'
import { Problem } from '#problem'
import { headerValue } from './header-value.ts'

type Asked = Pick<IncomingMessage, 'headers'>
type Settings = Pick<Config, 'MUSTER_BASE_URL' | 'MUSTER_TRUST_PROXY'>

/** Whether people reach this server over TLS, as far as the settings and a trusted proxy say. */
export function isSecure(
  { MUSTER_BASE_URL: base, MUSTER_TRUST_PROXY: trusted }: Settings,
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
): boolean {
  if (base) return base.startsWith('https:')
  const forwarded = trusted ? firstOf(headerValue(headers['x-forwarded-proto'])) : undefined
  return forwarded ? forwarded === 'https' : socket instanceof TLSSocket
}

/**
 * A browser says where a write comes from; one that was made by another site's page is refused. This site is the host
 * that was asked, whatever it was set to be called. Programs may leave out where they come from, except with a cookie.
 * @throws Problem forbidden (403), which says what to set
 */
export function refuseForeignOrigin(settings: Settings, { headers }: Asked, withCookie: boolean): void {
  const site = headerValue(headers['sec-fetch-site'])
  const origin = headerValue(headers.origin)
  if (site === 'same-origin' || (site === undefined && origin === undefined && !withCookie)) return
  if (site === undefined && origin !== undefined && isOurs(settings, { headers }, origin)) return
  const host = headerValue(headers.host) ?? 'no host'
  throw new Problem(
    'forbidden',
    site === undefined && origin !== undefined
      ? `A write with a cookie must come from this site, and its Origin ${shortened(origin)} is not the Host ${shortened(host)}: let the proxy pass Host on, or set MUSTER_BASE_URL`
      : 'A write with a cookie must come from this site: send its Origin',
  )
}

function isOurs(
  { MUSTER_BASE_URL: base, MUSTER_TRUST_PROXY: trusted }: Settings,
  { headers }: Asked,
  origin: string,
): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const names = [headerValue(headers.host), trusted ? firstOf(headerValue(headers['x-forwarded-host'])) : undefined]
  const urls = [base, ...names.map((name) => name && `${protocol}//${name}`)]
  return urls.some((url) => url && URL.canParse(url) && new URL(url).host === host)
}

const shortened = (text: string) => JSON.stringify(text.slice(0, 100))

/** What the client said to the first of several proxies. */
export const firstOf = (header: string | undefined) => header?.split(',')[0]?.trim()
