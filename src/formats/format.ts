import type { FieldError, Printing, RawObject, RawRow, RecordType } from '#fields'

/** Levels of a body, in either format: more is no record, and a program that goes down them would come to its end. */
export const MAX_LEVELS = 100

/** The numbers that a list carries. */
export interface Paging {
  current_page: number
  per_page: number
  /** Left out where nobody wants to know. */
  total_pages?: number
  total_entries?: number
  /** Of a walk by ids, and where there is no total: whether there are entries after these. */
  more?: boolean
}

/** The name a record goes by on a wire: its own, or its alias. */
export interface WireNames {
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
  one(
    record: Printable,
    wireName: Pick<WireNames, 'name'>,
  ): (row: RawRow, printing: Printing, warnings?: FieldError[]) => string
  list(record: Printable, wireNames: WireNames): (rows: RawRow[], paging: Paging, printing: Printing) => string
}
