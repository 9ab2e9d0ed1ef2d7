import pLimit from 'p-limit'
import { fieldError, validationError } from '#fields'
import { invalid, Problem } from '#problem'
import type { FileRow } from '#records/file'
import type { ApiRequest } from '../http/request.ts'
import { lastValue } from '../http/target.ts'
import { STORED_SIDE_PIXELS, shrinkImage } from './images.ts'

/** Pixels a side that a file may be asked for with; the last is as it is kept. */
export const sizes = [160, 320, 640, 1280, STORED_SIDE_PIXELS]

/** One at a time, so that uploads have their turn; a page of a hundred photos may wait. */
const limit = pLimit(1)
const MAX_WAITING = 500

/** How large the file is asked for; null where the address says nothing. @throws Problem invalid (422) */
export function sizeOf({ query }: Pick<ApiRequest, 'query'>): number | null {
  const said = lastValue(query, 'size')
  if (said === null) return null
  const size = sizes.find((one) => String(one) === said)
  if (!size) throw invalid([fieldError('size', validationError.notInList(sizes.map(String)))])
  return size
}

/** A file at a size, made when it is first asked for. @throws Problem unavailable (503) when too many wait already */
export function thumbnailOf(
  { app }: Pick<ApiRequest, 'app'>,
  { sha256 }: Pick<FileRow, 'sha256'>,
  to: 'png' | 'jpeg',
  size: number,
): Promise<Buffer> {
  if (size === STORED_SIDE_PIXELS) return app.blobs.read(sha256)
  return app.thumbnails.get(sha256, size, () => {
    if (limit.pendingCount >= MAX_WAITING)
      throw new Problem('unavailable', 'Too many thumbnails are being made; try again', {
        headers: { 'Retry-After': '5' },
      })
    return limit(async () => shrinkImage(await app.blobs.read(sha256), to, size))
  })
}
