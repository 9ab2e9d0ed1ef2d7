import { ApiError } from '../../../client/index.ts'
import { toast } from '../../../ui/toast.tsx'
import { t } from '../../../ui/words.ts'
import { Observable } from '../../observable.ts'
import { durationOf, type Job } from '../board/plan.ts'
import type { Desk } from '../desk.ts'
import type { Target } from '../drag/target.ts'
import type { TimeScale } from '../time/scale.ts'
import { changesOf } from '../writes.ts'
import { mostJobs, type Place, type Suggestion, suggestionsFor } from './suggestions.ts'

/** What is suggested, and which place of each job would be taken; a job that is not in `chosen` stays where it is. */
export interface Suggested {
  suggestions: readonly Suggestion[]
  chosen: ReadonlyMap<number, Place>
}

/** Places that were asked for, until they are taken or put away. */
export class Suggest {
  readonly #desk: Desk
  readonly shown = new Observable<Suggested | null>(null)
  #asked = 0

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Looks for places in the days that are shown, from now on. */
  async ask(jobs: readonly Job[], { from, to }: Pick<TimeScale, 'from' | 'to'>): Promise<void> {
    const { acts, now } = this.#desk
    const movable = jobs.filter((job) => acts.staysWhy(job) === null && job.progress_state === 'not_started')
    const [first] = jobs
    if (first && movable.length === 0)
      return acts.tellStays(first, acts.staysWhy(first) ?? t('Its worker has begun with it.'))
    if (to <= now.get())
      return toast({
        kind: 'failed',
        title: t('What is over can’t be planned'),
        detail: t('Show today or a day to come.'),
      })
    const asked = ++this.#asked
    try {
      const begin = Math.max(from, now.get())
      const suggestions = await suggestionsFor(this.#desk, movable.slice(0, mostJobs), begin, to)
      if (asked !== this.#asked) return
      const chosen = suggestions.flatMap(({ job, places: [best] }) => (best ? [[job.id, best] as const] : []))
      this.shown.set({ suggestions, chosen: new Map(chosen) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast({ kind: 'failed', title: error.message, detail: t('No place was looked for.') })
    }
  }

  /** Takes another place for a job, or none. */
  choose(job: number, place: Place | null) {
    const now = this.shown.get()
    if (!now) return
    const chosen = new Map(now.chosen)
    if (place) chosen.set(job, place)
    else chosen.delete(job)
    this.shown.set({ ...now, chosen })
  }

  putAway() {
    this.#asked++
    this.shown.set(null)
  }

  /** All that are chosen, in one deed. */
  async take() {
    const { acts, board } = this.#desk
    const { chosen } = this.shown.get() ?? {}
    this.putAway()
    const placed = [...(chosen ?? [])].flatMap(([id, place]) => {
      const job = board.jobs.get(id)
      return job ? [{ job, target: targetAt(job, place) }] : []
    })
    const [only] = placed
    if (!only) return
    const says =
      placed.length === 1
        ? acts.placedText(only.job, only.target)
        : t('Planned {count} jobs as suggested', { count: placed.length })
    await acts.change(
      says,
      placed.map(({ job, target }) => ({ job, changes: changesOf(job, target) })),
    )
  }
}

export function targetAt(job: Job, { worker_id, planned_start_at }: Place): Target {
  const from = Date.parse(planned_start_at)
  return { row: worker_id, from, to: from + durationOf(job) }
}
