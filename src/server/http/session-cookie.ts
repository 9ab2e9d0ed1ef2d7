import type { IncomingMessage } from 'node:http'
import type { Config } from '#config'
import { headerValue } from './header-value.ts'
import { isSecure } from './origin.ts'

const PLAIN = 'muster_session'
/** Browsers keep this one for the very host that set it over TLS: no neighbour under the same domain can plant it. */
const HOST_ONLY = `__Host-${PLAIN}`

/** The secret that a browser sent along. */
export function secretIn(config: Config, request: Pick<IncomingMessage, 'headers' | 'socket'>): string | undefined {
  const name = isSecure(config, request) ? HOST_ONLY : PLAIN
  for (const pair of headerValue(request.headers.cookie)?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
  return undefined
}

/** The header that sets it, for so many seconds; with none it goes. */
export const setCookie = (secure: boolean, secret: string, seconds: number): string =>
  `${secure ? HOST_ONLY : PLAIN}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure ? '; Secure' : ''}`
