import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib'
import { degrees, type MapDescription, shortText } from './description.ts'

const HEADER_BYTES = 127
const MAX_METADATA_BYTES = 4 << 20

/** By their numbers in the header. (PMTiles specification, version 3) */
const formats = [null, 'pbf', 'png', 'jpg', 'webp', 'avif']
const options = { maxOutputLength: MAX_METADATA_BYTES }
const unpack: ((bytes: Buffer) => Promise<Buffer>)[] = [
  async (bytes) => bytes,
  async (bytes) => bytes,
  (bytes) => promisify(gunzip)(bytes, options),
  (bytes) => promisify(brotliDecompress)(bytes, options),
  (bytes) => promisify(zstdDecompress)(bytes, options),
]

/** What a PMTiles file says of itself. @throws Error where it is none */
export async function describePmtiles(path: string): Promise<MapDescription> {
  const file = await open(path)
  try {
    const { buffer: header, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, 8) !== 'PMTiles\x03')
      throw new Error('is no PMTiles file of version 3')
    const [offset, length] = [Number(header.readBigUInt64LE(24)), Number(header.readBigUInt64LE(32))]
    if (length > MAX_METADATA_BYTES) throw new Error('says too much of itself')
    const { buffer, bytesRead: found } = await file.read(Buffer.alloc(length), 0, length, offset)
    if (found < length) throw new Error('breaks off')
    const text = length === 0 ? '{}' : await unpack[header.readUInt8(97)]?.(buffer)
    if (text === undefined) throw new Error('is packed in a way that is not known')
    const metadata: unknown = JSON.parse(text.toString())
    const at = (place: number) => degrees(header.readInt32LE(place) / 1e7)
    return {
      format: formats[header.readUInt8(99)] ?? null,
      min_zoom: header.readUInt8(100),
      max_zoom: header.readUInt8(101),
      bounds: [at(102), at(106), at(110), at(114)],
      attribution: shortText((metadata as { attribution?: unknown } | null)?.attribution),
    }
  } finally {
    await file.close()
  }
}
