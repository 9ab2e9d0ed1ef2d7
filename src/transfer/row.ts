import { hash } from 'node:crypto'
import {
  type Field,
  type FieldError,
  type Fields,
  fieldError,
  fieldNamed,
  memoize,
  type RawObject,
  type RawRow,
  type RecordType,
  readFields,
  ValidationError,
  validationError,
} from '#fields'
import { invalid } from '#problem'
import { idFor } from '#rules/past'
import type { MutationContext } from '#rules/rule'
import type { Tx } from '#store/store'
import type { ImportRun } from './import-run.ts'
import type { Outcome } from './report.ts'
import { isFile, isSettable, parentsOf } from './selection.ts'

type Id = number | string

/** What became of a row: its id here, and references that were left out. */
interface RowResult {
  outcome: Exclude<Outcome, 'refused'>
  id: Id
  dangling: string[]
}

/**
 * Keeps one row of a file, through the door of every write: what it is already is updated, else it is made.
 * @throws Problem with all that is wrong with it
 */
export async function importRow(one: ImportRun, record: RecordType, raw: RawObject): Promise<RowResult> {
  const { mutations, call, archive } = one
  const errors: FieldError[] = []
  const draft = readFields(readable(record), raw, { path: '', errors })
  const theirs = saidOf<Id>(record, 'id', raw, errors)
  const madeAt = archive && saidOf<string>(record, 'created_at', raw, errors)
  const key = keyOf(one, record, raw, theirs)
  if (archive && isFile(record) && !archive.files.has(String(draft.sha256)))
    errors.push(fieldError('sha256', new ValidationError('no_file', 'names a file that the archive does not have')))

  const read = errors.length
  let dangling: string[] = []
  const { row, event } = await mutations.execute(call, {
    record,
    action: 'create',
    errors,
    ...(archive && { imported: true as const }),
    target: (tx) => findExisting(tx, one, record, theirs, key, draft),
    draft: async (before, context) => {
      // It may be run again.
      errors.length = read
      dangling = []
      const row = await mapReferences(context, one, record, draft, errors, dangling)
      // When it was made elsewhere; what it says of the future is not believed.
      if (madeAt && before.id === undefined && madeAt < call.now) row.created_at = madeAt
      return row
    },
    async alsoWrite({ id }, tx) {
      if (key) await tx.saveImported(record.name, key, id)
    },
  })
  const outcome = event === null ? 'unchanged' : event.action === 'create' ? 'created' : 'updated'
  return { id: row.id, outcome, dangling }
}

/** The fields that a row may say; a parent is one of them, which elsewhere the address names. */
const readable = memoize((record: RecordType): Fields => {
  const parents = parentsOf(record)
  const said = Object.entries(record.fields).filter(([name, field]) => isSettable(record, name, field))
  return Object.fromEntries(
    said.map(([name, field]) => [name, parents.includes(name) ? { ...field, server: undefined } : field]),
  ) as Fields
})

/** What a row says of a field that only the server sets. */
function saidOf<T>(record: RecordType, name: string, raw: RawObject, errors: FieldError[]): T | null {
  const field = record.fields[name]
  const value = raw[name] ?? ''
  if (!field || value === '') return null
  try {
    return field.parse(value, { path: name, errors })
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    errors.push(fieldError(name, error))
    return null
  }
}

/** Under which a row is known again: its id elsewhere; or what it says, where that is all there is to know it by. */
function keyOf(one: ImportRun, record: RecordType, raw: RawObject, id: Id | null): string | null {
  if (id !== null) return one.archive ? theirKey(one, id) : null
  if (uniques(record).some(([name]) => raw[name] !== undefined && raw[name] !== null && raw[name] !== '')) return null
  const digest = hash('sha256', JSON.stringify(Object.entries(raw).sort(([a], [b]) => (a < b ? -1 : 1))), 'base64url')
  const times = (one.repeated.get(digest) ?? 0) + 1
  one.repeated.set(digest, times)
  return `row ${digest} ${times}`
}

const theirKey = ({ source }: ImportRun, id: Id) => `id ${source} ${id}`

/** The caller's own id first, then the others. */
const uniques = (record: RecordType): [string, Field<unknown>][] =>
  Object.entries(record.fields)
    .filter(([, field]) => field.unique && !field.internal)
    .sort(([a], [b]) => Number(b === 'third_party_id') - Number(a === 'third_party_id'))

/** What a row is here already. @throws Problem invalid for an id that a file of one record names and nothing has */
async function findExisting(
  tx: Tx,
  one: ImportRun,
  record: RecordType,
  theirs: Id | null,
  key: string | null,
  draft: RawRow,
): Promise<RawRow | null> {
  const kept = key && (await tx.findImported(record.name, key))
  const known = kept ? await tx.find(record, idFor(record)(kept)) : null
  if (known) return known
  if (theirs !== null && !one.foreign) {
    const own = await tx.find(record, theirs)
    if (own) return own
    if (!one.archive) throw invalid([fieldError('id', validationError.unknown(theirs))])
  }
  for (const [name, field] of uniques(record)) {
    const value = draft[name]
    const same = value === undefined || value === null ? null : await tx.findBy(record, name, field.save(value))
    if (same) return same
  }
  return null
}

/** The draft with the ids of this account in place of the file's. */
async function mapReferences(
  { tx, record: named }: MutationContext,
  one: ImportRun,
  record: RecordType,
  draft: RawRow,
  errors: FieldError[],
  dangling: string[],
): Promise<RawRow> {
  const result: RawRow = {}
  const gone = new Set<string>()
  for (const [name, value] of Object.entries(draft)) {
    const field = fieldNamed(record.fields, name)
    // Of a relation that has a list at either end, the later record says it.
    const position = one.order.findIndex((other) => other.name === field.target)
    if (position > one.order.indexOf(record)) continue
    // The ids of its steps are no ids of ours.
    if (one.foreign && field.shape === 'array') result[name] = value.map(({ id: _, ...item }: RawRow) => item)
    else if (!field.target || field.lookup || value === null) result[name] = value
    else {
      const target = named(field.target)
      const found: unknown[] = []
      for (const item of [value].flat()) {
        const theirs = field.shape === 'links' ? item.id : item
        const id = await localIdOf(tx, one, target, theirs)
        if (id !== null) found.push(field.shape === 'links' ? { ...item, id } : id)
        else if (!Array.isArray(value) && isDangling(one, target, theirs)) {
          dangling.push(`${record.plural}.${name}`)
          for (const other of identifying(record, name, target)) gone.add(other)
        } else errors.push(fieldError(name, validationError.unknown(theirs)))
      }
      // Lists of ids are kept in their order.
      if (Array.isArray(value))
        result[name] = field.shape === 'leaf' ? found.sort((a, b) => Number(a) - Number(b)) : found
      else if (found.length > 0) result[name] = found[0]
    }
  }
  for (const name of gone) delete result[name]
  return result
}

/** Other fields that name the very record that a reference leads to; a name alone may be found, or made, again. */
const identifying = (record: RecordType, reference: string, target: RecordType): string[] =>
  Object.entries(record.fields).flatMap(([name, { lookup }]) =>
    lookup?.[0] === reference && target.fields[lookup[1]]?.unique ? [name] : [],
  )

/** The id here of what has an id in the file; null where nothing is known of it. */
export async function localIdOf(tx: Tx, one: ImportRun, target: RecordType, id: Id): Promise<Id | null> {
  const kept = one.archive && (await tx.findImported(target.name, theirKey(one, id)))
  if (kept) return idFor(target)(kept)
  return one.foreign ? null : id
}

/** Whether the archive has such records, and not this one: it was deleted where it comes from. */
const isDangling = ({ archive, order, refused }: ImportRun, target: RecordType, id: Id): boolean =>
  archive !== null && order.includes(target) && !refused.has(`${target.plural} ${id}`)
