import { wholeSeconds } from '#fields/instant'
import type { Account } from '#records/account'
import { type Coordinates, coordinatesOf } from './coordinates.ts'
import type { Facts, Plan } from './facts.ts'
import { travelOf } from './travel.ts'
import { isAbsent, type Span, workingSpans } from './working-time.ts'

/** A span that is taken; by which job, where the caller sees it. */
export interface Busy extends Span {
  job_id: number | null
  /** Where that is; null where that is not known, or not to the caller. */
  place: Coordinates | null
}

/** What verdicts follow from in a window of time, for who says them anew as a job is moved in it. */
export interface Schedule extends Span {
  workers: {
    worker_id: number
    worker_name: string
    shift_on: boolean
    /** Which of the weeks is theirs; null where no hours are asked for. */
    week_id: number | null
    place: Coordinates | null
    tags: { id: number; expires_at: string | null }[]
    absences: (Span & { kind: string })[]
    busy: Busy[]
  }[]
  weeks: { id: number; spans: Span[] }[]
  /** The equipment that the jobs take, and the tags that who uses it must hold. */
  equipment: { equipment_id: number; name: string; tag_ids: number[]; busy: Busy[] }[]
  /** Codes of reasons that the account's settings make block. */
  blocking: string[]
  /** How a way is estimated: great circle times factor, at this speed. */
  travel: ReturnType<typeof travelOf>
}

/** A day by its hours has one span or a few, and a request asks for so many days at most. */
export const MAX_WINDOW_DAYS = 31

export function scheduleOf(
  facts: Facts,
  places: Map<number, Coordinates>,
  window: Span,
  { settings, time_zone: zone }: Account,
): Schedule {
  const weeks = new Map<number, Span[]>()
  const plans = [...facts.plans.values()].flat().filter((plan) => !plan.completed_at)
  const workers = facts.workers.map((worker) => {
    const week = facts.weeks.get(worker.id)
    if (week && !weeks.has(week.id)) weeks.set(week.id, workingSpans(week, zone, window.from, window.to))
    return {
      worker_id: worker.id,
      worker_name: worker.name,
      shift_on: worker.shift_on,
      week_id: week?.id ?? null,
      place: coordinatesOf(worker.latest_telemetry) ?? coordinatesOf(worker.start_location),
      tags: worker.tags.map(({ id, expires_at }) => ({ id, expires_at: expires_at && wholeSeconds(expires_at) })),
      absences: facts.absences
        .filter((one) => isAbsent(one, worker.id, window.from, window.to))
        .map(({ kind, ...span }) => ({ ...printed(span), kind })),
      busy: busyOf(
        (facts.plans.get(worker.id) ?? []).filter((plan) => !plan.completed_at),
        window,
        places,
      ),
    }
  })
  return {
    ...printed(window),
    workers,
    weeks: [...weeks].map(([id, spans]) => ({ id, spans: spans.map(printed) })),
    equipment: [...facts.equipment.values()].map(({ id, name, tag_ids }) => ({
      equipment_id: id,
      name,
      tag_ids,
      busy: busyOf(
        plans.filter(({ equipment_ids }) => equipment_ids.includes(id)),
        window,
        places,
      ),
    })),
    travel: travelOf(settings),
    blocking: [
      ...(settings.prevent_double_booking ? ['worker_busy', 'equipment_busy'] : []),
      ...(settings.prevent_off_shift ? ['off_shift'] : []),
      ...(settings.prevent_outside_working_hours ? ['absent', 'outside_working_hours'] : []),
    ],
  }
}

function busyOf(plans: Plan[], window: Span, places: Map<number, Coordinates>): Busy[] {
  return plans.flatMap(({ id, hidden, planned_start_at: from, planned_end_at: to }) =>
    from && to && from < window.to && window.from < to
      ? [{ job_id: hidden ? null : id, ...printed({ from, to }), place: places.get(id) ?? null }]
      : [],
  )
}

const printed = ({ from, to }: Span): Span => ({ from: wholeSeconds(from), to: wholeSeconds(to) })
