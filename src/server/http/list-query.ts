import {
  beforeAll,
  type Field,
  type FieldError,
  fieldError,
  InvalidLiteral,
  isReadableOfAll,
  oneOf,
  type Raw,
  type RecordType,
  text,
  ValidationError,
  validationError,
  type Worker,
} from '#fields'
import { plainBoolean } from '#fields/flag'
import { later } from '#fields/instant'
import { invalid } from '#problem'
import type { Filter, ListQuery, Sort } from '#store/select'
import { commonParameters, type IntegerRange, pagingLimits, wholeOf } from './integer-parameters.ts'
import { type Term, termsOf } from './search-terms.ts'
import { lastValue } from './target.ts'

export interface Page extends Required<Omit<ListQuery, 'shallow'>> {
  page: number
  /** Whether it is told how many there are altogether. */
  total: boolean
}

/** Values of one filter. */
const MAX_VALUES = 1000

/** Each is a condition of the statement, which a database takes only so many of. */
const MAX_TERMS = 100

const WALK = 'Begin with after_id=0, and go on with the last id of each page'

/** Parameters that say something else than a field's value. */
const reservedParameters = [
  ...commonParameters,
  'page',
  'per_page',
  'sort',
  'search',
  'after_id',
  'updated_since',
  'created_since',
  'fields',
  'total',
]

/**
 * What the query of a list asks for. Never a silently different list: what is unknown or of the wrong type is a fault.
 * What a worker isn't told of every row is unknown to them, too.
 * @throws Problem invalid (422)
 */
export function parseListQuery(record: RecordType, query: URLSearchParams, worker?: Worker): Page {
  const errors: FieldError[] = []
  const filters: Filter[] = []

  const perPage = integer('per_page', pagingLimits.per_page)
  const page = integer('page', {
    ...pagingLimits.page,
    max: Math.floor(Number.MAX_SAFE_INTEGER / pagingLimits.per_page.max),
  })
  for (const name of new Set(query.keys())) {
    const value = lastValue(query, name) ?? ''
    if (name === 'ids[]')
      attempt(name, () =>
        filters.push({ field: 'id', op: 'in', value: query.getAll(name).map((id) => parsed('id', id)) }),
      )
    else if (name.endsWith('[]')) attempt(name, () => filters.push(several(name.slice(0, -2), query.getAll(name))))
    else if (!reservedParameters.includes(name)) attempt(name, () => filters.push(...filter(name, value)))
  }
  since('updated_since', 'updated_at')
  since('created_since', 'created_at')
  const terms = termsOf(query.get('search') ?? '')
  if (terms.length > MAX_TERMS) attempt('search', tooMany)
  else for (const term of terms) search(term)
  const sort = order()
  const after = afterId(sort)
  const total = yesOrNo('total', lastValue(query, 'total') || 'true')

  if (errors.length > 0) throw invalid(errors)
  return { filters, sort, after, page, total, limit: perPage, offset: after === null ? (page - 1) * perPage : 0 }

  function tooMany() {
    throw new ValidationError('too_many', `has too many terms (maximum is ${MAX_TERMS})`, {
      params: { max: MAX_TERMS },
    })
  }

  function attempt(name: string, work: () => void) {
    try {
      work()
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      errors.push(fieldError(name, error))
    }
  }

  function integer(name: string, number: IntegerRange): number {
    const value = wholeOf(lastValue(query, name), number)
    if (!(value instanceof ValidationError)) return value
    errors.push(fieldError(name, value))
    return number.default
  }

  function field(name: string): Field<unknown> {
    const found = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined
    if (!found || found.internal || found.writeOnly || (found.shape !== 'leaf' && !found.through)) throw unknown()
    return readable(found)
  }

  function readable(found: Field<unknown>): Field<unknown> {
    if (!isReadableOfAll(found, worker)) throw unknown()
    return found
  }

  function unknown() {
    return new ValidationError('unknown', `is not a field of ${record.plural}`, { remedy: oneOf('Name', scalars()) })
  }

  /** What can be filtered and sorted by. */
  function scalars(): string[] {
    return Object.keys(record.fields).filter((name) => {
      const of = record.fields[name] as Field<unknown>
      return !of.internal && !of.writeOnly && of.shape === 'leaf' && of.kind !== 'ids' && isReadableOfAll(of, worker)
    })
  }

  function parsed(name: string, value: Raw): unknown {
    if (value instanceof InvalidLiteral) throw validationError.invalid()
    return field(name).parse(value, { path: name, errors })
  }

  function filter(name: string, value: string): Filter[] {
    const own = Object.hasOwn(record.filters ?? {}, name) ? record.filters?.[name] : undefined
    if (own) return special(own, value)
    const of = field(name)
    if (of.kind === 'ids') return [{ field: name, op: 'has', value: parsed(name, value) }]
    if (of.shape !== 'leaf') throw new ValidationError('unknown', `is not a field of ${record.plural} to search by`)
    if (value === '') return [{ field: name, op: 'null' }]
    const typed = parsed(name, value)
    if (of.column !== 'instant') return [{ field: name, op: '=', value: of.save(typed as never) }]
    // Instants are shown in whole seconds, so the second is what was meant.
    const second = `${String(typed).slice(0, 19)}.000Z`
    return [
      { field: name, op: '>=', value: second },
      { field: name, op: '<', value: later(second, 1000) },
    ]
  }

  /** Those with one of several values; an empty one stands for those that have none. */
  function several(name: string, values: string[]): Filter {
    if (values.length > MAX_VALUES)
      throw new ValidationError('too_many', `has too many values (maximum is ${MAX_VALUES})`)
    const of = field(name)
    if (of.kind === 'ids')
      return { field: name, op: 'has', value: values.flatMap((value) => parsed(name, value) as number[]) }
    if (of.shape !== 'leaf' || !['integer', 'uuid', 'text'].includes(of.column ?? ''))
      throw new ValidationError('unknown', `is not a field of ${record.plural} that takes several values`)
    const said = values.filter((value) => value !== '').map((value) => of.save(parsed(name, value) as never))
    return { field: name, op: said.length < values.length ? 'in or null' : 'in', value: said }
  }

  function yesOrNo(name: string, value: string): boolean {
    const is = plainBoolean(value)
    if (is === null) errors.push(fieldError(name, new ValidationError('invalid', 'must be true or false')))
    return is === true
  }

  /** Of several fields, the first that the value fits. */
  function special({ fields: names, op }: NonNullable<RecordType['filters']>[string], value: string): Filter[] {
    if (op === 'none') {
      const is = plainBoolean(value)
      if (is === null) throw new ValidationError('invalid', 'must be true or false')
      for (const name of names) readable(record.fields[name] as Field<unknown>)
      return [{ field: names[0] ?? '', fields: names, op: is ? 'none given' : 'some given' }]
    }
    for (const [i, name] of names.entries()) {
      const of = readable(record.fields[name] as Field<unknown>)
      try {
        return [{ field: name, op, value: of.save(of.parse(value, { path: name, errors }) as never) }]
      } catch (error) {
        if (i === names.length - 1) throw error
      }
    }
    return []
  }

  function since(parameter: string, name: string) {
    const value = query.getAll(parameter).at(-1)
    if (value !== undefined && value !== '')
      attempt(parameter, () =>
        filters.push({ field: name, op: '>=', value: sinceField(name).parse(value, { path: parameter, errors }) }),
      )
  }

  function sinceField(name: string): Field<unknown> {
    return readable(record.fields[name] as Field<unknown>)
  }

  function search({ field, value }: Term) {
    if (field !== null) attempt(field, () => filters.push(...filter(field.replaceAll('-', '_'), value)))
    else
      attempt('search', () =>
        filters.push(textFilter(record, String(text().parse(value, { path: 'search', errors })), worker)),
      )
  }

  function order(): Sort | null {
    const text = query.getAll('sort').at(-1)
    if (!text) return null
    const name = text.replace(/^[-+ ]/, '')
    attempt('sort', () => {
      if (field(name).shape !== 'leaf' || field(name).kind === 'ids') throw validationError.notInList(scalars())
    })
    return { field: name, down: text.startsWith('-') }
  }

  function afterId(sorted: Sort | null): number | string | null {
    const text = query.getAll('after_id').at(-1)
    if (text === undefined) return null
    attempt('after_id', () => {
      if (query.has('page')) throw new ValidationError('invalid', 'goes without page: a page after an id has no number')
      if (sorted && (sorted.field !== 'id' || sorted.down))
        throw new ValidationError('invalid', 'goes with the order of ids only')
      // Zero begins a walk.
      if (text !== '0' && record.fields.id?.column !== 'uuid') {
        const id = wholeOf(text, { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER })
        if (id instanceof ValidationError)
          throw new ValidationError(id.code, id.message, { params: id.params ?? {}, remedy: WALK })
      } else if (text !== '0') parsed('id', text)
    })
    if (text === '0') return beforeAll(record)
    return record.fields.id?.column === 'uuid' ? text : Number(text)
  }
}

/** Finds a text in those text fields of a record that the reader is told. */
export function textFilter(record: RecordType, value: string, worker: Worker | undefined): Filter {
  const fields = record.search.filter((name) => isReadableOfAll(record.fields[name] as Field<unknown>, worker))
  return { field: fields[0] ?? 'id', fields, op: 'like', value }
}
