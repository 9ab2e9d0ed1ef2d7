import type { Field, RecordType } from '#fields'
import { attachment, signature } from '#records/file'

/** What leaves in an archive: all that a caller may make, and the images that belong to it. */
export const exportable = (records: RecordType[]): RecordType[] =>
  records.filter(({ allow, without }) => allow.read !== 'nobody' && !without?.includes('create'))

/** What comes in again: not what has a secret of its own, which doesn't travel. */
export const importable = (records: RecordType[]): RecordType[] =>
  dependencyOrder(exportable(records).filter(({ fields }) => !Object.values(fields).some(({ showOnce }) => showOnce)))

/** Records that are about a file. */
export const isFile = ({ name }: Pick<RecordType, 'name'>): boolean =>
  name === attachment.name || name === signature.name

/** The references by which a child's address names its parents. */
export const parentsOf = ({ path }: RecordType): string[] =>
  [...(path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Whether a row of a file says a field: what a caller may say, or their address. */
export const isSettable = (record: RecordType, name: string, field: Field<unknown>): boolean =>
  parentsOf(record).includes(name) || !(field.server || field.internal || field.secret || field.shape === 'records')

/**
 * Each after those that it refers to. Of a relation that has a list at either end, the later one says it.
 * @throws Error where two records need each other first
 */
export function dependencyOrder(records: RecordType[]): RecordType[] {
  const named = new Map(records.map((record) => [record.name, record]))
  const placed = new Set<RecordType>()
  const visit = (record: RecordType, above: RecordType[]) => {
    if (placed.has(record)) return
    if (above.includes(record)) throw new Error(`${record.name} and ${above.at(-1)?.name} need each other first`)
    for (const target of targetsOf(record)) visit(target, [...above, record])
    placed.add(record)
  }
  for (const record of records) visit(record, [])
  return [...placed]

  function targetsOf(record: RecordType): RecordType[] {
    return Object.entries(record.fields).flatMap(([name, field]) => {
      const target = named.get(field.target ?? '')
      if (!target || target === record || !isSettable(record, name, field)) return []
      const back = field.through && Object.values(target.fields).some(({ through }) => through === field.through)
      return back && records.indexOf(target) < records.indexOf(record) ? [] : [target]
    })
  }
}
