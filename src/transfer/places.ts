import { type Fields, isObject, type Raw, type RawObject, type RawRow, type RecordType } from '#fields'
import { Problem } from '#problem'
import type { Writing } from '#rules/rule'
import type { Import } from './import.ts'
import { addErrors } from './report.ts'
import { here } from './row.ts'
import { isFile } from './which.ts'

/** The files that a row names in fields which only an upload fills: put there when the files have ids here. */
export interface Places {
  record: RecordType
  /** Of the row, here. */
  id: number | string
  line: number
  /** What the row says of these fields, and nothing else. */
  raw: RawObject
}

/** Rows whose files are put in place at a time. */
const AT_ONCE = 200

export function placesOf(record: RecordType, id: number | string, line: number, raw: RawObject): Places[] {
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
export async function putFiles(one: Import): Promise<void> {
  for (let i = 0; i < one.places.length; i += AT_ONCE)
    await Promise.all(one.places.slice(i, i + AT_ONCE).map((place) => put(one, place)))
}

async function put(one: Import, { record, id, line, raw }: Places): Promise<void> {
  try {
    await one.act.perform(one.call, {
      record,
      action: 'update',
      decided: true,
      imported: true,
      faults: [],
      target: (tx) => tx.find(record, id),
      draft: (before, writing) => filled(writing, one, record.fields, raw, before),
      answer: () => null,
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'invalid') throw error
    addErrors(one.report, record, line, error)
  }
}

/** What a row says of its files, with the ids that they have here; one that didn't come is left out. */
async function filled(writing: Writing, one: Import, fields: Fields, raw: RawObject, before: RawRow): Promise<RawRow> {
  const result: RawRow = {}
  for (const [name, value] of Object.entries(raw)) {
    const field = fields[name]
    if (!field) continue
    if (field.target && isFile({ name: field.target })) {
      const file = writing.record(field.target)
      const id = await here(writing.tx, one, file, String(value))
      if (id !== null && (await writing.tx.missing(file.name, [id])).length === 0) result[name] = id
    } else if (field.shape === 'part' && isObject(value)) {
      const said = field.parse(value, { path: name, faults: [] }) as RawRow
      const ids = Object.fromEntries(
        Object.entries(value).filter(([inner]) => isFile({ name: field.fields?.[inner]?.target ?? '' })),
      )
      const files = await filled(writing, one, field.fields ?? {}, ids, {})
      if (Object.keys(files).length > 0) result[name] = { ...said, ...files }
    } else if (Array.isArray(value)) {
      const items: RawRow[] = before[name] ?? []
      result[name] = []
      for (const [i, item] of items.entries()) {
        const files = isObject(value[i]) ? await filled(writing, one, field.fields ?? {}, value[i], item) : {}
        result[name].push({ ...item, ...files })
      }
    }
  }
  return result
}
