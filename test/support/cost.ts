/** What a piece of work took: CPU of all threads of this process, and what its memory grew by at most. */
export interface Cost {
  cpuMs: number
  grownBytes: number
}

/** Less than this many milliseconds of CPU is noise, whatever the size. */
const FLOOR_MS = 25
/** What the process may grow by, whatever the size, and for each byte: it comes as text, values, rows and an answer. */
const MAX_GROWN_BYTES = 200e6
const GROWN_EACH = 100
/** How much faster than its size a cost may grow: a cache that is left, a collection of garbage, a busy machine. */
const SLACK = 2.2

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  clearInterval(watch)
  return { cpuMs: (user + system) / 1000, grownBytes: Math.max(most, process.memoryUsage().rss) - before }
}

/**
 * Does some work at a quarter of a size in bytes and at the whole of it; answers a sentence when the whole costs more than
 * it is larger, in CPU or in memory. What looks so is done again, and the cheapest of three counts: others use the
 * machine too.
 */
export async function growthOf(work: (size: number) => Promise<unknown>, size: number): Promise<string | null> {
  const small = Math.floor(size / 4)
  await work(small)
  const first = await costOf(() => work(size))
  if (first.grownBytes > MAX_GROWN_BYTES + GROWN_EACH * size)
    return `${size} bytes make the process grow by ${(first.grownBytes / 1e6).toFixed(0)} MB`
  let whole = first.cpuMs
  if (whole < FLOOR_MS) return null
  let part = await cheapest(() => work(small), 1)
  if (!tooMuch(whole, part)) return null
  part = await cheapest(() => work(small), 3)
  whole = Math.min(whole, await cheapest(() => work(size), 2))
  if (!tooMuch(whole, part)) return null
  return `four times the size (${size}) takes ${(whole / part).toFixed(1)} times the CPU: ${whole.toFixed(0)} ms after ${part.toFixed(0)} ms`
}

const tooMuch = (whole: number, part: number) => whole > FLOOR_MS && whole > 4 * SLACK * Math.max(part, FLOOR_MS / 8)

async function cheapest(work: () => Promise<unknown>, times: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) least = Math.min(least, (await costOf(work)).cpuMs)
  return least
}
