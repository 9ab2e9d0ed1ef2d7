import type { Draft } from '#fields'
import { localClock } from '#fields/instant'
import { invalid, Problem } from '#problem'
import { type Job, job } from '#records/job'
import { type Recurrence, recurrence } from '#records/recurrence'
import { template } from '#records/template'
import { isSame } from '../is-same.ts'
import type { MutationContext } from '../rule.ts'
import { type Calendar, type Occurrence, occurrenceOn } from './occurrences.ts'

/** What a job takes from its recurrence as it is there. */
const taken = ['worker_id', 'customer_id', 'site_id', 'notes'] as const

/** Makes the job of a date, if there is one; for nobody, where its worker can't have it. */
export async function makeJob(context: MutationContext, row: Recurrence, occurrence: Occurrence): Promise<void> {
  const { date, planned_start_at, planned_duration } = occurrence
  if (!planned_start_at) return
  const { name, template_id, worker_id, customer_id, site_id, notes, group_ids } = row
  const from = template_id ? await context.tx.find(template, template_id) : null
  const said = { customer_id, site_id, notes, planned_duration, worker_id }
  const draft: Draft<typeof job> = {
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)),
    ...(template_id ? { template_id } : { template_name: name }),
    ...(!from?.steps.length && { steps: [{ name }] }),
    planned_start_at,
    group_ids,
    recurrence_id: row.id,
    recurrence_date: date,
  }
  try {
    await context.create(job, draft)
  } catch (error) {
    if (!isAboutWorker(error)) throw asErrorsOf(error)
    const [{ message = '' } = {}] = error.errors
    const remedy = 'Choose another worker for this date'
    context.warn({ field: 'worker_id', code: 'not_assigned', message: `has no job on ${date}: it ${message}`, remedy })
    await context.create(job, { ...draft, worker_id: null }).catch((other) => {
      throw asErrorsOf(other)
    })
  }
}

const isAboutWorker = (error: unknown): error is Problem =>
  error instanceof Problem && error.kind === 'invalid' && error.errors.every(({ field }) => field === 'worker_id')

/** What is wrong with a job, said of what it is made from. */
function asErrorsOf(error: unknown): unknown {
  if (!(error instanceof Problem) || error.kind !== 'invalid') return error
  const fieldOf = (field: string) =>
    field in recurrence.fields ? field : field === 'planned_start_at' ? 'first_at' : 'template_id'
  return invalid(error.errors.map((one) => ({ ...one, field: fieldOf(one.field) })))
}

/** The dates of a recurrence as they are, or were. */
interface Dates {
  calendar: Calendar
  dates: string[]
}

interface Following {
  row: Recurrence
  before: Recurrence
  /** Jobs follow the rule, too, and not only the exceptions of their dates. */
  follows: boolean
  now: Dates
  was: Dates
}

/**
 * Brings the jobs that were made already to what their dates have become. Those of an exception follow it; the others only
 * where the caller says so and nobody has changed them since. What is begun, done, canceled by hand or locked stays.
 */
export async function followDates(context: MutationContext, { row, before, follows, now, was }: Following) {
  const { tx, call } = context
  const today = localClock(call.now, now.calendar.zone).slice(0, 10)
  const isMade = (date: string) => date >= today && date <= (before.made_through ?? '')
  const exceptionOf = ({ exceptions }: Recurrence, date: string) => exceptions.find((one) => one.date === date) ?? null
  const changed = [...new Set([...was.dates, ...now.dates])]
    .filter(isMade)
    .filter((date) => follows || !isSame(exceptionOf(row, date), exceptionOf(before, date)))
  if (changed.length === 0) return
  const jobs = await tx.list(job, {
    filters: [
      { field: 'recurrence_id', op: '=', value: row.id },
      { field: 'recurrence_date', op: '>=', value: today },
    ],
    limit: MAX_JOBS,
  })
  const byDate = new Map(jobs.map((one) => [one.recurrence_date, one]))
  for (const date of changed.sort()) {
    const had = was.dates.includes(date) ? occurrenceOn(before, date, was.calendar) : null
    const has = now.dates.includes(date) ? occurrenceOn(row, date, now.calendar) : null
    const made = byDate.get(date)
    const isException = !isSame(exceptionOf(row, date), exceptionOf(before, date))
    // One that is not there, though its date had one, was deleted.
    if (!made) {
      if (has && !had?.planned_start_at) await makeJob(context, row, has)
    } else if (isException || isAsMade(made, had, before)) {
      const draft = changesFor(made, { row, before, follows, had, has }, call.now)
      await context.update(job, made, draft).catch((error) => {
        throw asErrorsOf(error)
      })
    }
  }
}

/** Jobs that one recurrence has ahead, at most: a date a day, a year ahead. */
const MAX_JOBS = 400

const isAsMade = (made: Job, had: Occurrence | null, { worker_id }: Recurrence) =>
  had !== null &&
  made.planned_start_at === had.planned_start_at &&
  (had.planned_duration === null || made.planned_duration === had.planned_duration) &&
  (made.worker_id === worker_id || worker_id === null || made.worker_id === null)

interface DateChange extends Pick<Following, 'row' | 'before' | 'follows'> {
  had: Occurrence | null
  has: Occurrence | null
}

function changesFor(made: Job, { row, before, follows, had, has }: DateChange, now: string): Draft<typeof job> {
  const isCanceled = made.canceled_at !== null
  if (made.progress_state !== 'not_started' || made.locked_at) return {}
  if (!has?.planned_start_at) return isCanceled ? {} : { canceled_at: now, cancel_reason: has?.note ?? REASON }
  // Somebody canceled it by hand.
  if (isCanceled && had?.planned_start_at) return {}
  const { planned_start_at, planned_duration } = has
  const others = follows ? taken.filter((name) => row[name] !== before[name]) : []
  return {
    ...(isCanceled && { canceled_at: null, cancel_reason: null }),
    ...(planned_start_at !== had?.planned_start_at && { planned_start_at }),
    ...(planned_duration !== null && planned_duration !== had?.planned_duration && { planned_duration }),
    ...Object.fromEntries(others.map((name) => [name, row[name]])),
  }
}

/** Why a job is canceled whose date is gone. */
const REASON = 'Its recurrence has changed'
