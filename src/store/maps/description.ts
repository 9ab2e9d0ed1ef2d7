/** What a file of a map says of itself; null for what it doesn't. */
export interface MapDescription {
  /** What its tiles are: `pbf`, `png`, `jpg`, `webp`, `avif`. */
  format: string | null
  min_zoom: number | null
  max_zoom: number | null
  /** West, south, east and north, in degrees. */
  bounds: [string, string, string, string] | null
  attribution: string | null
}

/** Degrees as decimals are written: to ten centimetres, and with one digit behind the point at least. */
export function degrees(value: number): string {
  const rounded = Math.round(value * 1e6) / 1e6
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded)
}

const MAX_CHARACTERS = 2000

/** A text of somebody else's file, as far as it is one and has room. */
export const shortText = (value: unknown): string | null =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '').slice(0, MAX_CHARACTERS) || null : null
