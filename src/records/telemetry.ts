import { decimal, id, instant, record, text } from '#fields'

const fields = {
  recorded_at: instant({ required: true, about: 'When the device was there' }),
  lat: decimal({ required: true, min: -90, max: 90, about: 'Latitude, degrees' }),
  lng: decimal({ required: true, min: -180, max: 180, about: 'Longitude, degrees' }),
  heading: decimal({ min: 0, max: 360, about: 'Direction, degrees from north' }),
  speed: decimal({ min: 0, max: 2000, about: 'Speed in km/h' }),
  accuracy: decimal({ min: 0, max: 1_000_000, about: 'Radius in metres that the device vouches for' }),
}

/**
 * Where the device of a worker was. Described like a record, for what reads, prints and filters; but a point has no id, is
 * never changed, and is forgotten after a while, so it isn't one of ours: it has a table of its own (`store/telemetry.ts`).
 */
export const telemetry = record('point', {
  plural: 'telemetry',
  path: null,
  about: 'Where the device of a worker was, and when.',
  times: 'offset',
  fields,
  allow: { read: 'anyone', write: 'nobody' },
  filters: {
    from: { fields: ['recorded_at'], op: '>=' },
    to: { fields: ['recorded_at'], op: '<' },
  },
  search: [],
  title: 'recorded_at',
  example: { recorded_at: '2026-11-20T09:15:00Z', lat: '-36.8436', lng: '174.7669', heading: '90.0', speed: '42.0' },
})

/** What a client says of a point, and what a table keeps of it. */
export const pointFields = fields

const { accuracy: _, recorded_at, lat, lng, heading, speed } = fields

/** Where a worker was last. */
export const lastPoint = {
  name: 'worker',
  plural: 'workers',
  about: 'Where a worker was last.',
  times: 'offset',
  fields: {
    id: id({ about: 'Id of the worker' }),
    name: text({ server: true, about: 'Their name' }),
    recorded_at,
    lat,
    lng,
    heading,
    speed,
  },
} as const

/** That somebody looked where a worker was: told to that worker, and to nobody else. A table of its own, as that of points. */
export const look = record('look', {
  plural: 'looks',
  path: null,
  about: 'That somebody asked where the device of a worker was.',
  times: 'offset',
  fields: {
    at: instant({ required: true, about: 'When, to ten minutes' }),
    name: text({ required: true, about: 'Name of who looked: a person, or an API key' }),
  },
  allow: { read: 'anyone', write: 'nobody' },
  search: [],
  title: 'name',
  example: { at: '2026-11-20T11:00:00Z', name: 'Dora Lind' },
})
