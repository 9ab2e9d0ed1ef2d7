import type { IncomingMessage } from 'node:http'
import type { App } from '#app'
import type { Call } from '#call'
import type { RawObject } from '#fields'
import type { Format } from '#formats/format'
import { Problem } from '#problem'
import { one } from './finish.ts'
import { identify } from './identify.ts'
import type { Match } from './routes.ts'
import type { Exchange } from './stages.ts'
import { last } from './target.ts'

const nothing = Buffer.alloc(0)

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
  private readonly asked: IncomingMessage

  constructor(app: App, asked: IncomingMessage, { format, method, target }: Exchange, match: Match, call: Call) {
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

  /** The address with its query, as it was sent. */
  get target(): string {
    return this.asked.url ?? '/'
  }

  header(name: string): string | undefined {
    return one(this.asked.headers[name])
  }

  /** Who asks, looked at again: for answers that go on. @throws Problem unauthorized (401) */
  identifyAgain(): Promise<Call> {
    return identify(this.app, this.call.id, last(this.query, 'api_key'), this.asked)
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

  /** What addresses in the answer begin with. */
  get baseUrl(): string {
    const { MUSTER_BASE_URL: set, MUSTER_TRUST_PROXY: trusted } = this.app.config
    if (set) return set
    const scheme = (trusted && firstOf(this.header('x-forwarded-proto'))) || 'http'
    const name = (trusted && firstOf(this.header('x-forwarded-host'))) || this.header('host') || ''
    const { localAddress, localPort } = this.asked.socket
    const host = /^[\w.:[\]-]+$/.test(name) ? name : `${localAddress}:${localPort}`
    return `${scheme === 'https' ? 'https' : 'http'}://${host}`
  }
}

export const mediaType = (header: string | undefined) => header?.split(';')[0]?.trim().toLowerCase() ?? ''

const firstOf = (header: string | undefined) => header?.split(',')[0]?.trim()
