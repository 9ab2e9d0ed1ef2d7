import {
  type Field,
  type FieldError,
  fieldNamed,
  InvalidLiteral,
  isNil,
  isReadableOfAll,
  oneOf,
  type Raw,
  type RecordType,
  ValidationError,
  validationError,
  type Worker,
} from '#fields'
import { plainBoolean } from '#fields/flag'
import { later } from '#fields/instant'
import type { Filter } from '#store/select'

/** What filters are read of, and who reads; `errors` are what kinds find inside of a value. */
export interface Reading {
  record: RecordType
  worker: Worker | undefined
  errors: FieldError[]
}

/** Values of one filter. */
const MAX_VALUES = 1000

/** The rows in which a field has a value, or that a parameter of the record's own means. @throws ValidationError */
export function readFilter(reading: Reading, name: string, value: string): Filter[] {
  const { record } = reading
  const own = Object.hasOwn(record.filters ?? {}, name) ? record.filters?.[name] : undefined
  if (own) return readOwnFilter(reading, own, value)
  const field = listField(reading, name)
  if (field.kind === 'ids') return [{ field: name, op: 'has', value: parse(reading, name, field, value) }]
  if (field.shape !== 'leaf')
    throw new ValidationError('unknown', `is not a field of ${record.plural} to search by`, {
      params: { of: record.plural },
    })
  if (value === '') return [{ field: name, op: 'null' }]
  const typed = parse(reading, name, field, value)
  if (field.column !== 'instant') return [{ field: name, op: '=', value: field.save(typed) }]
  // Instants are shown in whole seconds, so the second is what was meant.
  const second = `${String(typed).slice(0, 19)}.000Z`
  return [
    { field: name, op: '>=', value: second },
    { field: name, op: '<', value: later(second, 1000) },
  ]
}

/** Those with one of several values; an empty one stands for those that have none. @throws ValidationError */
export function readFilterOfAny(reading: Reading, name: string, values: string[]): Filter {
  if (values.length > MAX_VALUES)
    throw new ValidationError('too_many', `has too many values (maximum is ${MAX_VALUES})`, {
      params: { max: MAX_VALUES },
    })
  const field = listField(reading, name)
  if (field.kind === 'ids')
    return { field: name, op: 'has', value: values.flatMap((value) => parse(reading, name, field, value)) }
  if (field.shape !== 'leaf' || !['integer', 'uuid', 'text'].includes(field.column ?? ''))
    throw new ValidationError('unknown', `is not a field of ${reading.record.plural} that takes several values`, {
      params: { of: reading.record.plural },
    })
  const said = values.filter((value) => value !== '').map((value) => field.save(parse(reading, name, field, value)))
  return { field: name, op: said.length < values.length ? 'in or null' : 'in', value: said }
}

/** @throws ValidationError */
export function readFilterOfIds(reading: Reading, ids: string[]): Filter {
  const field = listField(reading, 'id')
  return { field: 'id', op: 'in', value: ids.map((id) => parse(reading, 'id', field, id)) }
}

/** Of several fields, the first that the value fits. */
function readOwnFilter(
  reading: Reading,
  { fields: names, op }: NonNullable<RecordType['filters']>[string],
  value: string,
): Filter[] {
  if (op === 'none') {
    const is = plainBoolean(value)
    if (is === null) throw new ValidationError('invalid', 'must be true or false')
    for (const name of names) readableField(reading, name)
    return [{ field: names[0] ?? '', fields: names, op: is ? 'none given' : 'some given' }]
  }
  for (const [i, name] of names.entries()) {
    const field = readableField(reading, name)
    try {
      return [{ field: name, op, value: field.save(parse(reading, name, field, value)) }]
    } catch (error) {
      if (i === names.length - 1) throw error
    }
  }
  return []
}

function parse({ errors }: Reading, name: string, field: Field<unknown>, value: Raw) {
  if (value instanceof InvalidLiteral) throw validationError.invalid()
  const parsed = field.parse(value, { path: name, errors })
  if (isNil(parsed)) throw validationError.blank()
  return parsed
}

/** A field that lists may be filtered or sorted by. @throws ValidationError for one that the reader isn't told */
export function listField(reading: Reading, name: string): Field<unknown> {
  const { record } = reading
  const found = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined
  if (!found || found.internal || found.writeOnly || (found.shape !== 'leaf' && !found.through)) throw unknown(reading)
  return readableField(reading, name)
}

/** A field of the record, also of those that no list shows. @throws ValidationError for one that the reader isn't told */
export function readableField(reading: Reading, name: string): Field<unknown> {
  const found = fieldNamed(reading.record.fields, name)
  if (!isReadableOfAll(found, reading.worker)) throw unknown(reading)
  return found
}

const unknown = (reading: Reading) =>
  new ValidationError('unknown', `is not a field of ${reading.record.plural}`, {
    params: { of: reading.record.plural },
    remedy: oneOf('Name', scalarNames(reading)),
  })

/** What can be filtered and sorted by. */
export const scalarNames = ({ record, worker }: Reading): string[] =>
  Object.entries(record.fields).flatMap(([name, of]) => {
    const isScalar = !of.internal && !of.writeOnly && of.shape === 'leaf' && of.kind !== 'ids'
    return isScalar && isReadableOfAll(of, worker) ? [name] : []
  })

/** Finds a text in those text fields of a record that the reader is told. */
export function textFilter(record: RecordType, value: string, worker: Worker | undefined): Filter {
  const fields = record.search.filter((name) => isReadableOfAll(fieldNamed(record.fields, name), worker))
  return { field: fields[0] ?? 'id', fields, op: 'like', value }
}
