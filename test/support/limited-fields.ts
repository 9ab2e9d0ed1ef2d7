import type { Field, Fields, RecordType } from '#fields'
import { records } from '#records'
import { draftOf, type WireDraft } from './builders.ts'

/** A field that not every worker is told, and two values of it that stand nowhere else, where one can be said. */
export interface LimitedField {
  record: RecordType
  /** `line_items.price` */
  path: string
  to: NonNullable<Field<unknown>['workerReadable']>
  mark: unknown
  wrong: unknown
  /** What of the mark is found in an answer. */
  text: string | null
}

function limitedIn(record: RecordType, fields: Fields, path: string): Pick<LimitedField, 'record' | 'path' | 'to'>[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.internal || field.shape === 'records') return []
    if (field.workerReadable) return [{ record, path: path + name, to: field.workerReadable }]
    return limitedIn(record, field.fields ?? {}, `${path}${name}.`)
  })
}

function fieldAt(record: RecordType, path: string): Field<unknown> {
  const [name = '', inner] = path.split('.', 2)
  const field = record.fields[name] as Field<unknown>
  return inner ? (field.fields?.[inner] as Field<unknown>) : field
}

function markOf(field: Field<unknown>, number: number): unknown {
  if (field.lookup || field.virtual || field.server || field.auto || field.kind === 'secret') return undefined
  if (field.kind === 'email') return `mark${number}@example.com`
  if (field.kind === 'text') return `mark${number}`
  if (field.kind === 'price' || field.column === 'decimal') return `${number}.25`
  if (field.column === 'integer') return number
  return field.fields?.formatted_address ? { formatted_address: `mark${number}` } : undefined
}

/** All of them, of all records. */
export const limitedFields: LimitedField[] = records
  .flatMap((record) => limitedIn(record, record.fields, ''))
  .map((one, i) => {
    const [mark, wrong] = [0, 1].map((other) => markOf(fieldAt(one.record, one.path), 70_000 + 100 * i + other))
    const text = mark === undefined ? null : String(typeof mark === 'object' ? Object.values(mark as object)[0] : mark)
    return { ...one, mark, wrong, text }
  })

/** A draft with a value at the path of a field; of a list, in its one item. */
export function withValue({ record, path }: LimitedField, draft: WireDraft, value: unknown): WireDraft {
  const [name = '', inner] = path.split('.', 2)
  if (!inner) return { ...draft, [name]: value }
  const isList = record.fields[name]?.shape === 'array'
  const changed = { ...(isList ? (draft[name]?.[0] ?? { code: 'M' }) : draft[name]), [inner]: value }
  return { ...draft, [name]: isList ? [changed] : changed }
}

/** A draft of a record with its marks. */
export function markedDraft(record: RecordType): WireDraft {
  const marked = limitedFields.filter((one) => one.record.name === record.name && one.mark !== undefined)
  return marked.reduce((draft, one) => withValue(one, draft, one.mark), draftOf(record))
}
