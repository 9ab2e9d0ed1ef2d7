import { kilometresBetween } from './navigate.ts'

export interface Place {
  /** Degrees. */
  lat: number
  lng: number
}

/** Where something was, and when. */
export interface Noted extends Place {
  ms: number
}

const AT_MOST_EVERY_MS = 15_000
const AT_LEAST_EVERY_MS = 5 * 60_000
const FAR_KM = 0.03

/** Whether it tells anything beside the last one: a phone that lies still says so now and then, one on its way more often. */
export function worthKeeping(now: Noted, last: Noted | null): boolean {
  if (!last) return true
  const ms = now.ms - last.ms
  if (ms >= AT_LEAST_EVERY_MS) return true
  return ms >= AT_MOST_EVERY_MS && kilometresBetween(now, last) >= FAR_KM
}

/** How long the way is that leads over all of them, in kilometres. */
export const lengthOf = (way: readonly Place[]): number =>
  way.reduce((sum, place, i) => sum + (i > 0 ? kilometresBetween(way[i - 1] as Place, place) : 0), 0)

export interface Stay {
  fromMs: number
  toMs: number
  place: Place
}

const STAY_MS = 10 * 60_000
const STAY_KM = 0.15

/** Where it stayed within a stone's throw for ten minutes or more, in order. */
export function staysOf(way: readonly Noted[]): Stay[] {
  const stays: Stay[] = []
  for (let i = 0; i < way.length; ) {
    const first = way[i] as Noted
    let end = i
    while (end + 1 < way.length && kilometresBetween(first, way[end + 1] as Noted) <= STAY_KM) end++
    const { ms: toMs } = way[end] as Noted
    if (toMs - first.ms >= STAY_MS) stays.push({ fromMs: first.ms, toMs, place: first })
    i = end + 1
  }
  return stays
}

/** A plain ground on which places lie to scale: north is up, and all of them are on it. */
export interface Ground {
  /** Where a place lies, in the units of the picture. */
  at(place: Place): { x: number; y: number }
  /** How many of those a kilometre has. */
  perKm: number
}

const KM_A_DEGREE = 111.32
/** A single place, or some in one street, are not drawn larger than that. */
const LEAST_KM = 0.6

/** @param box width and height of the picture, and how much of it stays free around the places */
export function groundOf(
  places: readonly Place[],
  { width, height, free }: { width: number; height: number; free: number },
): Ground {
  const [south, north] = extent(places.map(({ lat }) => lat))
  const middle = (south + north) / 2
  const kmEast = KM_A_DEGREE * Math.cos((middle * Math.PI) / 180)
  // Counted from the first, so that a day on both sides of the antimeridian is one place.
  const from = places[0]?.lng ?? 0
  const east = (lng: number) => ((lng - from + 540) % 360) - 180
  const [west, most] = extent(places.map(({ lng }) => east(lng)))
  const wide = Math.max((most - west) * kmEast, LEAST_KM)
  const high = Math.max((north - south) * KM_A_DEGREE, LEAST_KM)
  const perKm = Math.min((width - 2 * free) / wide, (height - 2 * free) / high)
  return {
    perKm,
    at: ({ lat, lng }) => ({
      x: width / 2 + (east(lng) - (west + most) / 2) * kmEast * perKm,
      y: height / 2 - (lat - middle) * KM_A_DEGREE * perKm,
    }),
  }
}

const extent = (numbers: number[]): [number, number] =>
  numbers.length > 0 ? [Math.min(...numbers), Math.max(...numbers)] : [0, 0]

/** The longest round length that is at most so long: 1, 2 or 5, times a power of ten. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return ([5, 2, 1].find((digit) => digit * power <= most) ?? 1) * power
}
