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

const abouts = {
  address1: 'First line of the address',
  address2: 'Second line of the address',
  suburb: 'Suburb',
  city: 'City or town',
  post_code: 'Post code',
  country: 'Country',
  province: 'Province',
  region: 'Region',
  state: 'State',
  formatted_address: 'The whole address in one text',
}
const address = Object.keys(abouts) as (keyof typeof abouts)[]

const fields = {
  id: id(),
  ...(Object.fromEntries(address.map((name) => [name, text({ about: abouts[name] })])) as Record<
    keyof typeof abouts,
    Field<string | null>
  >),
  lat: decimal({ min: -90, max: 90, about: 'Latitude, degrees' }),
  lng: decimal({ min: -180, max: 180, about: 'Longitude, degrees' }),
  deleted_at: instant({ server: true, about: 'When it was deleted' }),
  created_at: {
    ...instant({ server: true, about: 'When it was kept' }),
    auto: 'created',
  } as Field<string | null>,
} satisfies Fields

const markedFields = { ...fields, created_at: { ...fields.created_at, readonly: true as const } }

/**
 * A place, with the element list of the contract's asset location. `lat` and `lng` come together or not at all; an
 * address that changes without them is kept as it is, and is not located any more. `marked` says what is read-only with
 * an attribute, which the contract does on assets alone. (wire.md, 1.8)
 */
export const location = ({ marked, ...options }: Options<never> & { marked?: true } = {}) =>
  part(marked ? markedFields : fields, { about: 'Where it is', ...options, settle })

function settle(value: RawRow, before: RawRow | null): [string, Wrong][] {
  const moved = before !== null && address.some((name) => value[name] !== before[name])
  if (moved && value.lat === before.lat && value.lng === before.lng) Object.assign(value, { lat: null, lng: null })
  if ((value.lat === null) === (value.lng === null)) return []
  return [[value.lat === null ? 'lat' : 'lng', wrong.blank()]]
}
