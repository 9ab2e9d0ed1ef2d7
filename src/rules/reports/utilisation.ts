import { integer } from '#fields'
import { later } from '#fields/instant'
import { type Absence, absence } from '#records/absence'
import { user } from '#records/user'
import { workingWeek } from '#records/working-week'
import { type Span, weekOf, workingSpans } from '../working-time.ts'
import { summarizeJobs } from './jobs.ts'
import { MAX_REPORT_ROWS, type Report } from './report.ts'

const STEP_MS = 28 * 24 * 3600_000

export const utilisation: Report = {
  name: 'utilisation',
  about: 'How much of the time that workers have is planned, and was worked',
  days: -30,
  by: ['worker'],
  ofJobs: true,
  columns: {
    available_seconds: integer({ about: 'In their working weeks, without absences, seconds; empty without a week' }),
    planned_seconds: integer({ about: 'Planned for jobs that were not canceled, seconds' }),
    actual_seconds: integer({ about: 'At work on jobs that are done, seconds' }),
    planned_percent: integer({ about: 'Planned of available' }),
    actual_percent: integer({ about: 'Worked of available' }),
  },
  async rows(call, asked) {
    const { time_zone: zone } = call.actor.account
    const all = { filters: [], limit: MAX_REPORT_ROWS }
    const isWorker = { field: 'is_worker' as const, op: '=' as const, value: 1 }
    const named = asked.filters.flatMap(({ field, op, value }) =>
      field === 'worker_id' ? [{ field: 'id' as const, op, value }] : [],
    )
    const [sums, workers, weeks, absences] = await Promise.all([
      summarizeJobs(call, asked, ['planned_seconds', 'actual_seconds']),
      call.store.list(user, { filters: [isWorker, ...named], limit: MAX_REPORT_ROWS }, ['id', 'name', 'group_ids']),
      call.store.list(workingWeek, all),
      call.store.list(absence, {
        filters: [
          { field: 'to', op: '>', value: asked.from },
          { field: 'from', op: '<', value: asked.to },
        ],
        limit: MAX_REPORT_ROWS,
      }),
    ])
    const away = byPerson(absences)
    const awayOf = (worker: number) => [...(away.get(worker) ?? []), ...(away.get(null) ?? [])].sort(byBeginning)
    const byWorker = new Map(sums.map((sum) => [sum.key, sum]))
    const spans = new Map(weeks.map((week) => [week, spansOf(week, zone, asked.from, asked.to)]))
    return workers.map((worker) => {
      const week = weekOf(weeks, worker)
      const available_seconds = week && availableSeconds(spans.get(week) ?? [], awayOf(worker.id))
      const { planned_seconds = 0, actual_seconds = 0 } = byWorker.get(worker.id) ?? {}
      const percent = (of: number) => (available_seconds ? Math.round((of / available_seconds) * 100) : null)
      return {
        id: worker.id,
        name: worker.name,
        available_seconds,
        planned_seconds,
        actual_seconds,
        planned_percent: percent(planned_seconds),
        actual_percent: percent(actual_seconds),
      }
    })
  },
}

/** The spans of a week in a period, cut at its ends. */
function spansOf(week: Parameters<typeof workingSpans>[0], zone: string, from: string, to: string): Span[] {
  const found: Span[] = []
  for (let begin = from; begin < to; begin = later(begin, STEP_MS)) {
    const end = [later(begin, STEP_MS), to].sort()[0] ?? to
    for (const span of workingSpans(week, zone, begin, end))
      found.push({ from: span.from < begin ? begin : span.from, to: span.to > end ? end : span.to })
  }
  return found
}

/** What is left of spans where somebody is not away, in seconds. Absences are in the order of their beginnings. */
function availableSeconds(spans: Span[], absences: Pick<Absence, 'from' | 'to'>[]): number {
  let ms = 0
  for (const { from, to } of spans) {
    let at = from
    for (const away of absences) {
      if (away.from >= to) break
      if (away.from > at) ms += Date.parse(away.from) - Date.parse(at)
      if (away.to > at) at = away.to
    }
    if (at < to) ms += Date.parse(to) - Date.parse(at)
  }
  return Math.round(ms / 1000)
}

/** Absences that count, by whose they are, null for the whole company; each in the order of their beginnings. */
function byPerson(absences: Absence[]): Map<number | null, Absence[]> {
  const granted = absences.filter(({ state }) => state === 'granted')
  return Map.groupBy(granted.sort(byBeginning), ({ user_id }) => user_id)
}

const byBeginning = (a: Absence, b: Absence) => (a.from < b.from ? -1 : 1)
