import type { Fault, Printing, RawObject, RawRow, RecordType } from '#fields'

/** Levels of a body, in either format: more is no record, and a program that goes down them would come to its end. */
export const MOST_LEVELS = 100

/** The numbers that a list carries. */
export interface Paging {
  current_page: number
  per_page: number
  total_pages: number
  total_entries: number
}

/** The name a record goes by on a wire: its own, or its alias. */
export interface Naming {
  name: string
  plural: string
}

/** What is printed: a record, or a part of one under a name of its own. */
export type Printable = Pick<RecordType, 'name' | 'fields' | 'times'>

/** One way a record can look on a wire. Everything is compiled from the description, once. */
export interface Format {
  name: 'xml' | 'json'
  contentType: string
  /** Media types of bodies that it reads. */
  reads: string[]
  /**
   * Reads the fields that a body has for a record, under any of its names. With `list`, the root may hold several,
   * which are then given under its name.
   * @throws Problem malformed (400)
   */
  read(body: Buffer, charset: string | null, roots: string[], list?: 'list'): RawObject
  one(record: Printable, naming: Pick<Naming, 'name'>): (row: RawRow, printing: Printing, warnings?: Fault[]) => string
  list(record: Printable, naming: Naming): (rows: RawRow[], paging: Paging, printing: Printing) => string
}
