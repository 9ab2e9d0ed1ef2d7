import { type LookupAddress, lookup as resolve } from 'node:dns'
import { request as plain, type RequestOptions } from 'node:http'
import { request as secure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivate } from '#rules/private-address'

/** What came back. */
export interface Response {
  status: number
  /** Its start, 1 KB at most. */
  body: string
}

/** Posts a body to an address outside. Throws what can be told in a sentence. */
export type Post<Body extends string | Buffer = string> = (
  url: string,
  headers: { [name: string]: string },
  body: Body,
) => Promise<Response>

/** Resolving, connecting, sending and answering together may take this long. */
const TIMEOUT_MS = 10_000
/** Of an answer, so much is kept and no more is read. */
const KEPT_BYTES = 1024

/**
 * Posts, follows no redirect, and reads no more than it keeps. Without `toPrivate`, addresses inside of the operator's
 * network are refused: those that a name leads to are looked at, and then connected to, so that a name can't lead
 * elsewhere in between.
 */
export function createPoster(toPrivate: boolean, timeoutMs = TIMEOUT_MS): Post<string | Buffer> {
  return (url, headers, body) =>
    new Promise((found, failed) => {
      const { protocol, hostname } = new URL(url)
      // A host that is an address isn't looked up.
      const literal = hostname.replace(/^\[|\]$/g, '')
      if (!toPrivate && isIP(literal) && isPrivate(literal)) throw new PrivateAddressError(literal)
      const signal = AbortSignal.timeout(timeoutMs)
      const options: RequestOptions = {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: false,
        signal,
        ...(!toPrivate && { lookup: publicOnly }),
      }
      const asking = (protocol === 'https:' ? secure : plain)(url, options, (answer) => {
        const chunks: Buffer[] = []
        let size = 0
        const done = () => {
          asking.destroy()
          const text = Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8')
          found({ status: answer.statusCode ?? 0, body: text.replaceAll('\0', '\ufffd') })
        }
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size >= KEPT_BYTES) done()
        })
        answer.on('end', done)
        answer.on('error', fail)
      })
      asking.on('error', fail)
      asking.end(body)

      function fail(error: Error) {
        failed(signal.aborted ? new Error(`No answer within ${timeoutMs / 1000} seconds`) : error)
      }
    })
}

class PrivateAddressError extends Error {
  constructor(address: string) {
    super(`${address} is a private address, which MUSTER_WEBHOOK_PRIVATE doesn't allow`)
  }
}

/** Resolves a name as ever, and refuses it when any of its addresses is private. */
const publicOnly: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
    const refused = addresses.find(({ address }) => isPrivate(address))
    const [first] = addresses
    if (error) callback(error, '', 0)
    else if (refused) callback(new PrivateAddressError(refused.address), '', 0)
    else if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  })
}
