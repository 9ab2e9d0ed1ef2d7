import { chosen } from './look.ts'
import { currentPhone, type Job, rowOf } from './store.ts'

type Place = NonNullable<NonNullable<Job['contact']>['location']>

/** Where a job may be, in the order of the server: as its steps say, its contact, its site, its customer. */
function placesOf({ steps, contact, site_id, customer_id }: Job): Place[] {
  const set = currentPhone().shown()
  const places = [
    ...steps.map(({ location }) => location),
    contact?.location,
    rowOf(set, 'site', site_id)?.location,
    rowOf(set, 'customer', customer_id)?.delivery_contact?.location,
  ]
  return places.filter((place): place is Place => Boolean(place))
}

const wordsOf = (place: Place) =>
  [place.address1, place.address2, place.suburb, place.city].filter(Boolean).join(', ') || place.formatted_address

/** Where a job is, in one line; empty where nothing says it. */
export const addressLines = (job: Job): string => placesOf(job).map(wordsOf).find(Boolean) ?? ''

/** Degrees; null where only the address is known. */
export function pointOf(job: Job): { lat: number; lng: number } | null {
  const place = placesOf(job).find(({ lat, lng }) => lat && lng)
  return place ? { lat: Number(place.lat), lng: Number(place.lng) } : null
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
