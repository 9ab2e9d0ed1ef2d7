import {
  Bad,
  type Fault,
  type Field,
  type Fields,
  isObject,
  type Place,
  type Raw,
  type RawRow,
  Wrong,
  wrong,
} from './kind.ts'
import { faultOf } from './number.ts'

/**
 * Reads what a client sent into the fields of a description, with all faults at once. What is absent stays absent,
 * what is nil becomes the default or null, what the server sets and what nobody knows is ignored.
 */
export function readFields(fields: Fields, raw: Raw, place: Place): RawRow {
  const row: RawRow = {}
  if (!isObject(raw)) {
    place.faults.push(faultAt(place.path, wrong.invalid()))
    return row
  }
  for (const name in fields) {
    const field = fields[name]
    const value = raw[name]
    if (!field || value === undefined || !Object.hasOwn(raw, name) || field.internal) continue
    // Inside a structure an id says which item is meant; at the top the address does.
    if (field.server && (name !== 'id' || place.path === '')) continue
    try {
      if (value instanceof Bad) throw faultOf(value)
      row[name] =
        value === null || isNothing(field, value)
          ? cleared(field)
          : field.parse(value, field.shape === 'leaf' ? place : { ...place, path: at(name, place) })
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      if (!field.server) place.faults.push(faultAt(at(name, place), error))
    }
  }
  return row
}

const at = (name: string, { path }: Place) => (path === '' ? name : `${path}.${name}`)

/** An empty text says something of free text only: nobody means it as a number, or as an id of his own. */
const isNothing = ({ kind, unique }: Field<unknown>, value: Raw) => value === '' && (kind !== 'text' || unique === true)

/** What nil makes of a field; a part that has a default begins anew from it when the row is completed. */
const cleared = (field: Field<unknown>) => (field.shape === 'part' ? null : (field.default ?? null))

export const faultAt = (field: string, error: Wrong): Fault => ({ field, code: error.code, message: error.message })
