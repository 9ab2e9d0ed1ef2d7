/** What is read at once for a page of a list or of the journal, in bytes. */
const MAX_READ_BYTES = 8 * 1024 * 1024

/** How many of the first of some sizes in bytes are read at once: one at least, however large. */
export function fitting(sizes: number[]): number {
  let bytes = 0
  const beyond = sizes.findIndex((size, i) => {
    bytes += size
    return i > 0 && bytes > MAX_READ_BYTES
  })
  return beyond < 0 ? sizes.length : beyond
}
