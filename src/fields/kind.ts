/**
 * What a field can be. A kind is one object that knows everything about a sort of field: how it is kept in a column,
 * read from a wire, written to one, and described in OpenAPI. Formats and store switch on the six shapes below and not on kinds; lists ask for `ids`, whose columns are
 * tables, and the client has an input for each kind (`web/ui/fields`).
 */

/** A value as it came in, before a field has looked at it. Numbers, booleans and lists come typed, the rest as text. */
export type Raw = null | string | number | bigint | boolean | InvalidLiteral | Raw[] | RawObject
export interface RawObject {
  [name: string]: Raw
}

/** A leaf that says its type and does not keep to it: `<v type="integer">abc</v>`. It is that field's fault, later. */
export class InvalidLiteral {
  readonly type: string
  readonly text: string
  constructor(type: string, text: string) {
    this.type = type
    this.text = text
  }
}

/** One thing wrong with a request. `message` is a sentence without its subject: `can't be blank`. */
export interface FieldError {
  field: string
  code: string
  message: string
  /** What would mend it, where that isn't obvious. */
  remedy?: string
  /** What the sentence is made with beside the code: `{ max: 255 }`, so that it can be said in other languages. */
  params?: Params
  /** What the item of a list is called that it is about, for the sentence. */
  item?: string
}

export interface Params {
  [name: string]: string | number | readonly string[]
}

/** Thrown by `parse` for a single value; the reader adds the field's path. */
export class ValidationError extends Error {
  readonly code: string
  readonly remedy: string | undefined
  readonly params: Params | undefined
  constructor(code: string, message: string, { remedy, params }: Pick<FieldError, 'remedy' | 'params'> = {}) {
    super(message)
    this.code = code
    this.remedy = remedy
    this.params = params
  }
}

export const validationError = {
  blank: () => new ValidationError('blank', "can't be blank"),
  taken: () => new ValidationError('taken', 'has already been taken'),
  /** `remedy` says what it should look like. */
  invalid: (remedy?: string) => new ValidationError('invalid', 'is invalid', remedy === undefined ? {} : { remedy }),
  notInList: (list: readonly string[]) =>
    new ValidationError('inclusion', 'is not included in the list', { params: { list }, remedy: oneOf('Say', list) }),
  notNumber: () => new ValidationError('not_a_number', 'is not a number'),
  notInteger: () => new ValidationError('not_an_integer', 'must be an integer'),
  tooLong: (max: number) =>
    new ValidationError('too_long', `is too long (maximum is ${max} characters)`, { params: { max } }),
  tooSmall: (min: number) =>
    new ValidationError('greater_than_or_equal_to', `must be greater than or equal to ${min}`, { params: { min } }),
  tooLarge: (max: number) =>
    new ValidationError('less_than_or_equal_to', `must be less than or equal to ${max}`, { params: { max } }),
  disabled: (what: string) => new ValidationError('disabled', `${what} is disabled`, { params: { what } }),
  unknown: (id: number | string) => new ValidationError('not_found', `${id} does not exist`, { params: { id } }),
  tooMany: (max: number) =>
    new ValidationError('too_many', `has too many items (maximum is ${max})`, { params: { max } }),
}

/** `Say one of a, b, c`; of a long list its beginning. */
export const oneOf = (verb: string, list: readonly string[]) =>
  `${verb} one of ${list.slice(0, MAX_NAMED).join(', ')}${list.length > MAX_NAMED ? ' …' : ''}`

/** Values that a remedy names. */
const MAX_NAMED = 50

/** Items that a list of a request has at most, unless its field says otherwise. */
export const MAX_ITEMS = 1000

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
  /** Who reads as a worker, and is not told all. */
  worker?: Worker | undefined
  /** What was asked for beside a record's own fields: what the reader may do with it, its revision; in JSON only. */
  added?: ((row: RawRow) => { [name: string]: unknown }) | undefined
}

/** Who reads records of a type as a worker: only their own, and of these not every field. */
export interface Worker {
  id: number | null
  permissions: { readonly [permission: string]: string }
}

/** What a structure's own fields can't say: sets what follows, and tells what is wrong with it as a whole. */
export type Normalize<F extends Fields = Fields> = (
  value: Values<F>,
  before: Values<F> | null,
) => undefined | [field: keyof F & string, wrong: ValidationError][]

/** Where a reader is: the path so far, and the list that faults go to. */
export interface ParseContext {
  path: string
  errors: FieldError[]
}

// biome-ignore lint/suspicious/noExplicitAny: a list of fields holds fields of every type; Row and Draft give the types back
export type Fields = Record<string, Field<any>>

export interface Options<T> {
  about?: string
  /** Can't be blank. */
  required?: true
  /** No two living records of an account share it. */
  unique?: true
  /** The largest number, the most characters of a text, the most items of a list. */
  max?: number
  min?: number
  default?: T
  /** Carries `readonly="readonly"` on the wire; exactly where the contract marks it. */
  readonly?: true
  /** Set by the server; ignored when it comes in. What it notes by itself is nobody's work: an undo looks past it. */
  server?: true | 'noted'
  /** Kept, and never on a wire. */
  internal?: true
  /** Shown in the answer that made the record, and never again; goes with `internal`. */
  showOnce?: true
  /** Read, and never written. */
  writeOnly?: true
  /** Read for a rule to act on, and not kept itself. */
  virtual?: true
  /** Changed by the server past the journal, and leaves `updated_at` as it is. */
  unjournaled?: true
  /** Written without a `type` attribute, though its kind has one. */
  untyped?: true
  /** Of a part: where there is none, it is written as an object of nils, which means the same when it comes in. */
  neverNil?: true
  /** Often filtered or sorted by: gets an index. */
  index?: true
  /** A worker may change it on what is their own; with this permission, where one is named. */
  workerEditable?: true | 'mobile_jobs_assign'
  /**
   * Of those who read a record as a worker, who is told: only the person that it is of, or those with this permission.
   * Nobody else can filter, sort or search by it, or say it in a draft. Who reads the record in the office is told all.
   */
  workerReadable?: 'self' | 'mobile_invoice'
  /** What a phone gets of the items, which have ids. */
  redactForWorker?(items: RawRow[]): RawRow[]
  /** Written only where this holds for what it stands in: an image field carries `attachment_id`, others don't. */
  onlyWhen?: (row: RawRow) => boolean
}

export interface Field<T> extends Options<T> {
  kind: string
  shape: Shape
  /** The column's type, or null where nothing is kept in the record's own row. */
  column: Column | null
  /** The `type` attribute. */
  type?: string
  /** Reads a value that isn't nil. Throws a `ValidationError`; structures report into `context` instead and return what they could. */
  parse(raw: Raw, context: ParseContext): T
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
  normalize?(value: RawRow, before: RawRow | null): undefined | [field: string, wrong: ValidationError][]
  /** Digested before the transaction begins, since that takes time; journaled as changed and no more. */
  secret?: true
  /** Unique without regard to case. */
  caseless?: true
  /** Filled as the record is written: ids and stamps. */
  auto?: 'id' | 'uuid' | 'account' | 'author' | 'created' | 'updated' | 'revision'
}

// biome-ignore lint/suspicious/noExplicitAny: a row whose record isn't known here
export type RawRow = Record<string, any>

/** What fields hold. */
export type Values<F extends Fields> = { -readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** What a caller sent of something, at any depth: what is absent stays as it is, and nil clears. */
export type Sent<T> = T extends (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [K in keyof T]?: Sent<T[K]> | null }
    : T

/** What options make of a kind: a value may be nil unless it is required or has a default; what isn't shown says so. */
export type FieldOf<T, O> = Field<O extends { required: true } | { default: unknown } ? T : T | null> &
  Pick<O, keyof O & ('internal' | 'writeOnly')>

/** A field of a kind. What its options say goes before what the kind does. */
export const fieldOf = <T, const O extends Options<Partial<T>>>(
  kind: Field<T>,
  options: O | undefined,
): FieldOf<T, O> => ({ ...kind, ...options }) as unknown as FieldOf<T, O>

/** A raw leaf as text: what a text field keeps of a value that came typed. */
export function asText(raw: Raw): string {
  // JSON can spell half a character, which neither XML nor PostgreSQL can hold.
  if (typeof raw === 'string') return raw.toWellFormed()
  if (typeof raw === 'number' || typeof raw === 'bigint' || typeof raw === 'boolean') return String(raw)
  throw validationError.invalid()
}

export const isObject = (raw: unknown): raw is RawObject =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof InvalidLiteral)

/** A field of which its name is known to be one of these. */
export function fieldNamed(fields: Fields, name: string): Field<unknown> {
  const field = fields[name]
  if (!field) throw new TypeError(`There is no field ${name}`)
  return field
}

export const isNil = (value: unknown): value is null | undefined => value === null || value === undefined
