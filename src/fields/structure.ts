import { parseJson, rawItems, readItems } from './id.ts'
import {
  type Field,
  type Fields,
  isObject,
  type Maybe,
  type Options,
  type Place,
  type Raw,
  type RawRow,
  type Settle,
  Wrong,
  wrong,
} from './kind.ts'
import { readFields } from './read.ts'
import type { RecordType } from './record.ts'
import { text } from './text.ts'

type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

const json = {
  column: 'json',
  text: () => '',
  load: parseJson,
  save: (value: unknown) => JSON.stringify(value),
} as const

/** An object inside a record: a location, the permissions. On update it merges; `settle` sets what the server sets. */
export function part<F extends Fields, const O extends Options<Values<F>> & { settle?: Settle }>(
  fields: F,
  options?: O,
): Field<Maybe<Values<F>, O>> {
  return {
    kind: 'part',
    shape: 'part',
    ...json,
    fields,
    parse: (raw: Raw, place: Place) => {
      if (!isObject(raw)) throw wrong.invalid()
      return readFields(fields, raw, place)
    },
    json: (value: Values<F>) => value,
    schema: { type: 'object' },
    samples: { good: [], bad: ['x', 5] },
    ...options,
  } as unknown as Field<Maybe<Values<F>, O>>
}

/** Several texts: the options of a pick list. */
export function texts(child: string, options?: Options<string[]>): Field<string[]> {
  const one = text()
  return {
    kind: 'texts',
    shape: 'list',
    ...json,
    type: 'array',
    child,
    parse: (raw: Raw, place: Place) => rawItems(raw).map((item) => one.parse(item, place)),
    json: (value: string[]) => value,
    schema: { type: 'array', items: { type: 'string' } },
    samples: { good: [['a'], ['a, b', '<&>']], bad: [[['x']]] },
    default: [],
    ...options,
  } as Field<string[]>
}

/**
 * Child objects inside a record, in the order that was sent: a pricebook's items, a job's steps. On update the list
 * is replaced; an item that matches one of before (by the first of `match` that it gives) keeps what it doesn't say.
 */
export function array<F extends Fields>(
  child: string,
  fields: F,
  options: Options<Values<F>[]> & { match: string[]; settle?: Settle },
): Field<Values<F>[]> {
  return {
    kind: 'array',
    shape: 'array',
    ...json,
    type: 'array',
    child,
    fields,
    parse: (raw: Raw, place: Place) => {
      const items = readItems(raw, fields, place)
      if (options.max !== undefined && items.length > options.max)
        throw new Wrong('too_many', `has too many items (maximum is ${options.max})`)
      return items
    },
    json: (value: Values<F>[]) => value,
    schema: { type: 'array' },
    samples: { good: [], bad: [] },
    default: [],
    ...options,
  } as unknown as Field<Values<F>[]>
}

/** Child records with addresses of their own, shown whole inside their parent and made with it: a thread's messages. */
export function children(record: RecordType, parent: string, options: Options<RawRow[]> = {}): Field<RawRow[]> {
  return {
    kind: 'children',
    shape: 'records',
    column: null,
    type: 'array',
    target: record.name,
    child: record.name,
    fields: record.fields,
    times: record.times,
    lookup: [parent, 'id'],
    parse: (raw: Raw, place: Place) => readItems(raw, record.fields, place),
    text: () => '',
    json: (value: RawRow[]) => value,
    load: (stored: unknown) => (stored as RawRow[]) ?? [],
    save: () => '',
    schema: { type: 'array' },
    samples: { good: [], bad: [] },
    default: [],
    ...options,
  }
}
