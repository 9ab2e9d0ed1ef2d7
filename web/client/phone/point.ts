/** As docs/api/telemetry.md has it. */
export interface Point {
  recorded_at: string
  /** Degrees. */
  lat: string
  lng: string
  /** Degrees from north; null while standing. */
  heading: string | null
  /** km/h */
  speed: string | null
  /** Metres. */
  accuracy: string | null
}

/** An instant of the device that the office has, or has not. */
export type KeptPoint = Point & { sent: 0 | 1 }
