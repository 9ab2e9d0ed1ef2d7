import { ApiError } from '../../../client/index.ts'
import { Observable } from '../../observable.ts'
import { durationOf, type Job, planOf } from '../board/plan.ts'
import { type Candidate, inRowOf, type Reason, type Verdict, verdictOf, worstFirst } from '../board/verdict.ts'
import type { Desk } from '../desk.ts'

/** Where a job would be put. `row` is a worker; those with a time and nobody; or the tray, where it has neither. */
export interface Target {
  row: number | 'timed' | 'tray'
  from: number
  to: number
}

/** What is in the hand. */
export interface Lifted {
  jobs: readonly Job[]
  /** The one that was taken hold of; the others keep their distance to it. */
  job: Job
  origin: Target
  target: Target
  /** What is being changed: its place, or one of its ends. */
  by: 'place' | 'start' | 'end'
  with: 'pointer' | 'keyboard'
}

export interface RowVerdict {
  kind: Verdict
  line: string
  reasons: readonly Reason[]
}

/** A verdict is asked for when the time has not changed for so long. */
const restMs = 60

/**
 * What is in the hand, by pointer or by keyboard, and what the guard says of each row for it. Nothing is drawn here;
 * who draws listens.
 */
export class Lift {
  readonly #desk: Desk
  readonly lifted = new Observable<Lifted | null>(null)
  readonly #verdicts = new Observable<ReadonlyMap<number, RowVerdict>>(new Map())
  readonly candidates = new Observable<readonly Candidate[] | null>(null)
  #asking: AbortController | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(desk: Desk) {
    this.#desk = desk
  }

  readonly onVerdicts = (listener: () => void) => this.#verdicts.subscribe(listener)
  readonly verdict = (worker: number): RowVerdict | null => this.#verdicts.get().get(worker) ?? null

  /** What the guard says of where it would be put; null while it has not said. */
  verdictHere(): RowVerdict | null {
    const { row } = this.lifted.get()?.target ?? { row: 'tray' }
    return typeof row === 'number' ? this.verdict(row) : null
  }

  take(job: Job, more: Pick<Lifted, 'with' | 'by'> & { jobs?: readonly Job[]; at?: number }) {
    const origin = targetOf(job, more.at ?? this.#desk.now.get())
    this.lifted.set({ ...more, job, jobs: more.jobs ?? [job], origin, target: origin })
    void this.#askAll()
  }

  move(target: Target) {
    const lifted = this.lifted.get()
    if (!lifted || isSame(lifted.target, target)) return
    this.lifted.set({ ...lifted, target })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#askHere(), restMs)
  }

  /** @returns what was in the hand; null when nothing was */
  drop(): Lifted | null {
    const lifted = this.lifted.get()
    this.#empty()
    return lifted
  }

  putBack() {
    this.#empty()
  }

  #empty() {
    clearTimeout(this.#timer)
    this.#asking?.abort()
    this.lifted.set(null)
    this.#verdicts.set(new Map())
    this.candidates.set(null)
  }

  /** Who could have it at its own time: all rows from one answer. */
  async #askAll() {
    const { job, target } = this.lifted.get() ?? {}
    if (!job || !target) return
    const found = await this.#answer((signal) => this.#desk.acts.candidates(job, target, signal))
    if (!found) return
    this.candidates.set(found)
    this.#say(found)
  }

  /** What the server would say if it were put down here. */
  async #askHere() {
    const { job, target } = this.lifted.get() ?? {}
    if (!job || !target || typeof target.row !== 'number') return
    const worker = target.row
    const reasons = await this.#answer((signal) => this.#desk.acts.reasonsAt(job, target, signal))
    const known = this.candidates.get()?.find(({ worker_id }) => worker_id === worker)
    const worker_name = this.#desk.workerName(worker)
    if (reasons) this.#say([{ distance_km: null, ...known, worker_id: worker, worker_name, available: true, reasons }])
  }

  /** The last question counts; without an answer no row is marked, and the drop is still decided by the server. */
  async #answer<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    const { signal } = asking
    try {
      const answer = await ask(signal)
      return signal.aborted || !this.lifted.get() ? null : answer
    } catch (error) {
      if (signal.aborted || error instanceof ApiError) return null
      throw error
    }
  }

  /** Rows whose verdict is the same stay as they are. */
  #say(found: readonly Candidate[]) {
    const verdicts = new Map(this.#verdicts.get())
    for (const candidate of found) {
      const [before, now] = [verdicts.get(candidate.worker_id), rowVerdictOf(candidate)]
      if (before?.kind !== now.kind || before.line !== now.line) verdicts.set(candidate.worker_id, now)
    }
    this.#verdicts.set(verdicts)
  }
}

export function rowVerdictOf(candidate: Candidate): RowVerdict {
  const reasons = worstFirst(candidate.reasons)
  const [first] = reasons
  return {
    kind: verdictOf(candidate),
    line: first ? inRowOf(candidate.worker_name, first.message) : freeLine(candidate),
    reasons,
  }
}

import { t } from '../../../ui/words.ts'

function freeLine({ distance_km }: Candidate): string {
  return distance_km === null ? t('Free') : t('Free, {distance} km away', { distance: distance_km })
}

export function targetOf(job: Job, at: number): Target {
  const plan = planOf(job)
  if (plan) return { row: job.worker_id ?? 'timed', ...plan }
  return { row: 'tray', from: at, to: at + durationOf(job) }
}

const isSame = (a: Target, b: Target) => a.row === b.row && a.from === b.from && a.to === b.to
