import {
  type Field,
  type FieldError,
  type Fields,
  InvalidLiteral,
  isObject,
  type ParseContext,
  type Raw,
  type RawRow,
  type Sent,
  ValidationError,
  type Values,
  validationError,
} from './kind.ts'
import { literalError } from './number.ts'

/**
 * Reads what a client sent into the fields of a description, with all faults at once. What is absent stays absent,
 * what is nil becomes the default or null, what the server sets and what nobody knows is ignored.
 */
export function readFields<F extends Fields>(fields: F, raw: Raw, context: ParseContext): Sent<Values<F>> {
  const row: RawRow = {}
  if (!isObject(raw))
    context.errors.push(
      fieldError(context.path, validationError.invalid(`Say an object with fields such as ${said(fields)}`)),
    )
  else
    for (const name in fields) {
      const field = fields[name]
      const value = raw[name]
      if (!field || value === undefined || !Object.hasOwn(raw, name) || field.internal) continue
      // Inside a structure an id says which item is meant; at the top the address does.
      if (field.server && (name !== 'id' || context.path === '')) continue
      try {
        if (value instanceof InvalidLiteral) throw literalError(value)
        row[name] =
          value === null || isNothing(field, value)
            ? clearedValue(field)
            : field.parse(value, field.shape === 'leaf' ? context : { ...context, path: at(name, context) })
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
        if (!field.server) context.errors.push(fieldError(at(name, context), error))
      }
    }
  return row as Sent<Values<F>>
}

/** Some of the fields that a caller may say. */
const said = (fields: Fields) =>
  Object.keys(fields)
    .filter((name) => !fields[name]?.server && !fields[name]?.internal)
    .slice(0, 5)
    .join(', ')

const at = (name: string, { path }: ParseContext) => (path === '' ? name : `${path}.${name}`)

/** An empty text says something of free text only: nobody means it as a number, or as an id of their own. */
const isNothing = ({ kind, unique }: Field<unknown>, value: Raw) => value === '' && (kind !== 'text' || unique === true)

/** What nil makes of a field; a part that has a default begins anew from it when the row is completed. */
const clearedValue = (field: Field<unknown>) => (field.shape === 'part' ? null : (field.default ?? null))

export const fieldError = (field: string, { code, message, remedy, params }: ValidationError): FieldError => ({
  field,
  code,
  message,
  ...(remedy !== undefined && { remedy }),
  ...(params !== undefined && { params }),
})
