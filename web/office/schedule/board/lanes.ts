/** What takes time on a row. */
export interface Stretch {
  from: number
  to: number
}

/** Which lane each takes, in their order by start: those that overlap lie under each other. */
export function lanesOf(stretches: readonly Stretch[]): { lanes: number[]; count: number } {
  const ends: number[] = []
  const lanes = stretches.map(({ from, to }) => {
    const free = ends.findIndex((end) => end <= from)
    const lane = free < 0 ? ends.length : free
    // What takes no time still takes room.
    ends[lane] = Math.max(to, from + 1)
    return lane
  })
  return { lanes, count: Math.max(1, ends.length) }
}
