import { parseJson, rawItems, readItems } from './id.ts'
import {
  type Field,
  type FieldOf,
  type Fields,
  fieldOf,
  isObject,
  MAX_ITEMS,
  type Normalize,
  type Options,
  type Values,
  validationError,
} from './kind.ts'
import { readFields } from './read.ts'
import type { RecordType, Row } from './record.ts'
import { text } from './text.ts'

const json = {
  column: 'json',
  text: () => '',
  load: parseJson,
  save: (value: unknown) => JSON.stringify(value),
} as const

/** An object inside a record: a location, the permissions. On update it merges; `normalize` sets what the server sets. */
export function part<F extends Fields, const O extends Options<Partial<Values<F>>> & { normalize?: Normalize<F> }>(
  fields: F,
  options?: O,
): FieldOf<Values<F>, O> {
  return fieldOf<Values<F>, O>(
    {
      kind: 'part',
      shape: 'part',
      ...json,
      fields,
      parse(raw, place) {
        if (!isObject(raw)) throw validationError.invalid('Say an object with fields')
        return readFields(fields, raw, place) as Values<F>
      },
      json: (value) => value,
      schema: { type: 'object' },
      samples: { good: [], bad: ['x', 5] },
    },
    options,
  )
}

/** Several texts: the options of a pick list. */
export function texts(child: string, options?: Options<string[]>): Field<string[]> {
  const one = text({ required: true })
  const { max = MAX_ITEMS } = options ?? {}
  return {
    kind: 'texts',
    shape: 'list',
    ...json,
    type: 'array',
    child,
    parse: (raw, place) => rawItems(raw, max).map((item) => one.parse(item, place)),
    json: (value) => value,
    schema: { type: 'array', items: { type: 'string' } },
    samples: { good: [['a'], ['a, b', '<&>']], bad: [[['x']]] },
    default: [],
    ...options,
    max,
  }
}

/**
 * Child objects inside a record, in the order that was sent: a pricebook's items, a job's steps. On update the list
 * is replaced; an item that matches one of before (by the first of `match` that it gives) keeps what it doesn't say.
 */
export function array<F extends Fields>(
  child: string,
  fields: F,
  options: Options<Values<F>[]> & { match: string[]; normalize?: Normalize<F> },
): Field<Values<F>[]> {
  const { max = MAX_ITEMS } = options
  return {
    kind: 'array',
    shape: 'array',
    ...json,
    type: 'array',
    child,
    fields,
    parse: (raw, place) => readItems(raw, fields, place, max),
    json: (value) => value,
    schema: { type: 'array' },
    samples: { good: [], bad: [] },
    default: [],
    ...options,
    max,
  }
}

/** Child records with addresses of their own, shown whole inside their parent and made with it: a thread's messages. */
export function children<R extends RecordType>(
  record: R,
  parent: string,
  options: Options<Row<R>[]> = {},
): Field<Row<R>[]> {
  const { max = MAX_ITEMS } = options
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
    parse: (raw, place) => readItems(raw, record.fields, place, max) as Row<R>[],
    text: () => '',
    json: (value) => value,
    load: () => [],
    save: () => '',
    schema: { type: 'array' },
    samples: { good: [], bad: [] },
    default: [],
    ...options,
    max,
  }
}
