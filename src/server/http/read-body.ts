import type { IncomingMessage } from 'node:http'
import { Problem } from '#problem'

/**
 * Reads a whole body and no more of it than its route takes. `onProgress` is told how much is here.
 * @throws Problem too_large (413) as soon as it is known, malformed (400) for a body that breaks off
 */
export function readBody(
  stream: IncomingMessage,
  maxBytes: number,
  onProgress: (bytes: number) => void = () => {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(stream.headers['content-length']) > maxBytes) return reject(tooLarge(maxBytes))
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', add).on('end', end).on('error', fail)

    function add(chunk: Buffer) {
      length += chunk.length
      chunks.push(chunk)
      if (length > maxBytes) finish(() => reject(tooLarge(maxBytes)))
      else onProgress(length)
    }
    function end() {
      finish(() => resolve(Buffer.concat(chunks, length)))
    }
    function fail(cause: Error) {
      finish(() => reject(new Problem('malformed', 'The request is not well-formed', { cause })))
    }
    /** Not destroyed: the connection must live until the answer is out. */
    function finish(done: () => void) {
      stream.off('data', add).off('end', end).off('error', fail)
      chunks.length = length > maxBytes ? 0 : chunks.length
      done()
    }
  })
}

/** Whether a request has one: HTTP says so in its head. */
export const hasBody = ({ headers, method }: IncomingMessage) =>
  (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined) &&
  method !== 'GET' &&
  method !== 'HEAD'

const tooLarge = (maxBytes: number) =>
  new Problem('too_large', `The body is too large: at most ${maxBytes} bytes`, {
    params: { max: maxBytes },
    headers: { Connection: 'close' },
  })
