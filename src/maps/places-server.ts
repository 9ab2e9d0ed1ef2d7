import { askForJson } from './ask.ts'

/** A place that somebody may mean. */
export interface Place {
  name: string
  address: string
  lat: string
  lng: string
}

const TIMEOUT_MS = 2000
const MAX_CHARACTERS = 500

/**
 * What a Nominatim- or Photon-compatible server finds. Photon's address ends with `/api`.
 * @throws whatever keeps it from answering
 */
export async function findPlacesAt(base: string, query: string, limit: number): Promise<Place[]> {
  const url = new URL(base)
  url.searchParams.set('q', query)
  url.searchParams.set('limit', String(limit))
  if (!url.pathname.endsWith('/api')) url.searchParams.set('format', 'jsonv2')
  const answer = await askForJson(url, TIMEOUT_MS)
  const found = Array.isArray(answer) ? answer.map(ofNominatim) : featuresOf(answer).map(ofPhoton)
  return found.flatMap((place) => place ?? []).slice(0, limit)
}

const isObject = (value: unknown): value is { [name: string]: unknown } => typeof value === 'object' && value !== null

function featuresOf(answer: unknown): unknown[] {
  if (isObject(answer) && Array.isArray(answer.features)) return answer.features
  throw new Error('the answer has neither places nor features')
}

function ofNominatim(one: unknown): Place | null {
  if (!isObject(one)) return null
  return placeOf(one.name || one.display_name, one.display_name, one.lat, one.lon)
}

function ofPhoton(one: unknown): Place | null {
  if (!isObject(one) || !isObject(one.properties) || !isObject(one.geometry)) return null
  const { name, housenumber, street, postcode, city, country } = one.properties
  const { coordinates } = one.geometry
  const [lng, lat] = Array.isArray(coordinates) ? coordinates : []
  const line = [street, housenumber].filter(Boolean).join(' ')
  const address = [line, postcode, city, country].filter(Boolean).join(', ')
  return placeOf(name || line || address, address, lat, lng)
}

/** What it says, where that can be a place. */
function placeOf(name: unknown, address: unknown, lat: unknown, lng: unknown): Place | null {
  const [north, east] = [Number(lat), Number(lng)]
  if (lat == null || lng == null || !(Math.abs(north) <= 90) || !(Math.abs(east) <= 180)) return null
  const text = (value: unknown) =>
    String(value ?? '')
      .toWellFormed()
      .replaceAll('\0', '')
      .slice(0, MAX_CHARACTERS)
  return text(name) ? { name: text(name), address: text(address), lat: String(north), lng: String(east) } : null
}
