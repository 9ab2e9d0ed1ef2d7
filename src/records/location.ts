import {
  decimal,
  type Field,
  type Fields,
  id,
  instant,
  type Options,
  part,
  type RawRow,
  text,
  type Wrong,
  wrong,
} from '#fields'

const address = [
  'address1',
  'address2',
  'suburb',
  'city',
  'post_code',
  'country',
  'province',
  'region',
  'state',
  'formatted_address',
] as const

const fields = {
  id: id(),
  ...(Object.fromEntries(address.map((name) => [name, text()])) as Record<
    (typeof address)[number],
    Field<string | null>
  >),
  lat: decimal({ min: -90, max: 90, about: 'Latitude, degrees' }),
  lng: decimal({ min: -180, max: 180, about: 'Longitude, degrees' }),
  deleted_at: instant({ server: true }),
  created_at: { ...instant({ server: true, readonly: true }), auto: 'created' } as Field<string | null>,
} satisfies Fields

/**
 * A place, with the element list of the contract's asset location. `lat` and `lng` come together or not at all; an
 * address that changes without them is kept as it is, and is not located any more.
 */
export const location = (options: Options<never> = {}) => part(fields, { about: 'Where it is', ...options, settle })

function settle(value: RawRow, before: RawRow | null): [string, Wrong][] {
  const moved = before !== null && address.some((name) => value[name] !== before[name])
  if (moved && value.lat === before.lat && value.lng === before.lng) Object.assign(value, { lat: null, lng: null })
  if ((value.lat === null) === (value.lng === null)) return []
  return [[value.lat === null ? 'lat' : 'lng', wrong.blank()]]
}
