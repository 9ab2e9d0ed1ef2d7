import { MAX_PAGE_BYTES } from '#limits'

/** How many of the first of some sizes in bytes are read at once for a page: one at least, however large. */
export function fitting(sizes: number[]): number {
  let bytes = 0
  const beyond = sizes.findIndex((size, i) => {
    bytes += size
    return i > 0 && bytes > MAX_PAGE_BYTES
  })
  return beyond < 0 ? sizes.length : beyond
}
