import { isObject } from '../../../src/fields/index.ts'
import { job as record } from '../../../src/records/job.ts'
import { type Change, changesOf, itemName, itemsIn } from '../../ui/job-changes.ts'
import { useRecords } from '../../ui/records/context.tsx'
import { labelOf } from '../../ui/records/labels.ts'
import { summaryOf } from '../../ui/records/value.tsx'
import { t } from '../../ui/words.ts'
import type { Job } from './open-job.ts'

/** What somebody wrote while they were out of reach, as changes of the job as it is now; of lists, the items that they name. */
export function changesTo(job: Job, written: object): Change[] {
  const changes = Object.entries(written).map(([name, to]) => {
    const now: unknown = job[name as keyof Job]
    if (!Array.isArray(to)) return [name, { from: now, to }]
    const known = new Map(itemsIn(now).map((item) => [item.id, item]))
    const whole = itemsIn(to).map((item) => ({ ...known.get(item.id), ...item }))
    return [name, { from: whole.flatMap(({ id }) => known.get(id) ?? []), to: whole }]
  })
  return changesOf({ changes: Object.fromEntries(changes) })
}

/** A path as people say it: "Notes", "Reading". Names of items are those of the job as it is. */
export function pathText(path: string | null, job: Job): string {
  const [, list = '', id = ''] = /^(\w+)\[(\d+)\]/.exec(path ?? '') ?? []
  if (!list) return path === null ? t('The whole job') : labelOf(`job.${path}`)
  const items = itemsIn(job[list as keyof Job])
  const item = items.find((one) => String(one.id) === id)
  return item ? itemName(item) : labelOf(`job.${list}`)
}

/** A value as people read it, by the kind of its field. */
export function useValueText(nameOf: (record: string, id: number) => string | undefined = () => undefined) {
  const { formats } = useRecords()
  return (path: string | null, value: unknown): string => {
    if (value === null || value === undefined || value === '') return t('nothing')
    const name = path?.match(/^\w+/)?.[0] ?? ''
    const field = path?.includes('[') ? undefined : record.fields[name as keyof Job]
    if (field?.kind === 'instant' || /_at$/.test(path ?? '')) return formats.dateTime(String(value))
    if (name === 'planned_duration') return formats.duration(Number(value))
    if (field?.target && !Array.isArray(value)) return nameOf(field.target, Number(value)) ?? String(value)
    if (field?.kind === 'choice') return labelOf(`job.${String(value)}`)
    if (Array.isArray(value))
      return value.map((one) => nameOf(field?.target ?? '', one) ?? String(one)).join(', ') || t('nothing')
    return isObject(value) ? summaryOf(value as { [name: string]: unknown }) || t('nothing') : String(value)
  }
}
