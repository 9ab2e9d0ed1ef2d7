import type { IncomingMessage, ServerResponse } from 'node:http'

/** What is read of a body that nobody wants, at most, and how long it may take in all and between two pieces. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_MS = 20_000
const SILENCE_MS = 1_000

/**
 * Ends an answer to a request whose body is still coming, when that has come or is too much. The answer is out by then:
 * a connection that is closed on unread bytes is reset, and clients that send all before they read would never see it.
 */
export function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  let left = MAX_BYTES
  const total = setTimeout(end, MAX_MS)
  const silence = setTimeout(end, SILENCE_MS)
  request.on('data', discard).on('end', end).on('error', end).on('close', end).resume()

  function discard(chunk: Buffer) {
    left -= chunk.length
    silence.refresh()
    if (left < 0) end()
  }

  function end() {
    clearTimeout(total)
    clearTimeout(silence)
    // Whoever still sends is hung up on; an error that comes then is nobody's.
    request.off('data', discard).off('end', end).off('close', end)
    if (!response.writableEnded) response.end()
  }
}
