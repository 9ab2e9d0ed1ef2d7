import { useQueries } from '@tanstack/react-query'
import type { RecordType } from '../../../src/fields/record.ts'
import { records } from '../../../src/records/index.ts'
import { useRecords } from './context.tsx'

export type Id = string | number
/** The name of a record, once it is known: `nameOf('customer', 5)`. */
export type NameOf = (record: string, id: Id) => string | undefined

const atOnce = 200

export const recordNamed = (name: string): RecordType => {
  const found = records.find((record) => record.name === name)
  if (!found) throw new Error(`there is no record ${name}`)
  return found
}

/** The names of the records that ids lead to, asked for together: one request for each type, whatever the number of rows. */
export function useNames(ids: { [record: string]: Iterable<Id> }): NameOf {
  const { client } = useRecords()
  const chunks = Object.entries(ids).flatMap(([name, all]) => {
    const sorted = [...new Set(all)].sort()
    return Array.from({ length: Math.ceil(sorted.length / atOnce) }, (_, i) => ({
      name,
      ids: sorted.slice(i * atOnce, (i + 1) * atOnce),
    }))
  })
  const answers = useQueries({
    queries: chunks.map(({ name, ids }) => ({
      queryKey: ['names', name, ids],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const record = recordNamed(name)
        const { rows } = await client.list(record, { ids, per_page: ids.length }, { signal })
        return new Map((rows as { [field: string]: Id }[]).map((row) => [row.id as Id, String(row[record.title])]))
      },
    })),
  })
  const known = new Map<string, Map<Id, string>>()
  chunks.forEach(({ name }, i) => {
    const data = answers[i]?.data
    if (data) known.set(name, new Map([...(known.get(name) ?? []), ...data]))
  })
  return (name, id) => known.get(name)?.get(id)
}
