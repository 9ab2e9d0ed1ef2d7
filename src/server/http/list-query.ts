import {
  beforeAll,
  type FieldError,
  fieldError,
  type RecordType,
  text,
  ValidationError,
  validationError,
  type Worker,
} from '#fields'
import { plainBoolean } from '#fields/flag'
import { invalid } from '#problem'
import type { Filter, ListQuery, Sort } from '#store/select'
import { commonParameters, type IntegerRange, pagingLimits, wholeOf } from './integer-parameters.ts'
import {
  listField,
  type Reading,
  readableField,
  readFilter,
  readFilterOfAny,
  readFilterOfIds,
  scalarNames,
  textFilter,
} from './list-filters.ts'
import { type Term, termsOf } from './search-terms.ts'
import { lastValue } from './target.ts'

export interface Page extends Required<Omit<ListQuery, 'shallow'>> {
  page: number
  /** Whether it is told how many there are altogether. */
  total: boolean
}

/** Each is a condition of the statement, which a database takes only so many of. */
const MAX_TERMS = 100

/** Parameters that say something else than a field's value. */
const reservedParameters = [
  ...commonParameters,
  'page',
  'per_page',
  'sort',
  'search',
  'after_id',
  'before_id',
  'updated_since',
  'created_since',
  'fields',
  'total',
]

/** The query of a list, as it is read. */
interface Asked extends Reading {
  query: URLSearchParams
}

/**
 * What the query of a list asks for. Never a silently different list: what is unknown or of the wrong type is a fault.
 * What a worker isn't told of every row is unknown to them, too.
 * @throws Problem invalid (422)
 */
export function parseListQuery(record: RecordType, query: URLSearchParams, worker?: Worker): Page {
  const errors: FieldError[] = []
  const asked: Asked = { record, query, worker, errors }
  const limit = readInteger(asked, 'per_page', pagingLimits.per_page)
  const page = readInteger(asked, 'page', {
    ...pagingLimits.page,
    max: Math.floor(Number.MAX_SAFE_INTEGER / pagingLimits.per_page.max),
  })
  const filters = [
    ...readFilters(asked),
    ...readSince(asked, 'updated_since', 'updated_at'),
    ...readSince(asked, 'created_since', 'created_at'),
    ...readSearch(asked),
  ]
  const before = readBeforeId(asked)
  const sort = before?.sort ?? readSort(asked)
  const after = before ? null : readAfterId(asked, sort)
  const total = readTotal(asked) && before === null
  if (errors.length > 0) throw invalid(errors)
  return {
    filters: [...filters, ...(before?.filters ?? [])],
    sort,
    after,
    page,
    total,
    limit,
    offset: after === null ? (page - 1) * limit : 0,
  }
}

/** What is read of a parameter; nothing when it is at fault, which is noted. */
function attempt(errors: FieldError[], name: string, read: () => Filter[]): Filter[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    errors.push(fieldError(name, error))
    return []
  }
}

function readInteger({ query, errors }: Asked, name: string, range: IntegerRange): number {
  const value = wholeOf(lastValue(query, name), range)
  if (!(value instanceof ValidationError)) return value
  errors.push(fieldError(name, value))
  return range.default
}

function readFilters(asked: Asked): Filter[] {
  const { query, errors } = asked
  const names = [...new Set(query.keys())].filter((name) => !reservedParameters.includes(name))
  return names.flatMap((name) =>
    attempt(errors, name, () => {
      if (name === 'ids[]') return [readFilterOfIds(asked, query.getAll(name))]
      if (name.endsWith('[]')) return [readFilterOfAny(asked, name.slice(0, -2), query.getAll(name))]
      return readFilter(asked, name, lastValue(query, name) ?? '')
    }),
  )
}

function readSince(asked: Asked, parameter: string, field: string): Filter[] {
  const value = lastValue(asked.query, parameter)
  if (!value) return []
  return attempt(asked.errors, parameter, () => [
    { field, op: '>=', value: readableField(asked, field).parse(value, { path: parameter, errors: asked.errors }) },
  ])
}

function readSearch(asked: Asked): Filter[] {
  const { query, errors } = asked
  const terms = termsOf(query.get('search') ?? '')
  if (terms.length <= MAX_TERMS) return terms.flatMap((term) => readTerm(asked, term))
  return attempt(errors, 'search', () => {
    throw new ValidationError('too_many', `has too many terms (maximum is ${MAX_TERMS})`, {
      params: { max: MAX_TERMS },
    })
  })
}

function readTerm(asked: Asked, { field, value }: Term): Filter[] {
  const { record, worker, errors } = asked
  if (field !== null) return attempt(errors, field, () => readFilter(asked, field.replaceAll('-', '_'), value))
  return attempt(errors, 'search', () => [
    textFilter(record, String(text().parse(value, { path: 'search', errors })), worker),
  ])
}

function readSort(asked: Asked): Sort | null {
  const text = lastValue(asked.query, 'sort')
  if (!text) return null
  const name = text.replace(/^[-+ ]/, '')
  attempt(asked.errors, 'sort', () => {
    const { shape, kind } = listField(asked, name)
    if (shape !== 'leaf' || kind === 'ids') throw validationError.notInList(scalarNames(asked))
    return []
  })
  return { field: name, down: text.startsWith('-') }
}

function readAfterId(asked: Asked, sort: Sort | null): number | string | null {
  const text = readWalkId(asked, 'after_id')
  if (text !== null && sort && (sort.field !== 'id' || sort.down))
    asked.errors.push(fieldError('after_id', new ValidationError('invalid', 'goes with the order of ids only')))
  if (text === '0') return beforeAll(asked.record)
  return text === null || isByUuid(asked) ? text : Number(text)
}

/** A walk backwards: the entries before an id, the newest of them first; 0 begins with the newest of all. */
function readBeforeId(asked: Asked): { filters: Filter[]; sort: Sort } | null {
  const text = readWalkId(asked, 'before_id')
  if (text === null) return null
  for (const name of ['sort', 'after_id'])
    if (asked.query.has(name))
      asked.errors.push(
        fieldError('before_id', new ValidationError('invalid', `goes without ${name}`, { params: { without: name } })),
      )
  const value = isByUuid(asked) ? text : Number(text)
  return { filters: text === '0' ? [] : [{ field: 'id', op: '<', value }], sort: { field: 'id', down: true } }
}

/** The id that a walk goes on from; 0 begins one. */
function readWalkId(asked: Asked, name: string): string | null {
  const { query, errors } = asked
  const text = lastValue(query, name)
  if (text === null) return null
  attempt(errors, name, () => {
    if (query.has('page')) throw new ValidationError('invalid', 'goes without page: a page of a walk has no number')
    if (text !== '0' && isByUuid(asked)) listField(asked, 'id').parse(text, { path: 'id', errors })
    else if (text !== '0') readLastId(name, text)
    return []
  })
  // Kept so, and SQLite compares them as text.
  return text.toLowerCase()
}

function readLastId(name: string, text: string): void {
  const id = wholeOf(text, { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER })
  if (id instanceof ValidationError)
    throw new ValidationError(id.code, id.message, {
      params: id.params ?? {},
      remedy: `Begin with ${name}=0, and go on with the last id of each page`,
    })
}

const isByUuid = ({ record }: Asked) => record.fields.id?.column === 'uuid'

function readTotal({ query, errors }: Asked): boolean {
  const is = plainBoolean(lastValue(query, 'total') || 'true')
  if (is === null) errors.push(fieldError('total', new ValidationError('invalid', 'must be true or false')))
  return is === true
}
