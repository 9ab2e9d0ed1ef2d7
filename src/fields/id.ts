import {
  type Field,
  type Fields,
  isObject,
  type Maybe,
  type Options,
  type Place,
  type Raw,
  type RawRow,
  wrong,
} from './kind.ts'
import { integer } from './number.ts'
import { readFields } from './read.ts'
import { text } from './text.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A record's own number. */
export const id = (options: Options<number> = {}) =>
  ({
    ...integer({ min: 1, required: true, ...options }),
    kind: 'id',
    server: true,
    auto: 'id',
    about: 'Unique id',
  }) as Field<number>

/** A record's own UUID; in order of creation, so that id order is time order. */
export const uuid = (options: Options<string> = {}) =>
  ({
    ...text({ required: true, ...options }),
    kind: 'uuid',
    column: 'uuid',
    server: true,
    auto: 'uuid',
    parse: parseUuid,
    about: 'Unique id',
    schema: { type: 'string', format: 'uuid' },
    samples: { good: ['01890a5d-ac96-774b-bcce-b302099a8057'], bad: ['x', '5', '01890a5dac96774bbcceb302099a8057'] },
  }) as Field<string>

/** The id of the account that a record belongs to. */
export const accountId = (options: Options<number> = {}) =>
  ({
    ...integer({ min: 1, required: true }),
    kind: 'id',
    server: true,
    auto: 'account',
    about: 'Id of the account',
    ...options,
  }) as Field<number>

/** Who made the record: a user's id, or nil for a key. */
export const author = () =>
  ({
    ...ref('user', { about: 'Id of the user who created it; nil when created through the API', server: true }),
    auto: 'author',
  }) as Field<number | null>

/** The id of another record with a number. */
export function ref<const O extends Options<number>>(target: string, options?: O): Field<Maybe<number, O>> {
  return { ...integer({ min: 1, index: true, ...options }), kind: 'ref', target } as Field<Maybe<number, O>>
}

/** The id of another record with a UUID. */
export function uuidRef<const O extends Options<string>>(target: string, options?: O): Field<Maybe<string, O>> {
  const { auto: _, server: __, ...rest } = uuid()
  return { ...rest, required: undefined, index: true, ...options, kind: 'ref', target } as unknown as Field<
    Maybe<string, O>
  >
}

/** Ids of other records: one comma-separated string on the XML wire, a list of numbers in JSON. Kept as pairs. */
export function ids(target: string, options: Options<number[]> & { through: string }): Field<number[]> {
  return {
    kind: 'ids',
    shape: 'leaf',
    column: null,
    target,
    parse: parseIds,
    text: (value: number[]) => value.join(','),
    json: (value: number[]) => value,
    load: (stored: unknown) => parseJson(stored) as number[],
    save: (value: number[]) => value.join(','),
    schema: { type: 'array', items: { type: 'integer' } },
    samples: { good: [[2, 33], [1]], bad: ['1;2', 'a', '-1', '1.5', '1,,x', true] },
    default: [],
    ...options,
  }
}

/**
 * Other records that are held, each pair saying more than the id: a user's tags with their `expires_at`. `fields`
 * are those of the child element; the ones marked server are read from the record that is held.
 */
export function links<F extends Fields>(
  target: string,
  options: Options<LinkRow<F>[]> & { through: string; child: string; fields: F },
): Field<LinkRow<F>[]> {
  const fields = { id: id(), ...options.fields }
  return {
    kind: 'links',
    shape: 'links',
    column: null,
    type: 'array',
    target,
    parse: (raw: Raw, place: Place) => readItems(raw, fields, place) as LinkRow<F>[],
    text: () => '',
    json: (value: LinkRow<F>[]) => value,
    load: (stored: unknown) => (parseJson(stored) as RawRow[]).map((item) => loaded(fields, item)) as LinkRow<F>[],
    save: () => '',
    schema: { type: 'array' },
    samples: { good: [], bad: [] },
    default: [],
    ...options,
    fields,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the item's own fields say the types
type LinkRow<F> = { id: number } & { [K in keyof F]: F[K] extends Field<infer T> ? T : any }

/**
 * A value of the record that a reference points to, shown and filtered here, kept only there. With `sent`, a caller
 * may give it, for a rule to find the record by.
 */
export function lookup<T>(field: Field<T>, reference: string, name: string, sent?: 'sent'): Field<T | null> {
  const { required: _, unique: __, index: ___, ...rest } = field
  return { ...rest, column: null, lookup: [reference, name], ...(!sent && { server: true }) } as Field<T | null>
}

export const isUuid = (value: string) => uuidForm.test(value)

/** A list of child objects: from `type="array"`, from repeated elements without it, or from JSON. Nil items are none. */
export function readItems(raw: Raw, fields: Fields, place: Place): RawRow[] {
  return rawItems(raw).map((item, i) => readFields(fields, item, { path: `${place.path}[${i}]`, faults: place.faults }))
}

export function rawItems(raw: Raw): Raw[] {
  const list = Array.isArray(raw) ? raw : isObject(raw) ? Object.values(raw).flat() : [raw]
  return list.filter((item) => item !== null)
}

export const parseJson = (stored: unknown) => (typeof stored === 'string' ? JSON.parse(stored) : stored)

function parseUuid(raw: Raw): string {
  if (typeof raw !== 'string' || !isUuid(raw.trim())) throw wrong.invalid()
  return raw.trim().toLowerCase()
}

function parseIds(raw: Raw): number[] {
  const pieces = rawItems(raw).flatMap((item): Raw[] => (typeof item === 'string' ? item.split(',') : [item]))
  const found = pieces
    .filter((piece) => !(typeof piece === 'string' && piece.trim() === ''))
    .map((piece) => {
      const digits =
        typeof piece === 'string'
          ? piece.trim()
          : typeof piece === 'number' || typeof piece === 'bigint'
            ? String(piece)
            : ''
      if (!/^\d{1,20}$/.test(digits)) throw wrong.invalid()
      // An id that no record can have is one that does not exist, and not a malformed list.
      if (digits === '0' || !Number.isSafeInteger(Number(digits))) throw wrong.unknown(digits)
      return Number(digits)
    })
  return [...new Set(found)].sort((a, b) => a - b)
}

/** What a database made a JSON object of, each value as its own field loads it. */
function loaded(fields: Fields, item: RawRow): RawRow {
  const row: RawRow = {}
  for (const name in fields) row[name] = item[name] == null ? null : fields[name]?.load(item[name])
  return row
}
