import {
  type FieldError,
  type Fields,
  fieldError,
  isObject,
  type Raw,
  type RawRow,
  readFields,
  ValidationError,
  validationError,
} from '#fields'
import type { ApiRequest } from './request.ts'

/**
 * What the writer of a body saw, as far as it says: `{"job": {"notes": "B"}, "base": {"notes": "A"}}`. Null for none. JSON only,
 * and after the record beside it has been read.
 */
export function readBase({ format, body }: ApiRequest, fields: Fields, errors: FieldError[]): RawRow | null {
  if (format.name !== 'json' || !body.includes('"base"')) return null
  const document: Raw = JSON.parse(body.toString())
  if (!isObject(document) || !Object.hasOwn(document, 'base')) return null
  const base = document.base ?? null
  if (base === null) return null
  for (const name of isObject(base) ? Object.keys(base) : [])
    if (fields[name]?.shape === 'array')
      errors.push(
        fieldError(
          `base.${name}`,
          new ValidationError('not_for_lists', 'is a list, which has no base', {
            remedy: 'Change each item at its own address',
          }),
        ),
      )
  if (isObject(base)) return readFields(fields, base, { path: 'base', errors })
  errors.push(fieldError('base', validationError.invalid('Say an object with the fields as they were seen')))
  return null
}
