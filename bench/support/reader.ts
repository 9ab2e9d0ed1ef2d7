/** Answers as they come on one connection: cut apart by their length or their chunks, and not looked into. */
export interface Reader {
  /** Takes the next bytes; tells of each answer that is complete now. */
  take(bytes: Buffer): void
}

const END = Buffer.from('\r\n\r\n')
const NOTHING = Buffer.alloc(0)
const LINE = Buffer.from('\r\n')

/** @param told of each answer: its status, its size with headers in bytes, and its first bytes, which are soon overwritten */
export function newReader(told: (status: number, size: number, first: Buffer) => void): Reader {
  let rest: Buffer | null = null
  // Of an answer whose length is known, and whose bytes are not kept.
  let missing = 0
  let [status, size] = [0, 0]
  return {
    take(bytes) {
      let all = bytes
      if (missing > 0) {
        const taken = Math.min(missing, all.length)
        missing -= taken
        all = all.subarray(taken)
        if (missing === 0) told(status, size, NOTHING)
      } else if (rest) all = Buffer.concat([rest, all])
      rest = null
      while (all.length > 0) {
        const found = sizeOf(all)
        if (found === null) {
          // What is left lies in a buffer that the next bytes overwrite.
          rest = Buffer.from(all)
          return
        }
        ;[status, size] = [statusOf(all), found]
        if (size > all.length) {
          missing = size - all.length
          return
        }
        told(status, size, all.subarray(0, size))
        all = all.subarray(size)
      }
    },
  }
}

/** `HTTP/1.1 200 `: three digits, from the tenth byte on. */
const statusOf = (answer: Buffer) =>
  ((answer[9] ?? 0) - 48) * 100 + ((answer[10] ?? 0) - 48) * 10 + ((answer[11] ?? 0) - 48)

/** How long the answer at the front is, headers and all; null while that isn't known. */
function sizeOf(bytes: Buffer): number | null {
  const end = bytes.indexOf(END)
  if (end < 0) return null
  const body = end + END.length
  const status = statusOf(bytes)
  if (status === 304 || status === 204) return body
  const headers = bytes.toString('latin1', 0, end)
  const length = /\ncontent-length: *(\d+)/i.exec(headers)
  if (length) return body + Number(length[1])
  if (/\ntransfer-encoding: *chunked/i.test(headers)) return endOfChunks(bytes, body)
  throw new Error(`an answer without a length:\n${headers}`)
}

function endOfChunks(bytes: Buffer, start: number): number | null {
  for (let at = start; ; ) {
    const line = bytes.indexOf(LINE, at)
    if (line < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const next = line + LINE.length + size + LINE.length
    if (size === 0) return next <= bytes.length ? next : null
    at = next
    if (at >= bytes.length) return null
  }
}
