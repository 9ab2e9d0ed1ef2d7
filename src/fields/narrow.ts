import type { RawRow } from './kind.ts'

/** What the types can't tell of a value is asked of the value itself. */

/** A value that must be there: an item whose index is known, or what has a name of the list. Without it there is a bug of ours. */
export function present<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new TypeError('A value that must be there is missing')
  return value
}

/** The names in an object that has no others than its type says. */
export const namesOf = <T extends object>(of: T) => Object.keys(of) as (keyof T & string)[]

/** An object with a value for each of these names. */
export const eachNamed = <Name extends string, V>(names: readonly Name[], make: (name: Name) => V) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as { [name in Name]: V }

const isRow = (value: unknown): value is RawRow => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that is an object, as rows and parts are; empty for what is none. */
export const rowIn = (value: unknown): RawRow => (isRow(value) ? value : {})

/** The items of a list; none where there is no list. */
export const rowsIn = (value: unknown): RawRow[] => (Array.isArray(value) ? value : [])
