import pLimit from 'p-limit'
import type { Metadata } from 'sharp'
import { ValidationError } from '#fields'
import { messageOf, Problem } from '#problem'
import { withoutExtras } from './image-parts.ts'

/** What comes in, at most. */
export const MAX_BYTES = 20 * 1024 * 1024
const MAX_PIXELS = 60_000_000
const MAX_SIDE_PIXELS = 20_000
/** What is kept, at most: pixels a side. */
export const STORED_SIDE_PIXELS = 4096
/** Longer than any honest image takes on a slow machine. */
const TIMEOUT_SECONDS = 15
/** Images that are worked on at once, each on one thread of the four that files and passwords need too; the rest wait. */
const MAX_CONCURRENT = 2
const MAX_WAITING = 20

/** An image as it is kept: PNG or JPEG, upright, without metadata, in sRGB, at most 4096 pixels a side. (docs/contract.md#files) */
export async function normalizeImage(bytes: Buffer, to: 'png' | 'jpeg'): Promise<Buffer> {
  const kind = detectFormat(bytes)
  return withLimit(async () => {
    // A start does without it, and so does a server that nobody sends an image.
    const { sharp } = await import('./sharp.ts')
    const needed = kind === 'PNG' || kind === 'JPEG' ? withoutExtras(bytes, kind) : bytes
    const image = sharp(needed, {
      failOn: 'error',
      limitInputPixels: MAX_PIXELS,
    })
    try {
      checkSize(await image.metadata())
      image
        .autoOrient()
        .resize({ width: STORED_SIDE_PIXELS, height: STORED_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
        .timeout({ seconds: TIMEOUT_SECONDS })
      if (to === 'png') return await image.toColourspace('srgb').png().toBuffer()
      return await image.flatten({ background: 'white' }).jpeg({ quality: 85 }).toBuffer()
    } catch (error) {
      throw error instanceof ValidationError ? error : refusalOf(error, kind)
    }
  })
}

/** An image that is kept here, with at most so many pixels a side. */
export async function shrinkImage(bytes: Buffer, to: 'png' | 'jpeg', side: number): Promise<Buffer> {
  const { sharp } = await import('./sharp.ts')
  const image = sharp(bytes, { limitInputPixels: STORED_SIDE_PIXELS ** 2 })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
  return to === 'png' ? image.png().toBuffer() : image.jpeg({ quality: 80 }).toBuffer()
}

/** By the first bytes: what a client calls it counts for nothing. @throws ValidationError for what isn't an image that is read here */
function detectFormat(bytes: Buffer): 'PNG' | 'JPEG' | 'WebP' | 'HEIC' {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to)
  const kind = text(0, 8) === '\x89PNG\r\n\x1a\n' ? 'PNG' : text(0, 3) === '\xff\xd8\xff' ? 'JPEG' : null
  const other = text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'WebP' : null
  const heic = text(4, 8) === 'ftyp' && /^(hei[cxms]|hev[cx]|mif1|msf1)$/.test(text(8, 12)) ? 'HEIC' : null
  const found = kind ?? other ?? heic
  if (!found) throw new ValidationError('not_an_image', 'is not an image that is read here: send PNG, JPEG or WebP')
  if (isSomethingElse(bytes)) throw new ValidationError('not_an_image', 'is an image and something else at once')
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
  if (width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS) throw tooManyPixels()
}

const isAnimated = () => new ValidationError('animated', 'is animated: send a still image')
const tooManyPixels = () =>
  new ValidationError(
    'too_many_pixels',
    `has too many pixels: at most ${MAX_SIDE_PIXELS} a side and ${MAX_PIXELS / 1e6} million in all`,
    { params: { max_side: MAX_SIDE_PIXELS, max: MAX_PIXELS } },
  )

function refusalOf(error: unknown, kind: string): ValidationError {
  const message = messageOf(error)
  if (message.includes('pixel limit')) return tooManyPixels()
  if (message.includes('timeout'))
    return new ValidationError('too_slow', 'takes too long to read: send a smaller image')
  // The decoder of HEIC has patents on it, and most builds of the library come without.
  if (kind === 'HEIC') return new ValidationError('not_an_image', 'is HEIC, which this server can not read: send JPEG')
  return new ValidationError('damaged', `is not a whole ${kind}: it is damaged or breaks off`, { params: { kind } })
}

const limit = pLimit(MAX_CONCURRENT)

/** @throws Problem unavailable (503) when too many wait already */
async function withLimit<T>(work: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= MAX_WAITING)
    throw new Problem('unavailable', 'Too many images come in at once; try again', { headers: { 'Retry-After': '5' } })
  return limit(work)
}
