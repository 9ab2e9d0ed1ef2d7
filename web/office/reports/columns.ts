import type { Formats } from '../../ui/formats.ts'
import { msg } from '../../ui/words.ts'
import { type By, percentOf, type Row } from './report.ts'

export interface Figure {
  id: string
  head: string
  value: (row: Row) => number | string | null
  form: 'number' | 'percent' | 'duration' | 'date' | 'text'
  /** Worth a look where it is more than nothing. */
  warns?: true
}

/** A report as a table for people: averages and shares where the server tells sums. */
export interface Shape {
  name: string
  title: string
  /** What rows can be put together by, first what they are unless said. */
  by: By[]
  figures: Figure[]
  /** The preset that it opens with. */
  preset?: string
  /** Whether it is of jobs, and can be narrowed as their list can. */
  ofJobs?: true
  /** Takes this permission beside that for reports. */
  permission?: 'messaging'
}

const number = (id: string, head: string, more: Pick<Figure, 'warns'> = {}): Figure => ({
  id,
  head,
  form: 'number',
  value: (row) => row[id] ?? null,
  ...more,
})
const duration = (id: string, head: string, each?: string): Figure => ({
  id,
  head,
  form: 'duration',
  value: (row) => (each === undefined ? (row[id] ?? null) : divided(row[id], row[each])),
})
const share = (id: string, head: string, part: string, whole: string): Figure => ({
  id,
  head,
  form: 'percent',
  value: (row) => percentOf(Number(row[part] ?? 0), Number(row[whole] ?? 0)),
})
const divided = (sum: Row[string] | undefined, count: Row[string] | undefined): number | null =>
  Number(count ?? 0) > 0 ? Number(sum ?? 0) / Number(count) : null

const usual: By[] = ['worker', 'template', 'customer', 'group', 'day', 'week', 'month']

export const shapes: Shape[] = [
  {
    name: 'jobs',
    title: msg('Jobs'),
    by: ['day', 'week', 'month', 'worker', 'template', 'customer', 'group'],
    ofJobs: true,
    figures: [
      number('jobs', msg('Jobs')),
      number('unallocated', msg('No worker')),
      number('allocated', msg('Not accepted')),
      number('assigned', msg('Accepted')),
      number('started', msg('Under way')),
      number('completed', msg('Completed')),
      number('canceled', msg('Cancelled')),
    ],
  },
  {
    name: 'durations',
    title: msg('Planned and taken'),
    by: ['template', 'worker', 'customer', 'group', 'day', 'week', 'month'],
    ofJobs: true,
    figures: [
      number('jobs', msg('Jobs')),
      number('finished', msg('Done')),
      duration('finished_planned_seconds', msg('Planned, each'), 'finished'),
      duration('actual_seconds', msg('Took, each'), 'finished'),
      share('of_planned', msg('Of the plan'), 'actual_seconds', 'finished_planned_seconds'),
    ],
  },
  {
    name: 'punctuality',
    title: msg('On time'),
    by: usual,
    ofJobs: true,
    figures: [
      number('due', msg('Promised')),
      number('on_time', msg('On time')),
      number('late', msg('Late'), { warns: true }),
      number('overdue', msg('Overdue'), { warns: true }),
      share('on_time_share', msg('Share on time'), 'on_time', 'due'),
      duration('late_seconds', msg('Late by, each'), 'late'),
      duration('max_late_seconds', msg('Late by, at most')),
    ],
  },
  {
    name: 'lead_times',
    title: msg('From request to done'),
    by: usual,
    ofJobs: true,
    figures: [
      number('completed', msg('Completed')),
      duration('lead_seconds', msg('On average'), 'completed'),
      duration('max_lead_seconds', msg('At most')),
    ],
  },
  {
    name: 'cancellations',
    title: msg('Cancelled'),
    by: ['reason', ...usual],
    ofJobs: true,
    figures: [
      number('jobs', msg('Jobs')),
      number('canceled', msg('Cancelled')),
      share('canceled_share', msg('Share'), 'canceled', 'jobs'),
    ],
  },
  {
    name: 'utilisation',
    title: msg('Working time'),
    by: ['worker'],
    ofJobs: true,
    figures: [
      duration('available_seconds', msg('Working time')),
      duration('planned_seconds', msg('Planned')),
      duration('actual_seconds', msg('At work')),
      {
        id: 'planned_percent',
        head: msg('Planned, share'),
        form: 'percent',
        value: (row) => row.planned_percent ?? null,
      },
      {
        id: 'actual_percent',
        head: msg('At work, share'),
        form: 'percent',
        value: (row) => row.actual_percent ?? null,
      },
    ],
  },
  {
    name: 'equipment',
    title: msg('Equipment'),
    by: ['equipment'],
    ofJobs: true,
    figures: [
      number('jobs', msg('Jobs')),
      duration('planned_seconds', msg('Planned')),
      duration('actual_seconds', msg('At work')),
    ],
  },
  {
    name: 'expiring_tags',
    title: msg('Tags that expire'),
    by: ['tag'],
    preset: 'next',
    figures: [
      { id: 'tag_name', head: msg('Tag'), form: 'text', value: (row) => row.tag_name ?? null },
      { id: 'expires_at', head: msg('Expires'), form: 'date', value: (row) => row.expires_at ?? null },
    ],
  },
  {
    name: 'unanswered',
    title: msg('Unanswered'),
    by: ['thread'],
    permission: 'messaging',
    figures: [
      { id: 'subject', head: msg('Subject'), form: 'text', value: (row) => row.subject ?? null },
      { id: 'last_reply_at', head: msg('Since'), form: 'date', value: (row) => row.last_reply_at ?? null },
    ],
  },
]

/** A figure as people read it; a dash where there is none. */
export function figureText(value: number | string | null, form: Figure['form'], formats: Formats): string {
  if (value === null) return '–'
  if (form === 'text') return String(value)
  if (form === 'date') return formats.dateTime(String(value))
  if (form === 'duration') return formats.duration(Number(value))
  if (form === 'percent') return `${formats.number(Math.round(Number(value)))} %`
  return formats.number(Number(value))
}
