import type { Metadata } from 'sharp'
import { Wrong } from '#fields'
import { Problem } from '#problem'

/** What comes in, at most. */
export const MOST_BYTES = 20 * 1024 * 1024
const MOST_PIXELS = 60_000_000
const MOST_SIDE = 20_000
/** What is kept, at most: pixels a side. */
const KEPT_SIDE = 4096
/** Longer than any honest image takes on a slow machine. */
const SECONDS = 15
/** Images that are worked on at once, each on one thread of the four that files and passwords need too; the rest wait. */
const AT_ONCE = 2
const MOST_WAITING = 20

/** An image as it is kept: PNG or JPEG, upright, without metadata, in sRGB, at most 4096 pixels a side. (records.md, 12) */
export async function normalise(bytes: Buffer, to: 'png' | 'jpeg'): Promise<Buffer> {
  const kind = kindOf(bytes)
  return inTurn(async () => {
    // A start does without it, and so does a server that nobody sends an image.
    const { sharp } = await import('./sharp.ts')
    const image = sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS })
    try {
      checkSize(await image.metadata())
      image
        .autoOrient()
        .resize({ width: KEPT_SIDE, height: KEPT_SIDE, fit: 'inside', withoutEnlargement: true })
        .timeout({ seconds: SECONDS })
      if (to === 'png') return await image.toColourspace('srgb').png().toBuffer()
      return await image.flatten({ background: 'white' }).jpeg({ quality: 85 }).toBuffer()
    } catch (error) {
      throw error instanceof Wrong ? error : refusalOf(error as Error, kind)
    }
  })
}

/** By the first bytes: what a client calls it counts for nothing. @throws Wrong for what isn't an image that is read here */
function kindOf(bytes: Buffer): 'PNG' | 'JPEG' | 'WebP' | 'HEIC' {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to)
  const kind = text(0, 8) === '\x89PNG\r\n\x1a\n' ? 'PNG' : text(0, 3) === '\xff\xd8\xff' ? 'JPEG' : null
  const other = text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'WebP' : null
  const heic = text(4, 8) === 'ftyp' && /^(hei[cxms]|hev[cx]|mif1|msf1)$/.test(text(8, 12)) ? 'HEIC' : null
  const found = kind ?? other ?? heic
  if (!found) throw new Wrong('not_an_image', 'is not an image that is read here: send PNG, JPEG or WebP')
  if (isSomethingElse(bytes)) throw new Wrong('not_an_image', 'is an image and something else at once')
  const animated = found === 'PNG' && bytes.includes('acTL') && bytes.indexOf('acTL') < bytes.indexOf('IDAT')
  if (animated) throw isAnimated()
  return found
}

/**
 * A PDF or a page that begins as an image, or an archive that ends one. Nothing of it would be kept, since the pixels are
 * written anew; but who sends such a file has something else in mind than a photo.
 */
function isSomethingElse(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 1024)
  const end = bytes.lastIndexOf('PK\x05\x06')
  const isArchive = end >= 0 && end + 22 <= bytes.length && bytes.readUInt16LE(end + 20) === bytes.length - end - 22
  return /%PDF-|<(svg|html|script|!doctype)|<\?php/i.test(head) || isArchive
}

function checkSize({ width, height, pages = 1, format }: Metadata) {
  if (pages > 1 && format !== 'heif') throw isAnimated()
  if (width > MOST_SIDE || height > MOST_SIDE) throw tooManyPixels()
}

const isAnimated = () => new Wrong('animated', 'is animated: send a still image')
const tooManyPixels = () =>
  new Wrong(
    'too_many_pixels',
    `has too many pixels: at most ${MOST_SIDE} a side and ${MOST_PIXELS / 1e6} million in all`,
  )

function refusalOf({ message }: Error, kind: string): Wrong {
  if (message.includes('pixel limit')) return tooManyPixels()
  if (message.includes('timeout')) return new Wrong('too_slow', 'takes too long to read: send a smaller image')
  // The decoder of HEIC has patents on it, and most builds of the library come without.
  if (kind === 'HEIC') return new Wrong('not_an_image', 'is HEIC, which this server can not read: send JPEG')
  return new Wrong('damaged', `is not a whole ${kind}: it is damaged or breaks off`)
}

let running = 0
const waiting: (() => void)[] = []

/** @throws Problem unavailable (503) when too many wait already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MOST_WAITING)
    throw new Problem('unavailable', 'Too many images come in at once; try again', { headers: { 'Retry-After': '5' } })
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    // Whoever waits takes over the place.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
