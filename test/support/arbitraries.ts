import fc from 'fast-check'
import type { Field, Fields, RawRow } from '#fields'
import { isSent, isShown } from './builders.ts'

/** Values as they are kept, of every kind of field: what a record may hold that a caller has sent. */

/** Text that XML can hold and that isn't blank, which is nil there. */
const words = (max: number) =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: Math.min(max, 40) })
    .map((text) => text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '') || 'x')
    .map((text) => (text.trim() === '' ? `${text.slice(1)}x` : text))

const digits = fc.stringMatching(/^(0|[1-9]\d{0,15})$/)
const decimals = fc
  .tuple(fc.boolean(), digits, fc.stringMatching(/^(0|\d{0,8}[1-9])$/))
  .map(([minus, whole, fraction]) => `${minus && /[1-9]/.test(whole + fraction) ? '-' : ''}${whole}.${fraction}`)

const seconds = fc
  .integer({ min: -62_135_596_800, max: 253_402_300_799 })
  .map((second) => new Date(second * 1000).toISOString())

const ids = fc.uniqueArray(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 5 })

const leaves: { [kind: string]: (field: Field<unknown>) => fc.Arbitrary<unknown> } = {
  text: ({ max = 65_535 }) => words(max),
  email: () => fc.stringMatching(/^[a-z0-9.+]{1,9}@[a-z0-9-]{1,9}\.com$/),
  link: () => fc.webUrl({ withQueryParameters: true, withFragments: true }),
  secret: () => words(100),
  any: () => fc.oneof(words(20), fc.boolean(), fc.integer()),
  time_of_day: () => fc.stringMatching(/^([01]\d|2[0-3]):[0-5]\d$/),
  day: () =>
    fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  choice: ({ schema }) => fc.constantFrom(...(schema.enum as string[])),
  price: () => fc.stringMatching(/^-?(\d{1,9}|\d{1,9}\.\d{1,4}|\.\d{1,4})$/),
  flag: () => fc.boolean(),
  instant: () => seconds,
  uuid: () => fc.uuid(),
  ids: () => ids.map((list) => list.sort((a, b) => a - b)),
  integer: ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) => fc.integer({ min, max }),
  decimal: ({ min, max }) =>
    min === undefined && max === undefined
      ? decimals
      : fc
          .integer({ min: (min ?? -1e6) * 10, max: (max ?? 1e6) * 10 })
          .map((tenths) => (tenths / 10).toFixed(1).replace(/^-0\.0$/, '0.0')),
}
leaves.id = leaves.integer as (typeof leaves)[string]
leaves.ref = ({ column }) => (column === 'uuid' ? fc.uuid() : fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))

function anyValueOf(field: Field<unknown>): fc.Arbitrary<unknown> {
  const { fields = {}, shape } = field
  if (shape === 'list') return fc.array(words(40), { maxLength: 4 })
  if (shape === 'part') return rowOf(fields)
  if (shape !== 'leaf') return fc.array(rowOf(fields), { maxLength: 3 })
  const make = leaves[field.kind]
  if (!make) throw new Error(`no values for the kind ${field.kind}`)
  return make(field)
}

/** Rows of a description: of each field a value, or nil where that is allowed. */
export function rowOf(fields: Fields): fc.Arbitrary<RawRow> {
  return fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const value = field.server || field.internal || field.auto ? serverValue(name, field) : anyValueOf(field)
        const mayBeNil = !field.required && field.default === undefined && ['leaf', 'part'].includes(field.shape)
        return [name, mayBeNil ? fc.option(value, { nil: null, freq: 4 }) : value]
      }),
    ),
    { noNullPrototype: true },
  )
}

/** What the server sets has to be printed, and is not read again; but for the ids of what stands in a structure. */
function serverValue(name: string, field: Field<unknown>): fc.Arbitrary<unknown> {
  if (name === 'id' || field.required) return anyValueOf(field)
  return fc.option(anyValueOf(field), { nil: null })
}

/** What a reader should make of a row that was printed: all that a caller may send, and the ids inside of structures. */
export function readOf(fields: Fields, row: RawRow, inside = false): RawRow {
  const result: RawRow = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!isShown(field) || (field.onlyWhen && !field.onlyWhen(row))) continue
    if (!isSent(field) && !(inside && name === 'id')) continue
    const value = row[name] ?? (field.neverNil ? {} : null)
    if (value === null) result[name] = field.shape === 'part' ? null : (field.default ?? null)
    else if (field.shape === 'part') result[name] = readOf(field.fields ?? {}, value, true)
    else if (['array', 'links', 'records'].includes(field.shape))
      result[name] = value.map((item: RawRow) => readOf(field.fields ?? {}, item, true))
    else result[name] = value
  }
  return result
}
