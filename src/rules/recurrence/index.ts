import { ValidationError, validationError } from '#fields'
import { addDays, later, localClock, localInstant } from '#fields/instant'
import { absence } from '#records/absence'
import { type Recurrence, recurrence } from '#records/recurrence'
import { template } from '#records/template'
import { workingWeek } from '#records/working-week'
import { findCustomerByName } from '../customer.ts'
import type { Change, MutationContext, Rule, Saving } from '../rule.ts'
import { followDates, makeJob } from './jobs.ts'
import { type Calendar, occurrenceOn } from './occurrences.ts'
import { datesOf, plainRule } from './rrule.ts'

/** Dates that are told ahead, and jobs that one write makes: the rest is made by the next round of the task. */
const [NEXT_DATES, MAX_MADE] = [12, 50]
const DAY_MS = 24 * 3600_000

/** What was found out before the write, for after it. */
interface Plan {
  calendar: Calendar
  dates: string[]
  due: string[]
}
const plans = new WeakMap<Change<typeof recurrence>, Plan>()

/**
 * Any write of a recurrence makes the jobs that are due, in its own transaction, and notes through which date they are made:
 * no other process comes between, and none is made twice. (docs/decisions/0027-jobs-that-come-again.md)
 */
export const recurrenceRule: Rule<typeof recurrence> = {
  async prepare(context, change) {
    const { row, before, draft, addError } = change
    const { now, actor } = context.call
    const zone = actor.account.time_zone
    await findCustomerByName(context, change)
    if (!before && !('group_ids' in draft)) row.group_ids = (await templateOf(context, row))?.group_ids ?? []
    if (!row.rule?.trim() || !row.first_at) return
    row.rule = plainRule(row.rule)
    const dates = readDates(row, zone, addError)
    if (!dates) return
    const calendar = await calendarOf(context, row, zone)
    const today = localClock(now, zone).slice(0, 10)
    const isResumed = before?.paused && !row.paused
    // It never goes back: what was made once is not made again.
    const through = [row.made_through, before?.made_through, before && !isResumed ? null : addDays(today, -1)]
    row.made_through =
      through
        .flatMap((one) => one ?? [])
        .sort()
        .at(-1) ?? null
    row.problem = draft.problem ?? null

    const unmade = row.paused ? [] : dates.filter((date) => date > (row.made_through ?? ''))
    const lastDay = addDays(today, row.ahead_days)
    const due = row.problem || context.imported ? [] : unmade.filter((date) => date <= lastDay).slice(0, MAX_MADE)
    row.made_through = due.at(-1) ?? row.made_through
    const next = row.paused ? [] : dates.filter((date) => date >= today)
    row.next_dates = next.slice(0, NEXT_DATES).map((date) => {
      const { planned_start_at, why } = occurrenceOn(row, date, calendar)
      return { date, planned_start_at, why }
    })
    row.due_at = dueAt(row, unmade[due.length], next[0], now, zone)
    plans.set(change, { calendar, dates, due })
  },

  async check(context, change) {
    const { row } = change
    if (!row) return
    await checkTemplate(context, { ...change, row })
    const plan = plans.get(change)
    if (plan) checkExceptions(context, { ...change, row }, plan.dates)
  },

  async after(context, change) {
    const { row, before, draft } = change
    const plan = plans.get(change)
    if (!row || !plan) return
    const { calendar, dates, due } = plan
    for (const date of due) await makeJob(context, row, occurrenceOn(row, date, calendar))
    if (!before) return
    const zone = calendar.zone
    const was = {
      calendar: await calendarOf(context, before, zone),
      dates: datesOf(before.rule, before.first_at, zone),
    }
    await followDates(context, { row, before, follows: draft.open_jobs === 'follow', now: { calendar, dates }, was })
  },
}

function readDates(row: Recurrence, zone: string, addError: Change<typeof recurrence>['addError']): string[] | null {
  try {
    return datesOf(row.rule, row.first_at, zone)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    addError('rule', error)
    return null
  }
}

/** When the next job is made, or the next date has passed and others are told. */
function dueAt(
  { problem, paused, ahead_days }: Recurrence,
  unmade: string | undefined,
  next: string | undefined,
  now: string,
  zone: string,
) {
  if (paused) return null
  if (problem) return later(now, DAY_MS)
  const days = [unmade && addDays(unmade, -ahead_days), next && addDays(next, 1)]
  return days.flatMap((day) => (day ? localInstant(day, '00:00', zone) : [])).sort()[0] ?? null
}

/** Holidays and the company's week count where the recurrence looks at them. */
async function calendarOf({ tx, call }: MutationContext, { on_holiday }: Recurrence, zone: string): Promise<Calendar> {
  if (on_holiday === 'keep') return { zone, holidays: [], week: null }
  const all = tx.asSystem("the company's holidays are everybody's")
  const holidays = await all.list(absence, {
    filters: [
      { field: 'user_id', op: 'null' },
      { field: 'state', op: '=', value: 'granted' },
      { field: 'to', op: '>', value: later(call.now, -MAX_HOLIDAY_DAYS * DAY_MS) },
    ],
    limit: MAX_HOLIDAYS,
  })
  const [week = null] = await all.list(workingWeek, {
    filters: [
      { field: 'user_id', op: 'null' },
      { field: 'group_id', op: 'null' },
    ],
    sort: { field: 'id', down: true },
    limit: 1,
  })
  return { zone, holidays, week }
}

/** Has the next round look again at recurrences whose dates a holiday moves. */
export async function recheckHolidays({ tx, call }: MutationContext): Promise<void> {
  const all = tx.asSystem("the company's holidays are everybody's")
  const moved = await all.list(recurrence, {
    filters: [
      { field: 'on_holiday', op: 'in', value: ['skip', 'before', 'after'] },
      { field: 'paused', op: '=', value: 0 },
    ],
    limit: MAX_HOLIDAYS,
  })
  for (const one of moved) await all.update(recurrence, one, { due_at: call.now })
}

/** Holidays and recurrences that are looked at; holidays that began so long ago. */
const [MAX_HOLIDAYS, MAX_HOLIDAY_DAYS] = [1000, 31]

/** Whether jobs can be made at all; the rest is found out as they are. */
async function checkTemplate(context: MutationContext, { row, before, addError }: Saving<typeof recurrence>) {
  const from = await templateOf(context, row)
  if (from && !from.enabled && row.template_id !== before?.template_id)
    addError('template_id', validationError.disabled(`${from.id} (${from.name})`), `Enable ${from.name}`)
  if (!row.customer_id && !from?.customer_id) addError('customer_id', validationError.blank())
}

const templateOf = async ({ tx }: MutationContext, { template_id }: Recurrence) =>
  template_id ? tx.find(template, template_id) : null

/** One exception a date; of a date that the rule does not have it is kept, as the rule may have it again. */
function checkExceptions({ warn }: MutationContext, change: Saving<typeof recurrence>, dates: string[]): void {
  const { row, addError } = change
  for (const [i, { date }] of row.exceptions.entries())
    if (row.exceptions.findIndex((one) => one.date === date) < i)
      addError(`exceptions[${i}].date`, validationError.taken())
    else if (!dates.includes(date))
      warn({
        field: `exceptions[${i}].date`,
        code: 'no_date',
        message: 'is no date of the rule, and counts for nothing',
        remedy: 'Choose one of its dates',
      })
}
