import {
  decimal,
  eachNamed,
  type Field,
  type Fields,
  id,
  instant,
  namesOf,
  type Options,
  part,
  text,
  type ValidationError,
  type Values,
  validationError,
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
const address = namesOf(abouts)

const fields = {
  id: id(),
  ...eachNamed(address, (name) => text({ about: abouts[name] })),
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
 * an attribute, which the contract does on assets alone. (docs/contract.md#writing-xml)
 */
export const location = ({ marked, ...options }: Options<never> & { marked?: true } = {}) =>
  part(marked ? markedFields : fields, { about: 'Where it is', ...options, normalize })

type Place = Values<typeof fields>

function normalize(context: Place, before: Place | null): [keyof Place, ValidationError][] {
  const moved = before !== null && address.some((name) => context[name] !== before[name])
  if (moved && context.lat === before.lat && context.lng === before.lng)
    Object.assign(context, { lat: null, lng: null })
  if ((context.lat === null) === (context.lng === null)) return []
  return [[context.lat === null ? 'lat' : 'lng', validationError.blank()]]
}
