import { eachNamed } from '#fields'
import type { job } from '#records/job'
import type { NameIn } from '#store/store'
import type { Measures, Test } from '#store/summary'

type Name = NameIn<typeof job>
type JobTest = Test<Name>

const kept: JobTest = { nil: 'canceled_at' }
const is = (progress: string): JobTest[] => [kept, { field: 'progress_state', is: progress }]
const open = (state: string): JobTest[] => [...is('not_started'), { field: 'state', is: state }]
const finished: JobTest[] = [...is('completed'), { given: 'actual_duration' }]
const due: JobTest[] = [kept, { given: 'due_by' }]
const late: JobTest[] = [...due, { field: 'completed_at', after: 'due_by' }]
const done: JobTest[] = [...is('completed'), { given: 'completed_at' }]
const lateness = { from: 'due_by', to: 'completed_at' } as const
const lead = { from: 'created_at', to: 'completed_at' } as const

/** What is told of jobs. Each is of one state: `unallocated` to `canceled` add up to `jobs`. Durations are seconds. */
const measures = {
  jobs: { when: [] },
  unallocated: { when: open('unallocated') },
  allocated: { when: open('allocated') },
  assigned: { when: open('assigned') },
  started: { when: is('started') },
  completed: { when: is('completed') },
  canceled: { when: [{ given: 'canceled_at' }] },
  planned_seconds: { when: [kept], of: 'planned_duration' },
  finished: { when: finished },
  finished_planned_seconds: { when: finished, of: 'planned_duration' },
  actual_seconds: { when: finished, of: 'actual_duration' },
  due: { when: due },
  on_time: { when: [...due, { field: 'completed_at', notAfter: 'due_by' }] },
  late: { when: late },
  overdue: { when: [...due, { nil: 'completed_at' }, { field: 'due_by', before: 'now' }] },
  late_seconds: { when: late, of: lateness },
  max_late_seconds: { when: late, of: lateness, most: true },
  lead_seconds: { when: done, of: lead },
  max_lead_seconds: { when: done, of: lead, most: true },
} satisfies Measures<string, Name>

export type JobMeasure = keyof typeof measures
const jobMeasures: Measures<JobMeasure, Name> = measures

/** Those that are asked for: each costs time in a year of many jobs. */
export const pickMeasures = <M extends JobMeasure>(names: readonly M[]): Measures<M, Name> =>
  eachNamed(names, (name) => jobMeasures[name])
