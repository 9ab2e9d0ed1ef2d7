import { type Fields, isObject, type Raw, type RawObject, type RawRow, type RecordType, rowIn } from '#fields'
import { Problem } from '#problem'
import type { MutationContext } from '#rules/rule'
import { type ImportRun, MAX_ROWS_PER_COMMIT, type PendingFiles } from './import-run.ts'
import { addErrors } from './report.ts'
import { localIdOf } from './row.ts'
import { isFile } from './selection.ts'

export function pendingFilesOf(record: RecordType, id: number | string, line: number, raw: RawObject): PendingFiles[] {
  const files = filesIn(record.fields, raw)
  return files ? [{ record, id, line, raw: files }] : []
}

/** Of a row, what leads to files; a part that only the server fills goes as a whole. */
function filesIn(fields: Fields, raw: RawObject): RawObject | null {
  const found: RawObject = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = raw[name]
    if (value === undefined || value === null) continue
    if (field.target && isFile({ name: field.target })) found[name] = value
    else if (field.shape === 'part' && field.server && isObject(value) && filesIn(field.fields ?? {}, value))
      found[name] = value
    else if (field.shape === 'array' && Array.isArray(value)) {
      const items = value.map((item): Raw => (isObject(item) ? filesIn(field.fields ?? {}, item) : null))
      if (items.some((item) => item !== null)) found[name] = items
    }
  }
  return Object.keys(found).length > 0 ? found : null
}

/** Puts the files of all rows in their places. */
export async function attachFiles(one: ImportRun): Promise<void> {
  for (let i = 0; i < one.pendingFiles.length; i += MAX_ROWS_PER_COMMIT)
    await Promise.all(one.pendingFiles.slice(i, i + MAX_ROWS_PER_COMMIT).map((place) => attach(one, place)))
}

async function attach(one: ImportRun, { record, id, line, raw }: PendingFiles): Promise<void> {
  try {
    await one.mutations.execute(one.call, {
      record,
      action: 'update',
      bypassWorkerFilter: true,
      imported: true,
      errors: [],
      target: (tx) => tx.find(record, id),
      draft: (before, context) => resolveFiles(context, one, record.fields, raw, before),
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'invalid') throw error
    addErrors(one.report, record, line, error)
  }
}

/** What a row says of its files, with the ids that they have here; one that didn't come is left out. */
async function resolveFiles(
  context: MutationContext,
  one: ImportRun,
  fields: Fields,
  raw: RawObject,
  before: RawRow,
): Promise<RawRow> {
  const result: RawRow = {}
  for (const [name, value] of Object.entries(raw)) {
    const field = fields[name]
    if (!field) continue
    if (field.target && isFile({ name: field.target })) {
      const file = context.record(field.target)
      const id = await localIdOf(context.tx, one, file, String(value))
      if (id !== null && (await context.tx.missing(file.name, [id])).length === 0) result[name] = id
    } else if (field.shape === 'part' && isObject(value)) {
      const said = rowIn(field.parse(value, { path: name, errors: [] }))
      const ids = Object.fromEntries(
        Object.entries(value).filter(([inner]) => isFile({ name: field.fields?.[inner]?.target ?? '' })),
      )
      const files = await resolveFiles(context, one, field.fields ?? {}, ids, {})
      if (Object.keys(files).length > 0) result[name] = { ...said, ...files }
    } else if (Array.isArray(value)) {
      const items: RawRow[] = before[name] ?? []
      result[name] = []
      for (const [i, item] of items.entries()) {
        const files = isObject(value[i]) ? await resolveFiles(context, one, field.fields ?? {}, value[i], item) : {}
        result[name].push({ ...item, ...files })
      }
    }
  }
  return result
}
