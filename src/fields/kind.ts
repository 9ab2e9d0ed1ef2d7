/**
 * What a field can be. A kind is one object that knows everything about a sort of field: how it is kept in a column,
 * read from a wire, written to one, and described in OpenAPI. Nobody else switches on kinds; formats and store
 * know the six shapes below.
 */

/** A value as it came in, before a field has looked at it. Numbers, booleans and lists come typed, the rest as text. */
export type Raw = null | string | number | bigint | boolean | Bad | Raw[] | RawObject
export interface RawObject {
  [name: string]: Raw
}

/** A leaf that says its type and does not keep to it: `<v type="integer">abc</v>`. It is that field's fault, later. */
export class Bad {
  readonly type: string
  readonly text: string
  constructor(type: string, text: string) {
    this.type = type
    this.text = text
  }
}

/** One thing wrong with a request. `message` is a sentence without its subject: `can't be blank`. */
export interface Fault {
  field: string
  code: string
  message: string
  /** What would mend it, where that isn't obvious. */
  remedy?: string
  /** What the item of a list is called that it is about, for the sentence. */
  item?: string
}

/** Thrown by `parse` for a single value; the reader adds the field's path. */
export class Wrong extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const wrong = {
  blank: () => new Wrong('blank', "can't be blank"),
  taken: () => new Wrong('taken', 'has already been taken'),
  invalid: () => new Wrong('invalid', 'is invalid'),
  notInList: () => new Wrong('inclusion', 'is not included in the list'),
  notNumber: () => new Wrong('not_a_number', 'is not a number'),
  notInteger: () => new Wrong('not_an_integer', 'must be an integer'),
  tooLong: (max: number) => new Wrong('too_long', `is too long (maximum is ${max} characters)`),
  tooSmall: (min: number) => new Wrong('greater_than_or_equal_to', `must be greater than or equal to ${min}`),
  tooLarge: (max: number) => new Wrong('less_than_or_equal_to', `must be less than or equal to ${max}`),
  disabled: (what: string) => new Wrong('disabled', `${what} is disabled`),
  unknown: (id: number | string) => new Wrong('not_found', `${id} does not exist`),
}

export type Column = 'text' | 'integer' | 'decimal' | 'boolean' | 'instant' | 'json' | 'uuid'

/**
 * leaf: one value · list: several of one leaf · part: an object kept inside its record · array: child objects kept inside their record ·
 * links: other records, kept as pairs of ids · records: child records with a table and addresses of their own.
 */
export type Shape = 'leaf' | 'list' | 'part' | 'array' | 'links' | 'records'

/** How a record writes its instants (the contract has three styles): `…Z`, `…+00:00`, or `YYYY-MM-DD HH:MM:SS UTC`. */
export type Times = 'zulu' | 'offset' | 'plain'

/** What printing depends on beside the value: the account's time zone, for instants in the plain style. */
export interface Printing {
  zone: string
  /** For a worker's app: without what is hidden from it. */
  phone?: boolean
  /** What the reader may do with a record, where it was asked for; in JSON only. */
  can?: ((row: RawRow) => { [ability: string]: boolean }) | undefined
}

export type Settle = (value: RawRow, before: RawRow | null) => undefined | [field: string, wrong: Wrong][]

/** Where a reader is: the path so far, and the list that faults go to. */
export interface Place {
  path: string
  faults: Fault[]
}

// biome-ignore lint/suspicious/noExplicitAny: a list of fields holds fields of every type; Row and Draft give the types back
export type Fields = Record<string, Field<any>>

export interface Options<T> {
  about?: string
  /** Can't be blank. */
  required?: true
  /** No two living records of an account share it. */
  unique?: true
  max?: number
  min?: number
  default?: T
  /** Carries `readonly="readonly"` on the wire; exactly where the contract marks it. */
  readonly?: true
  /** Set by the server; ignored when it comes in. */
  server?: true
  /** Kept, and never on a wire. */
  internal?: true
  /** Shown in the answer that made the record, and never again; goes with `internal`. */
  once?: true
  /** Read, and never written. */
  writeOnly?: true
  /** Read for a rule to act on, and not kept itself. */
  virtual?: true
  /** Changed by the server past the journal, and leaves `updated_at` as it is. */
  quiet?: true
  /** Written without a `type` attribute, though its kind has one. */
  untyped?: true
  /** Often filtered or sorted by: gets an index. */
  index?: true
  /** A worker may change it on what is his own; with this permission, where one is named. */
  phone?: true | 'mobile_jobs_assign'
  /** What a phone gets of the items, which have ids. */
  onPhone?: (items: RawRow[]) => RawRow[]
  /** Written only where this holds for what it stands in: an image field carries `attachment_id`, others don't. */
  only?: (row: RawRow) => boolean
}

export interface Field<T> extends Options<T> {
  kind: string
  shape: Shape
  /** The column's type, or null where nothing is kept in the record's own row. */
  column: Column | null
  /** The `type` attribute. */
  type?: string
  /** Reads a value that isn't nil. Throws `Wrong`; structures report into `place` instead and return what they could. */
  parse(raw: Raw, place: Place): T
  /** Text as XML has it, unescaped. Only for leaves. */
  text(value: NonNullable<T>, times: Times, printing: Printing): string
  /** The JSON twin's value. */
  json(value: NonNullable<T>): unknown
  load(stored: unknown): T
  save(value: NonNullable<T>): string | number
  schema: Record<string, unknown>
  /** For the contract suite: what must survive print and parse, load and save; and what must be refused. */
  samples: { good: unknown[]; bad: Raw[] }

  /** The record that an id (or a list of ids, or a child) belongs to. */
  target?: string
  /** The table of pairs that keeps links. */
  through?: string
  /** Fields of a part, of an array's items, or of what a link says beside the id. */
  fields?: Fields
  /** Name of an array's child element. */
  child?: string
  /** The style of a child record's instants, where it has its own. */
  times?: Times | undefined
  /** How the items of an array find what they replace on update. */
  match?: string[]
  /** A value looked up through a reference of the same record: [reference, field there]. */
  lookup?: [reference: string, field: string]
  /** Completes a structure, once it is known what was there before, and says what is wrong with it as a whole. */
  settle?: Settle
  /** Digested before the transaction begins, since that takes time; journaled as changed and no more. */
  secret?: true
  /** Unique without regard to case. */
  caseless?: true
  /** Filled as the record is written: ids and stamps; `parent` is the id of the record that a child object stands in. */
  auto?: 'id' | 'uuid' | 'account' | 'author' | 'parent' | 'created' | 'updated'
}

// biome-ignore lint/suspicious/noExplicitAny: a row whose record isn't known here
export type RawRow = Record<string, any>

/** A value may be nil unless its field is required or has a default. */
export type Maybe<T, O> = O extends { required: true } | { default: unknown } ? T : T | null

/** A raw leaf as text: what a text field keeps of a value that came typed. */
export function asText(raw: Raw): string {
  // JSON can spell half a character, which neither XML nor PostgreSQL can hold.
  if (typeof raw === 'string') return raw.toWellFormed()
  if (typeof raw === 'number' || typeof raw === 'bigint' || typeof raw === 'boolean') return String(raw)
  throw wrong.invalid()
}

export const isObject = (raw: unknown): raw is RawObject =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Bad)
