import { inflateSync } from 'node:zlib'

/** A colour profile when it is unpacked; those of screens take some KB, those of printers up to 2 MB. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024

/**
 * The same image with what its pixels, colours and orientation need, and nothing else: what a decoder would unpack beside
 * them (texts, thumbnails, histograms) may be a thousand times what came in. It ends where it is damaged, for the decoder
 * to tell.
 */
export function withoutExtras(bytes: Buffer, kind: 'PNG' | 'JPEG'): Buffer {
  // What is kept is never more than what came.
  const kept = Buffer.allocUnsafe(bytes.length)
  let length = 0
  const keep = (from: number, to: number) => {
    length += bytes.copy(kept, length, from, to)
  }
  if (kind === 'PNG') eachChunk(bytes, keep)
  else eachSegment(bytes, keep)
  return kept.subarray(0, length)
}

type Keep = (from: number, to: number) => void

const PNG_SIGNATURE_BYTES = 8
/** Length, type and checksum around what a chunk holds. */
const AROUND_CHUNK_BYTES = 12
const pixels = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND'])
/** Transparency, and what the numbers of the pixels mean. */
const colours = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'iCCP', 'eXIf'])

/** (PNG specification, 5.3) */
function eachChunk(bytes: Buffer, keep: Keep): void {
  const seen = new Set<string>()
  keep(0, PNG_SIGNATURE_BYTES)
  for (let at = PNG_SIGNATURE_BYTES; at + AROUND_CHUNK_BYTES <= bytes.length; ) {
    const end = at + AROUND_CHUNK_BYTES + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const content = bytes.subarray(at + 8, end - 4)
    const isColour = colours.has(type) && !seen.has(type) && (type !== 'iCCP' || isProfile(content))
    if (pixels.has(type) || isColour) keep(at, end)
    if (type === 'IEND') return
    seen.add(type)
    at = end
  }
}

/** A name, a zero, the method, and then the packed profile. */
function isProfile(content: Buffer): boolean {
  try {
    inflateSync(content.subarray(content.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE_BYTES })
    return true
  } catch {
    return false
  }
}

const [START, END, SCAN] = [0xd8, 0xd9, 0xda]

/** (ITU T.81, B.1) */
function eachSegment(bytes: Buffer, keep: Keep): void {
  const seen = new Set<string>()
  keep(0, 2)
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return
    const marker = bytes[at + 1] ?? 0
    // Any number of these bytes may stand before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === END) keep(at, at + 2)
    if (marker === END || marker === START || at + 4 > bytes.length) return
    const size = bytes.readUInt16BE(at + 2)
    const end = marker === SCAN ? endOfScan(bytes, at + 2 + size) : at + 2 + size
    if (size < 2) return
    if (isNeeded(bytes, at, marker, seen)) keep(at, end)
    at = end
  }
}

/** Where the next marker stands: in the packed pixels a zero, or a number to start anew by, follows what looks like one. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}

const wanted = new Map([
  [0xe0, 'JFIF\0'],
  [0xe1, 'Exif\0'],
  [0xee, 'Adobe'],
])

/** Tables, frames and scans; of what programs add, the kind of colours, their profile, and which side is up. */
function isNeeded(bytes: Buffer, at: number, marker: number, seen: Set<string>): boolean {
  if (marker < 0xe0) return true
  const name = bytes.toString('latin1', at + 4, at + 9)
  if (marker === 0xe2) return name === 'ICC_P'
  if (wanted.get(marker) !== name || seen.has(name)) return false
  seen.add(name)
  return true
}
