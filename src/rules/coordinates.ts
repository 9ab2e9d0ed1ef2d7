import type { Job } from '#records/job'

/** A point on the earth, in degrees. */
export interface Coordinates {
  lat: number
  lng: number
}

export const coordinatesOf = (
  place: { lat: string | null; lng: string | null } | null | undefined,
): Coordinates | null => (place?.lat && place.lng ? { lat: Number(place.lat), lng: Number(place.lng) } : null)

/** Where the work is, as the job itself says: at the first step that has a place, else at the contact's. */
export function placeInJob({ steps, contact }: Pick<Job, 'steps' | 'contact'>): Coordinates | null {
  const places = [...steps.map(({ location }) => location), contact?.location]
  return places.map(coordinatesOf).find((place) => place !== null) ?? null
}

const EARTH_KM = 6371

/** Along a great circle. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  return (
    2 *
    EARTH_KM *
    Math.asin(
      Math.min(
        1,
        Math.sqrt(half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lng, b.lng)),
      ),
    )
  )
}
