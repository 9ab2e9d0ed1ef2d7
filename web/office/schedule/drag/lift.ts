import { ApiError } from '../../../client/index.ts'
import { t } from '../../../ui/words.ts'
import { Observable } from '../../observable.ts'
import type { Job } from '../board/plan.ts'
import { type Candidate, type Reason, type Verdict, verdictOf, worstFirst } from '../board/verdict.ts'
import { candidatesAt, type Known, knownOf, type Span } from '../board/verdict-at.ts'
import { candidatesWithin } from '../candidates.ts'
import type { Desk } from '../desk.ts'
import { reasonText } from '../reasons.ts'
import { type Lifted, type Target, targetOf } from './target.ts'

/** What is drawn of a verdict. */
export interface RowVerdict {
  kind: Verdict
  line: string
}

/** The server is asked about another time when that has not changed for so long; until then the last answer says it. */
const restMs = 250
/** Verdicts of this much time before and after are known from one answer; a job that is moved further is asked about anew. */
const aroundMs = 3 * 86_400_000

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
  #known: Known | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(desk: Desk) {
    this.#desk = desk
  }

  readonly onVerdicts = (listener: () => void) => this.#verdicts.subscribe(listener)
  readonly verdict = (worker: number): RowVerdict | null => this.#verdicts.get().get(worker) ?? null

  /** What the guard says of where it would be put; null while it has not said. */
  verdictHere(): (RowVerdict & { reasons: readonly Reason[] }) | null {
    const { row } = this.lifted.get()?.target ?? { row: 'tray' }
    // Rows keep what they draw as long as that is the same; its reasons may be of another time.
    const candidate = this.candidates.get()?.find(({ worker_id }) => worker_id === row)
    return candidate ? rowVerdictOf(candidate, this.#desk) : null
  }

  take(job: Job, more: Pick<Lifted, 'with' | 'by' | 'copies'> & { jobs?: readonly Job[]; at?: number }) {
    const origin = targetOf(job, more.at ?? this.#desk.now.get())
    this.lifted.set({ ...more, job, jobs: more.jobs ?? [job], origin, target: origin })
    void this.#ask()
  }

  move(target: Target) {
    const lifted = this.lifted.get()
    if (!lifted || isSame(lifted.target, target)) return
    const { from, to } = lifted.target
    this.lifted.set({ ...lifted, target })
    if (from === target.from && to === target.to) return
    if (this.#known) this.#say(candidatesAt(this.#known, lifted.job, target, this.#desk.now.get()))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), restMs)
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
    this.#known = null
    this.lifted.set(null)
    this.#verdicts.set(new Map())
    this.candidates.set(null)
  }

  /** All rows from one answer: the server's word on this time, and what it takes to say it of others. The last question counts. */
  async #ask() {
    const { job, target } = this.lifted.get() ?? {}
    if (!job || !target) return
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    const { signal } = asking
    const window = spanAround(target)
    try {
      const answer = await candidatesWithin(this.#desk.board.live.client, job, target, window, signal)
      const now = this.lifted.get()
      if (signal.aborted || !now) return
      this.#known = knownOf(answer)
      const isThere = now.target.from === target.from && now.target.to === target.to
      this.#say(isThere ? answer.candidates : candidatesAt(this.#known, job, now.target, this.#desk.now.get()))
    } catch (error) {
      // Without an answer no row is marked, and the drop is still decided by the server.
      if (!signal.aborted && !(error instanceof ApiError)) throw error
    }
  }

  /** Rows whose verdict is the same stay as they are. */
  #say(found: readonly Candidate[]) {
    this.candidates.set(found)
    const verdicts = new Map(this.#verdicts.get())
    for (const candidate of found) {
      const [before, now] = [verdicts.get(candidate.worker_id), rowVerdictOf(candidate, this.#desk)]
      if (before?.kind !== now.kind || before.line !== now.line) verdicts.set(candidate.worker_id, now)
    }
    this.#verdicts.set(verdicts)
  }
}

const spanAround = ({ from, to }: Target): Span => ({ from: from - aroundMs, to: to + aroundMs })

export function rowVerdictOf(candidate: Candidate, desk: Desk): RowVerdict & { reasons: readonly Reason[] } {
  const reasons = worstFirst(candidate.reasons)
  const [first] = reasons
  return { kind: verdictOf(candidate), line: first ? reasonText(first, desk) : freeLine(candidate), reasons }
}

function freeLine({ distance_km }: Candidate): string {
  return distance_km === null ? t('Free') : t('Free, {distance} km away', { distance: distance_km })
}

const isSame = (a: Target, b: Target) => a.row === b.row && a.from === b.from && a.to === b.to
