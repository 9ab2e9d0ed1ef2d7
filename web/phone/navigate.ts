import { chosen } from './look.ts'
import type { Job } from './store.ts'

type Place = NonNullable<NonNullable<Job['contact']>['location']>

/** Where a job is, in one line. */
export function addressLines(job: Job): string {
  const place = placeOf(job)
  return (
    [place?.address1, place?.address2, place?.suburb, place?.city].filter(Boolean).join(', ') ||
    place?.formatted_address ||
    ''
  )
}

export const placeOf = (job: Job): Place | null => job.contact?.location ?? null

/** Degrees; null where only the address is known. */
export function pointOf(job: Job): { lat: number; lng: number } | null {
  const { lat = null, lng = null } = placeOf(job) ?? {}
  return lat === null || lng === null ? null : { lat: Number(lat), lng: Number(lng) }
}

export const mapsApps = {
  phone: 'geo:',
  apple: 'https://maps.apple.com/',
  google: 'https://www.google.com/maps/',
} as const

/** The address that leads there in the maps that the person chose; null for a job without a place. */
export function wayTo(job: Job): string | null {
  const point = pointOf(job)
  const words = addressLines(job)
  if (!point && !words) return null
  const target = encodeURIComponent(point ? `${point.lat},${point.lng}` : words)
  const app = chosen().maps
  if (app === 'apple') return `${mapsApps.apple}?daddr=${target}`
  if (app === 'google') return `${mapsApps.google}dir/?api=1&destination=${target}`
  return `geo:${point ? `${point.lat},${point.lng}` : '0,0'}?q=${target}`
}

/** Kilometres as the crow flies. */
export function kilometresBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [dLat, dLng] = [radians(b.lat - a.lat), radians(b.lng - a.lng)]
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng / 2) ** 2
  return 2 * 6371 * Math.asin(Math.sqrt(h))
}
