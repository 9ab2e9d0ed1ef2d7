import type { Call } from '#call'
import { fieldError, type RecordType, type Row, ValidationError, validationError } from '#fields'
import { findPlacesAt, type Place } from '#maps/places-server'
import { invalid, Problem } from '#problem'
import { asset } from '#records/asset'
import { customer } from '#records/customer'
import { job } from '#records/job'
import { site } from '#records/site'
import { may, workerOf } from '#rules/abilities'
import { refuseUnknownParameters } from '../http/integer-parameters.ts'
import { textFilter } from '../http/list-filters.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { lastValue } from '../http/target.ts'

/** Places of one answer from each source, at most, and characters of a query. */
const MAX_PLACES = 10
const MAX_CHARACTERS = 200
/** Words that are looked for; more narrow nothing. */
const MAX_WORDS = 5

const place = {
  name: { type: 'string', description: 'What it is called' },
  address: { type: 'string', description: 'Its address; empty where none is known' },
  lat: { type: 'string', description: 'Latitude, degrees' },
  lng: { type: 'string', description: 'Longitude, degrees' },
  source: {
    type: 'string',
    enum: ['customer', 'site', 'job', 'asset', 'server'],
    description: 'What has it here, or the server of the operator',
  },
  id: { type: ['integer', 'null'], description: 'Id of what has it here' },
}

/** Places by their names: those of the account, and of the server that the operator named. JSON only. */
export const placeRoute = (): Route => ({
  path: '/places',
  record: { ...job, allow: { read: 'anyone', write: 'nobody' } },
  wireNames: { name: 'place', plural: 'places' },
  docs: {
    GET: {
      id: 'findPlaces',
      about:
        'Places that a text may mean: where customers, sites, jobs and assets are, and what the server of `MUSTER_PLACES_URL` finds.',
      query: {
        query: { type: 'string', minLength: 2, maxLength: MAX_CHARACTERS, description: 'A name, or an address' },
      },
      response: {
        type: 'object',
        required: ['places'],
        properties: {
          places: { type: 'array', items: { type: 'object', required: Object.keys(place), properties: place } },
        },
      },
    },
  },
  methods: { GET: find },
})

type Found = Place & { source: string; id: number | null }

async function find(request: ApiRequest): Promise<ApiResponse> {
  const { format, query, app } = request
  if (format.name !== 'json') throw new Problem('not_acceptable', 'Places come in JSON: ask for places.json')
  const errors: Parameters<typeof invalid>[0] = []
  refuseUnknownParameters(query, ['query'], errors)
  const text = (lastValue(query, 'query') ?? '').toWellFormed().replaceAll('\0', '').trim()
  if (text === '') errors.push(fieldError('query', validationError.blank()))
  else if (text.length < 2)
    errors.push(fieldError('query', new ValidationError('too_short', 'is too short (minimum is 2 characters)')))
  else if (text.length > MAX_CHARACTERS) errors.push(fieldError('query', validationError.tooLong(MAX_CHARACTERS)))
  if (errors.length > 0) throw invalid(errors)
  const own = await findOwn(request, text)
  const { MUSTER_PLACES_URL: base } = app.config
  const others = base ? await findAtServer(request, base, text) : []
  return { status: 200, headers: {}, body: JSON.stringify({ places: [...own, ...others] }) }
}

/** A server that does not answer takes nothing from what is here. */
const findAtServer = ({ app }: ApiRequest, base: string, text: string): Promise<Found[]> =>
  findPlacesAt(base, text, MAX_PLACES).then(
    (places) => places.map((one) => ({ ...one, source: 'server', id: null })),
    (err) => {
      app.log.warn({ err }, 'The server of places does not answer')
      return []
    },
  )

/** Where something may be. */
interface Location {
  lat: string | null
  lng: string | null
  formatted_address: string | null
  address1: string | null
  city: string | null
}

/** Rows of a record that have a place, by their names. */
function source<R extends RecordType>(
  record: R,
  describe: (row: Row<R>) => [string | null, Location | null | undefined],
) {
  return async ({ store, actor }: Call, words: string[]): Promise<Found[]> => {
    if (!may(actor, record, 'read') || (record.feature && !actor.account.features[record.feature])) return []
    const filters = words.map((word) => textFilter(record, word, workerOf(actor, record)))
    const rows = await store.list(record, { filters, limit: MAX_PLACES })
    return rows.flatMap((row) => {
      const [name, location] = describe(row)
      if (!location?.lat || !location.lng) return []
      const { lat, lng, formatted_address, address1, city } = location
      const address = formatted_address ?? [address1, city].filter(Boolean).join(', ')
      return [{ name: name ?? `${record.name} ${row.id}`, address, lat, lng, source: record.name, id: Number(row.id) }]
    })
  }
}

const sources = [
  source(customer, ({ name, delivery_contact: contact }) => [name, contact?.location]),
  source(site, ({ name, location }) => [name, location]),
  source(job, ({ template_name, steps, contact }) => {
    const locations = [...steps.map(({ location }) => location), contact?.location]
    return [template_name, locations.find((location) => location?.lat)]
  }),
  source(asset, ({ name, location }) => [name, location]),
]

/** What the caller may read and sees. */
async function findOwn({ call }: ApiRequest, text: string): Promise<Found[]> {
  const words = text.split(/\s+/).slice(0, MAX_WORDS)
  const found: Found[] = []
  for (const find of sources) found.push(...(await find(call, words)))
  return found
}
