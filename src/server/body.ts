import type { FastifyRequest } from 'fastify'
import { Problem } from '#problem'

/**
 * Reads a whole body and no more of it than its route takes: a limit of its own where it has one, else the server's.
 * Fastify knows one limit for all of our routes, since they are one to it.
 * @throws Problem too_large (413) as soon as it is known, malformed (400) for a body that breaks off
 */
export function readBody(request: FastifyRequest, usualBytes: number): Promise<Buffer> {
  const mostBytes = request.exchange?.request?.route.mostBytes ?? usualBytes
  const stream = request.raw
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > mostBytes) return reject(tooLarge(mostBytes))
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', add).on('end', end).on('error', fail)

    function add(chunk: Buffer) {
      length += chunk.length
      chunks.push(chunk)
      if (length > mostBytes) settle(() => reject(tooLarge(mostBytes)))
    }
    function end() {
      settle(() => resolve(Buffer.concat(chunks, length)))
    }
    function fail(cause: Error) {
      settle(() => reject(new Problem('malformed', 'The request is not well-formed', { cause })))
    }
    /** Not destroyed: the connection must live until the answer is out. */
    function settle(done: () => void) {
      stream.off('data', add).off('end', end).off('error', fail)
      chunks.length = length > mostBytes ? 0 : chunks.length
      done()
    }
  })
}

const tooLarge = (mostBytes: number) =>
  new Problem('too_large', `The body is too large: at most ${mostBytes} bytes`, { headers: { Connection: 'close' } })
