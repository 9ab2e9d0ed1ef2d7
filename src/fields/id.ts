import {
  type Field,
  type FieldOf,
  type Fields,
  fieldOf,
  isObject,
  MAX_ITEMS,
  type Options,
  type ParseContext,
  type Raw,
  type RawRow,
  type Values,
  validationError,
} from './kind.ts'
import { integer } from './number.ts'
import { readFields } from './read.ts'
import { text } from './text.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const { required: _, ...number } = integer({ min: 1, required: true })

const { required: __, ...plainText } = text({ required: true })
const uuidText: Field<string> = {
  ...plainText,
  column: 'uuid',
  parse: parseUuid,
  schema: { type: 'string', format: 'uuid' },
  samples: { good: ['01890a5d-ac96-774b-bcce-b302099a8057'], bad: ['x', '5', '01890a5dac96774bbcceb302099a8057'] },
}

/** A record's own number. */
export const id = (options: Options<number> = {}): Field<number> => ({
  ...number,
  kind: 'id',
  required: true,
  server: true,
  auto: 'id',
  about: 'Unique id',
  ...options,
})

/** A record's own UUID; in order of creation, so that id order is time order. */
export const uuid = (options: Options<string> = {}): Field<string> => ({
  ...uuidText,
  kind: 'uuid',
  required: true,
  server: true,
  auto: 'uuid',
  about: 'Unique id',
  ...options,
})

/** The id of the account that a record belongs to. */
export const accountId = (options: Options<number> = {}): Field<number> => ({
  ...number,
  kind: 'id',
  required: true,
  server: true,
  auto: 'account',
  about: 'Id of the account',
  ...options,
})

/** Who made the record: a user's id, or nil for a key. */
export const author = (): Field<number | null> => ({
  ...ref('user', { about: 'Id of the user who created it; nil when created through the API', server: true }),
  auto: 'author',
})

/** The id of another record with a number. */
export function ref<const O extends Options<number>>(target: string, options?: O): FieldOf<number, O> {
  return fieldOf({ ...number, index: true, kind: 'ref', target }, options)
}

/** The id of another record with a UUID. */
export function uuidRef<const O extends Options<string>>(target: string, options?: O): FieldOf<string, O> {
  return fieldOf({ ...uuidText, index: true, kind: 'ref', target }, options)
}

/** Ids of other records: one comma-separated string on the XML wire, a list of numbers in JSON. Kept as pairs. */
export function ids(target: string, options: Options<number[]> & { through: string }): Field<number[]> {
  const { max = MAX_ITEMS } = options
  return {
    kind: 'ids',
    shape: 'leaf',
    column: null,
    target,
    parse: (raw: Raw) => parseIds(raw, max),
    text: (value: number[]) => value.join(','),
    json: (value: number[]) => value,
    load: parseJson<number[]>,
    save: (value: number[]) => value.join(','),
    schema: { type: 'array', items: { type: 'integer' } },
    samples: { good: [[2, 33], [1]], bad: ['1;2', 'a', '-1', '1.5', '1,,x', true] },
    default: [],
    ...options,
    max,
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
  const fields: { id: Field<number> } & F = { id: id(), ...options.fields }
  const { max = MAX_ITEMS } = options
  return {
    kind: 'links',
    shape: 'links',
    column: null,
    type: 'array',
    target,
    parse: (raw: Raw, context: ParseContext) => readItems(raw, fields, context, max),
    text: () => '',
    json: (value: LinkRow<F>[]) => value,
    load: (stored: unknown) => parseJson<RawRow[]>(stored).map((item) => loadItem(fields, item)),
    save: () => '',
    schema: { type: 'array' },
    samples: { good: [], bad: [] },
    default: [],
    ...options,
    max,
    fields,
  }
}

type LinkRow<F extends Fields> = Values<{ id: Field<number> } & F>

/**
 * A value of the record that a reference points to, shown and filtered here, kept only there. With `sent`, a caller
 * may give it, for a rule to find the record by.
 */
export function lookup<T>(field: Field<T>, reference: string, name: string, sent?: 'sent'): Field<T | null> {
  const { required: _, unique: __, index: ___, ...rest } = field
  return { ...rest, column: null, lookup: [reference, name], ...(!sent && { server: true }) } as Field<T | null>
}

/** What comes before every id: where a walk by ids begins. */
export const beforeAll = ({ fields }: { fields: Fields }): number | string =>
  fields.id?.column === 'uuid' ? '00000000-0000-0000-0000-000000000000' : 0

export const isUuid = (value: string) => uuidForm.test(value)

/**
 * A list of child objects, each as far as it was sent: from `type="array"`, from repeated elements without it, or from
 * JSON. Nil items are none.
 * @throws ValidationError for more than `max`, before any of them is read
 */
export function readItems<F extends Fields>(raw: Raw, fields: F, context: ParseContext, max: number): Values<F>[] {
  return rawItems(raw, max).map(
    (item, i) => readFields(fields, item, { path: `${context.path}[${i}]`, errors: context.errors }) as Values<F>,
  )
}

/** @throws ValidationError for more than `max` */
export function rawItems(raw: Raw, max: number): Raw[] {
  const list = Array.isArray(raw) ? raw : isObject(raw) ? Object.values(raw).flat() : [raw]
  const items = list.filter((item) => item !== null)
  if (items.length > max) throw validationError.tooMany(max)
  return items
}

/** What a column of JSON holds: SQLite gives its text, PostgreSQL the value. */
export const parseJson = <T>(stored: unknown): T => (typeof stored === 'string' ? JSON.parse(stored) : (stored as T))

function parseUuid(raw: Raw): string {
  if (typeof raw !== 'string' || !isUuid(raw.trim()))
    throw validationError.invalid('Say a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057')
  return raw.trim().toLowerCase()
}

function parseIds(raw: Raw, max: number): number[] {
  const pieces = rawItems(raw, max).flatMap((item): Raw[] =>
    typeof item === 'string' ? item.split(',', max + 1) : [item],
  )
  if (pieces.length > max) throw validationError.tooMany(max)
  const found = pieces.flatMap((piece) => {
    if (typeof piece === 'string' && piece.trim() === '') return []
    const digits =
      typeof piece === 'string'
        ? piece.trim()
        : typeof piece === 'number' || typeof piece === 'bigint'
          ? String(piece)
          : ''
    if (!/^\d{1,20}$/.test(digits))
      throw validationError.invalid('Say ids with commas between, 2,33; in JSON also a list, [2, 33]')
    // An id that no record can have is one that does not exist, and not a malformed list.
    if (digits === '0' || !Number.isSafeInteger(Number(digits))) throw validationError.unknown(digits)
    return [Number(digits)]
  })
  return [...new Set(found)].sort((a, b) => a - b)
}

/** What a database made a JSON object of, each value as its own field loads it. */
function loadItem<F extends Fields>(fields: F, item: RawRow): Values<F> {
  const row: RawRow = {}
  for (const name in fields) row[name] = item[name] == null ? null : fields[name]?.load(item[name])
  return row as Values<F>
}
