import type { Fields, RecordType } from '#fields'
import type { WireNames } from '../format.ts'
import type { Schema } from './schema.ts'

/** As much of the server's table of routes as the document is made from. */
export interface DescribedRoute {
  /** `/messaging/{thread_id}/messages/{id}` */
  path: string
  record: RecordType
  wireNames: WireNames
  /** Only records with this flag, and what is given to those created here: an alias. */
  alias?: RecordType['alias']
  /** Methods that it has. */
  methods: { [method: string]: unknown }
  /** What it shows, when that isn't the record. */
  responseSchema?: { about: string; fields: Fields; json?: Schema; undoFields?: Fields }
  /** GET answers a list of what it shows. */
  isList?: true
  /** Methods that need neither key nor session. */
  publicMethods?: string[]
  /** What the reference says of a method, where that doesn't follow from the record. */
  docs?: { [method: string]: OperationDoc }
  /** The only extension it has, when it isn't a format's: an image. */
  extension?: string
  /** Pixels a side that an image may be asked for with. */
  sizes?: readonly number[]
}

/** What a method that was written by hand says of itself. */
export interface OperationDoc {
  /** Its operationId; the summary is made from it. */
  id: string
  about: string
  /** The root and the fields of its body. */
  body?: { name: string; fields: Fields }
  /** Its body, where that comes in JSON only. */
  accepts?: Schema
  /** What a form may say beside the part `file`. */
  form?: Fields
  /** What a 422 of its own looks like in JSON, beside the usual errors. */
  refusal?: Schema
  /** It shows what is shown once. */
  showsOnce?: true
  /** What every write takes, where this one does. */
  writes?: readonly ('dry_run' | 'idempotency_key' | 'device' | 'made_at' | 'if_match')[]
  /** What its query may say. */
  query?: { [parameter: string]: Schema & { description: string } }
  /** Media types of a body that is a file. */
  consumes?: string[]
  /** The media type of a file that it answers. */
  produces?: string
  /** What it answers, where that comes in JSON only. */
  response?: Schema
  /** By status, what else it may answer: a list. */
  also?: { [status: string]: { description: string; of: WireNames; fields: Fields } }
}
