import type { ServerResponse } from 'node:http'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A body that goes on until its reader leaves or the server stops; `gone` says when. It is asked for more only as fast as the reader takes it. */
export type StreamBody = (gone: AbortSignal) => AsyncIterable<string | Uint8Array>

/** Sends a flow. What has been taken from it and not from the socket is one piece, and what the socket itself holds. */
export async function sendStream(
  body: StreamBody,
  out: Writable | ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  out.once('close', leave)
  // Of a stream nobody waits for the end: who has finished talking has left.
  const socket = 'socket' in out ? out.socket : null
  socket?.once('end', leave)
  closing.addEventListener('abort', leave)
  if (closing.aborted || socket?.readableEnded) leave()
  try {
    await pipeline(Readable.from(body(gone.signal), { highWaterMark: 1 }), out)
  } catch (error) {
    // Readers leave without saying so.
    if (!gone.signal.aborted) throw error
  } finally {
    closing.removeEventListener('abort', leave)
    leave()
  }
}
