import type { Field, Fields, RawRow, Worker } from './kind.ts'

/**
 * Whether a reader is told a field of a row; who is no worker (the office, a key) is told all. Printers, lists, events and
 * drafts all ask here.
 */
export function isReadable(
  { workerReadable, lookup }: Field<unknown>,
  row: RawRow,
  worker: Worker | undefined,
): boolean {
  if (!workerReadable || !worker) return true
  // What is looked up is of the person that the reference leads to.
  if (workerReadable === 'self') return worker.id !== null && row[lookup?.[0] ?? 'id'] === worker.id
  return (worker.permissions[workerReadable] ?? 'none') !== 'none'
}

/** Whether a reader is told a field of every row: only then may a list depend on it. */
export const isReadableOfAll = (field: Field<unknown>, worker: Worker | undefined): boolean =>
  isReadable(field, {}, worker)

/** The items of a list that a reader gets: what is hidden never leaves for a phone. */
export function readableItems<T>({ redactForWorker }: Field<unknown>, items: T[], worker: Worker | undefined): T[] {
  // It leaves some out, and changes none of their fields' types.
  return worker && redactForWorker ? (redactForWorker(items as RawRow[]) as T[]) : items
}

/** What was said of a row as far as the reader is told of it, at any depth, and the paths of the rest. */
export function splitReadable(
  fields: Fields,
  row: RawRow,
  said: RawRow,
  worker: Worker | undefined,
): { readable: RawRow; unreadable: string[] } {
  const unreadable: string[] = []
  return { readable: keep(fields, row, said, ''), unreadable }

  function keep(known: Fields, of: RawRow, value: RawRow, path: string): RawRow {
    const kept: RawRow = {}
    for (const [name, one] of Object.entries(value)) {
      const field = known[name]
      const inner = field?.fields
      if (field && !isReadable(field, of, worker)) unreadable.push(path + name)
      else if (!inner || !one) kept[name] = one
      else if (Array.isArray(one)) kept[name] = one.map((item, i) => keep(inner, {}, item, `${path}${name}[${i}].`))
      else kept[name] = keep(inner, {}, one, `${path}${name}.`)
    }
    return kept
  }
}
