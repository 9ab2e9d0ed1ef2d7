import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { App } from '#app'
import type { Call } from '#call'
import type { FieldError, RawObject } from '#fields'
import type { Format } from '#formats/format'
import { Problem } from '#problem'
import type { LostJob } from '#rules/done-offline'
import type { Exchange } from './exchange.ts'
import { headerValue } from './header-value.ts'
import { identify } from './identify.ts'
import { isNotModified } from './not-modified.ts'
import { firstOf, isSecure, refuseForeignOrigin } from './origin.ts'
import type { ApiResponse } from './response.ts'
import type { Match } from './router.ts'
import { secretIn } from './session-cookie.ts'
import { lastValue } from './target.ts'

const nothing = Buffer.alloc(0)

/** What came over the connection, as far as handlers look at it. */
type Asked = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>

/** What a handler gets: who asks, for what, and how to read the body. */
export class ApiRequest implements Match {
  readonly app: App
  readonly call: Call
  readonly format: Format
  readonly method: string
  readonly query: URLSearchParams
  readonly route: Match['route']
  readonly parameters: Match['parameters']
  /** That of the address; null when the format comes from elsewhere. */
  readonly extension: string | null
  body: Buffer = nothing
  /** The job that it is about, where that was lost by who asks: what they did on it is kept beside it. */
  lost: LostJob | null = null
  /** What the body says that no field has: told beside the answer. */
  readonly passedOver: FieldError[] = []
  private readonly asked: Asked
  private readonly exchange: Exchange

  constructor(app: App, asked: Asked, exchange: Exchange, match: Match, call: Call) {
    const { format, method, target } = exchange
    this.exchange = exchange
    this.app = app
    this.asked = asked
    this.call = call
    this.format = format
    this.method = method
    this.query = target.query
    this.extension = target.extension
    this.route = match.route
    this.parameters = match.parameters
  }

  /** Another request that this one carries: it came by the same way. */
  carrying(url: string, headers: IncomingHttpHeaders): Asked {
    const { host, 'x-forwarded-proto': scheme, 'x-forwarded-host': name, 'x-forwarded-for': by } = this.asked.headers
    const way = { host, 'x-forwarded-proto': scheme, 'x-forwarded-host': name, 'x-forwarded-for': by }
    return { url, headers: { ...way, ...headers }, socket: this.asked.socket }
  }

  /** Says that its work goes on, after others had their turn. (work-budget.ts) */
  resume(): void {
    this.app.work.begin(this.exchange)
  }

  /** The address with its query, as it was sent. */
  get target(): string {
    return this.asked.url ?? '/'
  }

  header(name: string): string | undefined {
    return headerValue(this.asked.headers[name])
  }

  /** Whether the client has already what an answer with these headers would give: it is told so, and the body isn't needed. */
  has(headers: ApiResponse['headers']): boolean {
    return isNotModified(this.asked, headers.ETag ?? null, headers)
  }

  /** Who asks, looked at again: for answers that go on. @throws Problem unauthorized (401) */
  identifyAgain(): Promise<Call> {
    return identify(this.app, this.call.id, lastValue(this.query, 'api_key'), this.asked)
  }

  /** Where it comes from. The nearest proxy writes the last; what came before is the client's word. */
  get address(): string {
    const trusted = this.app.config.MUSTER_TRUST_PROXY
    return (
      (trusted && this.header('x-forwarded-for')?.split(',').at(-1)?.trim()) || this.asked.socket.remoteAddress || ''
    )
  }

  /** The body's fields; with `list`, the body may be a list of them, under its root's name. @throws Problem 415, 400 */
  read(roots: string[], list?: 'list'): RawObject {
    const type = this.header('content-type') ?? ''
    const media = mediaType(type)
    const accepted = media === '' || this.format.reads.includes(media)
    if (!accepted || (this.header('content-encoding') ?? 'identity') !== 'identity')
      throw new Problem(
        'unsupported_type',
        `The body must be ${this.format.reads[0]}${accepted ? ' without a Content-Encoding' : ''}`,
      )
    return this.format.read(this.body, /charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? null, roots, list)
  }

  /** Whether it came over TLS, which may end at a proxy. */
  get secure(): boolean {
    return isSecure(this.app.config, this.asked)
  }

  /** Whether nobody waits for the answer any more. */
  get isGone(): boolean {
    const { destroyed, readableEnded } = this.asked.socket
    return destroyed || readableEnded
  }

  /** What the cookie of a session says. */
  get secret(): string {
    return secretIn(this.app.config, this.asked) ?? ''
  }

  /** @throws Problem forbidden (403) for a page of another site */
  refuseForeignOrigin(): void {
    refuseForeignOrigin(this.app.config, this.asked, false)
  }

  /** What addresses in the answer begin with. */
  get baseUrl(): string {
    const { MUSTER_BASE_URL: set, MUSTER_TRUST_PROXY: trusted } = this.app.config
    if (set) return set
    const name = (trusted && firstOf(this.header('x-forwarded-host'))) || this.header('host') || ''
    const { localAddress = '', localPort } = this.asked.socket
    const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress
    return `${this.secure ? 'https' : 'http'}://${isHost(name) ? name : `${local}:${localPort}`}`
  }
}

/** Whether a text is a host, perhaps with a port, as it stands in an address. */
export const isHost = (text: string) => /^[\w.:[\]-]{1,255}$/.test(text) && URL.canParse(`http://${text}`)

export const mediaType = (header: string | undefined) => header?.split(';')[0]?.trim().toLowerCase() ?? ''
