import type { Call } from '#call'
import { type Fields, integer, namesOf } from '#fields'
import { equipment } from '#records/equipment'
import { group } from '#records/group'
import { job } from '#records/job'
import type { ListQuery } from '#store/select'
import type { NameIn } from '#store/store'
import type { Measures, Summary, SummaryKey } from '#store/summary'
import { dayAt, daysBetween, hasWholeHours, periodOf } from './days.ts'
import { type JobMeasure, pickMeasures } from './job-measures.ts'
import type { Asked, By, Report } from './report.ts'

const seconds = (about: string) => integer({ about: `${about}, seconds` })
const count = (about: string) => integer({ about })

const jobs = count('How many there are')
const usual = ['worker', 'template', 'customer', 'group', 'day', 'week', 'month'] as const

export const jobsByState = reportOfJobs({
  name: 'jobs',
  about: 'Jobs by what has become of them',
  by: ['day', 'week', 'month', 'worker', 'template', 'customer', 'group'],
  columns: {
    jobs,
    unallocated: count('Not begun, and nobody is to do it'),
    allocated: count('Not begun, with a worker who has yet to be told or to accept'),
    assigned: count('Not begun, and its worker knows'),
    started: count('Under way'),
    completed: count('Done'),
    canceled: count('Canceled'),
  },
})

export const durations = reportOfJobs({
  name: 'durations',
  about: 'How long jobs were planned to take, and how long those took that are done',
  by: ['template', 'worker', 'customer', 'group', 'day', 'week', 'month'],
  columns: {
    jobs,
    planned_seconds: seconds('Planned for all that were not canceled'),
    finished: count('Those that are done, and of which it is known how long they took'),
    finished_planned_seconds: seconds('Planned for those'),
    actual_seconds: seconds('What those took, without pauses'),
  },
})

export const punctuality = reportOfJobs({
  name: 'punctuality',
  about: 'Whether jobs were done by when they were promised',
  by: usual,
  columns: {
    jobs,
    due: count('Those that something was promised of, and that were not canceled'),
    on_time: count('Done by then'),
    late: count('Done later'),
    overdue: count('Not done, and the time is over'),
    late_seconds: seconds('By how much the late ones were late, all together'),
    max_late_seconds: seconds('By how much the latest was'),
  },
})

export const leadTimes = reportOfJobs({
  name: 'lead_times',
  about: 'How long it took from the making of a job until it was done',
  by: usual,
  columns: {
    completed: count('Those that are done'),
    lead_seconds: seconds('From the making until the end, all together'),
    max_lead_seconds: seconds('The longest'),
  },
})

export const cancellations = reportOfJobs({
  name: 'cancellations',
  about: 'How many jobs were canceled, and why',
  by: ['reason', ...usual],
  columns: { jobs, canceled: count('Canceled') },
  only: ({ canceled }) => canceled > 0,
})

export const equipmentUse = reportOfJobs({
  name: 'equipment',
  about: 'What equipment was planned for, and how long it was at work',
  by: ['equipment'],
  columns: {
    jobs,
    planned_seconds: seconds('Planned, for all that were not canceled'),
    actual_seconds: seconds('At work, on jobs that are done'),
  },
  only: ({ key }) => key !== null,
})

interface JobReport<M extends JobMeasure> extends Pick<Report, 'name' | 'about' | 'by'> {
  columns: { [measure in M]: Fields[string] }
  /** Which rows it tells; all, where nothing is said. */
  only?(summary: Summary<M>): boolean
}

function reportOfJobs<M extends JobMeasure>({ only, ...report }: JobReport<M>): Report {
  const names = namesOf(report.columns)
  return {
    ...report,
    days: -30,
    ofJobs: true,
    async rows(call, asked) {
      const found = await summarizeJobs(call, asked, names)
      return (only ? found.filter(only) : found).map((summary) => {
        const { key, label } = summary
        const sums = Object.fromEntries(names.map((name) => [name, summary[name]]))
        const isId = typeof key === 'number'
        return { ...sums, id: isId ? key : null, name: isId ? label : key }
      })
    },
  }
}

const keys: { [by in By]?: SummaryKey<NameIn<typeof job>> } = {
  worker: { field: 'worker_id', label: 'worker_name' },
  customer: { field: 'customer_id', label: 'customer_name' },
  template: { field: 'template_name' },
  reason: { field: 'cancel_reason' },
  group: { field: 'group_ids' },
  equipment: { field: 'equipment_ids' },
}

/** What jobs of the period come to, by what was asked for. */
export async function summarizeJobs<M extends JobMeasure>(
  call: Call,
  { from, to, by, filters }: Asked,
  names: readonly M[],
): Promise<Summary<M>[]> {
  const measures = pickMeasures(names)
  const query = {
    filters: [
      ...filters,
      { field: 'scheduled_at' as const, op: '>=' as const, value: from },
      { field: 'scheduled_at' as const, op: '<' as const, value: to },
    ],
  }
  if (by === 'day' || by === 'week' || by === 'month') {
    const { time_zone: zone } = call.actor.account
    const days = daysBetween(from, to, zone)
    const key = { field: 'scheduled_at', to: hasWholeHours(days, zone) ? 'hour' : 'minute' } as const
    const found = await call.store.summarize(job, key, measures, query, call.now)
    return addUp(found, measures, days, (day) => periodOf(day, by), zone)
  }
  const key = keys[by]
  if (!key) throw new Error(`jobs are not put together by ${by}`)
  return withNames(call, by, await call.store.summarize(job, key, measures, query, call.now))
}

/** Hours as the days, weeks or months of a zone, also those without any job. */
function addUp<M extends JobMeasure>(
  hours: Summary<M>[],
  measures: Measures<M>,
  days: string[],
  periodOfDay: (day: string) => string,
  zone: string,
): Summary<M>[] {
  const names = namesOf(measures)
  const byPeriod = new Map(days.map((day): [string, Summary<M>[]] => [periodOfDay(day), []]))
  for (const hour of hours) {
    const begin = `${String(hour.key)}:00`.slice(0, 16)
    byPeriod.get(periodOfDay(dayAt(`${begin}:00.000Z`, zone)))?.push(hour)
  }
  return [...byPeriod].map(([key, found]) => {
    const sums = names.map((name) => {
      const values = found.map((one) => one[name])
      return [name, measures[name].most ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0)]
    })
    return { ...Object.fromEntries(sums), key, label: null }
  })
}

/** Groups and equipment by their names, as far as the caller sees them. */
async function withNames<S extends Summary<never>>(call: Call, by: By, found: S[]): Promise<S[]> {
  if (by !== 'group' && by !== 'equipment') return found
  const ids = found.flatMap(({ key }) => (typeof key === 'number' ? [key] : []))
  const query: ListQuery<'id'> = { filters: [{ field: 'id', op: 'in', value: ids }], limit: ids.length }
  const rows =
    by === 'group'
      ? await call.store.list(group, query, ['id', 'name'])
      : await call.store.list(equipment, query, ['id', 'name'])
  const labels = new Map(rows.map(({ id, name }) => [id, name]))
  return found.map((one) => ({ ...one, label: typeof one.key === 'number' ? (labels.get(one.key) ?? null) : null }))
}
