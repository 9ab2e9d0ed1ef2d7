import { job as jobRecord } from '../../../src/records/job.ts'
import { ApiError, type Write } from '../../client/index.ts'
import { isDraft } from '../../ui/job-state.ts'
import { caps, together } from '../../ui/keys.ts'
import { toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'
import { tellDone } from '../job/tell-done.ts'
import { Observable } from '../observable.ts'
import { durationOf, type Job, planOf } from './board/plan.ts'
import { type Candidate, needsWhy, type Reason } from './board/verdict.ts'
import { Deeds } from './deeds.ts'
import type { Desk } from './desk.ts'
import type { Target } from './drag/target.ts'
import { copyTo } from './make.ts'
import { type Publication, publication } from './publish/publication.ts'
import { rangeText, titleOf } from './words.ts'
import { type Change, changesOf, isoOf, reasonsOf, writeOf } from './writes.ts'

/** What a person is asked or told about an act, over the board. */
export type Question =
  | { kind: 'refused'; job: Job; target: Target; reasons: readonly Reason[]; candidates: readonly Candidate[] }
  | { kind: 'why'; job: Job; target: Target; reasons: readonly Reason[]; place: (reason: string) => void }
  | { kind: 'conflict'; job: Job; error: ApiError; again: () => void }
  | { kind: 'move' | 'give' | 'cancel'; jobs: readonly Job[] }
  | { kind: 'new'; at: Pick<Target, 'row' | 'from'> | null }

/** What a dispatcher does to jobs. Each act is one deed: one toast, and one undo. */
export class Acts {
  readonly #desk: Desk
  readonly question = new Observable<Question | null>(null)
  readonly isPublishing = new Observable(false)
  readonly deeds: Deeds
  /** The write that is on its way: what is undone while it is, is that. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(desk: Desk) {
    this.#desk = desk
    this.deeds = new Deeds(desk.board.live)
  }

  /** Why a job stays where it is; null when it may be moved. */
  staysWhy(job: Job): string | null {
    if (!this.#desk.mayPlan) return t('You may look at the schedule, and not change it.')
    const holder = this.#desk.held.get().get(job.id)
    if (holder !== undefined) return t('{name} has this.', { name: holder })
    if (job.progress_state === 'completed') return t('It is completed.')
    if (job.locked_at) return t('It is locked.')
    return job.canceled_at ? t('It is cancelled.') : null
  }

  tellStays(job: Job, why: string) {
    toast({ kind: 'failed', title: t('{customer} stays where it is', { customer: titleOf(job) }), detail: why })
  }

  ask(question: Question) {
    this.question.set(question)
  }

  /** What was in the hand is put down: at once, after a question, or not at all. */
  drop() {
    const { lift } = this.#desk
    const verdict = lift.verdictHere()
    const candidates = lift.candidates.get() ?? []
    const lifted = lift.drop()
    if (!lifted) return
    const { job, jobs, target } = lifted
    if (lifted.copies) return void copyTo(this.#desk, job, target)
    if (jobs.length > 1) return void this.#moveAll(jobs, lifted.origin, target)
    if (Object.keys(changesOf(job, target)).length === 0) return
    const reasons = verdict?.reasons ?? []
    if (verdict?.kind === 'no') return this.question.set({ kind: 'refused', job, target, reasons, candidates })
    const place = (reason?: string) => void this.place(job, target, candidates, reason)
    const whys = needsWhy(reasons)
    if (whys.length > 0) this.question.set({ kind: 'why', job, target, reasons: whys, place })
    else place()
  }

  /** Puts a job somewhere. What the server refuses goes back, and is told with its reasons. */
  async place(job: Job, target: Target, candidates: readonly Candidate[] = [], reason?: string) {
    const changes = changesOf(job, target)
    if (Object.keys(changes).length === 0) return
    const refused = (error: ApiError) => {
      if (error.status !== 422) return false
      this.question.set({ kind: 'refused', job, target, reasons: reasonsOf(error.faults, true), candidates })
      return true
    }
    await this.#write(this.placedText(job, target), [{ job, changes }], refused, reason)
  }

  /** All by as much as the one that was taken hold of; and to the same worker, if it changed hands. */
  async #moveAll(jobs: readonly Job[], origin: Target, target: Target) {
    const shift = target.from - origin.from
    const list = jobs.map((job) => {
      const plan = planOf(job) ?? { from: origin.from, to: origin.from + durationOf(job) }
      const row = target.row === origin.row ? (job.worker_id ?? 'timed') : target.row
      return { job, changes: changesOf(job, { row, from: plan.from + shift, to: plan.to + shift }) }
    })
    await this.change(t('Moved {count} jobs', { count: jobs.length }), list)
  }

  async give(jobs: readonly Job[], worker: number) {
    const name = this.#desk.workerName(worker)
    const says =
      jobs.length === 1
        ? t('{customer} is with {worker}', { customer: titleOf(jobs[0] as Job), worker: name })
        : t('Gave {count} jobs to {worker}', { count: jobs.length, worker: name })
    await this.change(
      says,
      jobs.map((job) => ({ job, changes: { worker_id: worker } })),
    )
  }

  async moveBy(jobs: readonly Job[], ms: number) {
    const planned = jobs.flatMap((job) => {
      const plan = planOf(job)
      return plan ? [{ job, changes: { planned_start_at: isoOf(plan.from + ms) } }] : []
    })
    await this.change(t('{count, plural, one {Moved # job} other {Moved # jobs}}', { count: planned.length }), planned)
  }

  async moveTo(jobs: readonly Job[], at: number) {
    const says = t('{count, plural, one {Moved # job} other {Moved # jobs}}', { count: jobs.length })
    await this.change(
      says,
      jobs.map((job) => ({ job, changes: { planned_start_at: isoOf(at) } })),
    )
  }

  async takeOff(jobs: readonly Job[]) {
    const held = jobs.filter((job) => job.worker_id !== null)
    const says = t('{count, plural, one {Took the worker off # job} other {Took the workers off # jobs}}', {
      count: held.length,
    })
    await this.change(
      says,
      held.map((job) => ({ job, changes: { worker_id: null } })),
    )
  }

  /** Neither worker nor time: back in the tray. */
  async toTray(jobs: readonly Job[]) {
    const placed = jobs.filter((job) => job.worker_id !== null || job.planned_start_at !== null)
    const says = t('{count, plural, one {Put # job back in the tray} other {Put # jobs back in the tray}}', {
      count: placed.length,
    })
    await this.change(
      says,
      placed.map((job) => ({ job, changes: { worker_id: null, planned_start_at: null } })),
    )
  }

  /** Takes back from their workers what they have been told. */
  async unpublish(jobs: readonly Job[]) {
    const told = jobs.filter((job) => job.published_at !== null)
    const [first] = told
    if (!first) return
    const says = t('{count, plural, one {# job is a draft again} other {# jobs are drafts again}}', {
      count: told.length,
    })
    const writes = told.map(
      ({ id }): Write => ({
        method: 'DELETE',
        path: `jobs/${id}/publication`,
        expected: { record: jobRecord, id, changes: { published_at: null, confirmation: null } },
      }),
    )
    await this.write(says, titleOf(first), writes)
  }

  /** Locks all of them, or unlocks them where all are locked. */
  async lock(jobs: readonly Job[]) {
    const isLocked = jobs.every(({ locked_at }) => locked_at !== null)
    const locked_at = isLocked ? null : isoOf(this.#desk.board.live.client.now())
    const says = isLocked
      ? t('{count, plural, one {Unlocked # job} other {Unlocked # jobs}}', { count: jobs.length })
      : t('{count, plural, one {Locked # job} other {Locked # jobs}}', { count: jobs.length })
    await this.change(
      says,
      jobs.map((job) => ({ job, changes: { locked_at } })),
    )
  }

  async cancel(jobs: readonly Job[], reason: string) {
    const says = t('{count, plural, one {Cancelled # job} other {Cancelled # jobs}}', { count: jobs.length })
    const canceled_at = isoOf(this.#desk.board.live.client.now())
    await this.change(
      says,
      jobs.map((job) => ({ job, changes: { canceled_at, cancel_reason: reason || null } })),
    )
  }

  /**
   * Tells the workers of these jobs; those who have been told are not told again. Nothing of it waits for a connection:
   * who is told, and how, is decided now. @returns null when nothing went out
   */
  async publish(jobs: readonly Job[]): Promise<Publication | null> {
    const drafts = jobs.filter(isDraft)
    if (drafts.length === 0) return null
    try {
      const done = await publication(this.#desk.board.live.client, drafts)
      const count = done.published_job_ids.length
      const [held] = done.held_back
      if (held) this.#tellHeld(held)
      if (count === 0) return null
      const says = t('{count, plural, one {Published # job} other {Published # jobs}}', { count })
      this.deeds.add(done.call_id, says)
      toast({
        title: says,
        about: 'deed',
        action: { label: t('Undo'), shortcut: together(caps.mod, 'Z'), run: () => void this.undo() },
      })
      return done
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast({ kind: 'failed', title: error.message, detail: t('Nobody was told.') })
      return null
    }
  }

  #tellHeld({ job_id, errors: [fault] }: Publication['held_back'][number]) {
    const job = this.#desk.job(job_id)
    toast({
      kind: 'failed',
      title: t('{customer} stays a draft: {why}', { customer: job ? titleOf(job) : job_id, why: fault?.message ?? '' }),
      ...(fault?.remedy && { detail: fault.remedy }),
    })
  }

  /** The same to several, in one deed. */
  async change(says: string, list: readonly Change[]) {
    await this.#write(says, list, () => false)
  }

  /** Anything else that is written, or made: one deed, with a toast and an undo. `about` begins what is told where it fails. */
  async write(says: string, about: string, writes: readonly Write[]): Promise<boolean> {
    return this.#send(says, writes, (error) => this.#tellFault(about, error))
  }

  /**
   * One write to a job, by whoever shows themselves what becomes of it. Without a connection it waits, and is told later.
   * @throws ApiError when it is refused
   */
  async send(job: Job, says: string, write: Write): Promise<void> {
    const { live } = this.#desk.board
    const sending = this.#keep(t('{customer}: {what}', { customer: titleOf(job), what: says }), [write])
    const waiting = new Promise<void>((resolve) => {
      const look = () => live.connection.name !== 'open' && resolve()
      const end = live.onChange(look)
      void sending.catch(() => {}).finally(end)
      look()
    })
    const isWaiting = await Promise.race([sending.then(() => false), waiting.then(() => true)])
    if (isWaiting) sending.catch((error) => this.tellRefused(job, error))
  }

  tellRefused(job: Job, error: ApiError) {
    this.#tellFault(titleOf(job), error)
  }

  #tellFault(about: string, error: ApiError) {
    const [fault] = error.faults
    if (fault?.code === 'discarded') return
    toast({
      kind: 'failed',
      title: `${about}: ${fault?.message ?? error.message}`,
      ...(fault?.remedy && { detail: fault.remedy }),
    })
  }

  async #write(says: string, list: readonly Change[], refused: (error: ApiError) => boolean, reason?: string) {
    if (list.length > 0)
      await this.#send(says, list.map(writeOf), (error) => this.#tell(error, list, says, refused), reason)
  }

  async #send(says: string, writes: readonly Write[], failed: (error: ApiError) => void, reason?: string) {
    try {
      await this.#keep(says, writes, reason)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failed(error)
      return false
    }
  }

  /** @throws ApiError */
  async #keep(says: string, writes: readonly Write[], reason?: string): Promise<void> {
    const writing = this.#desk.board.live.write(says, writes, reason ? { query: { reason } } : {})
    this.#writing = writing.then(
      ({ callId }) => this.deeds.add(callId, says),
      () => {},
    )
    const { body } = await writing
    tellDone(says, body, { label: t('Undo'), shortcut: together(caps.mod, 'Z'), run: () => void this.undo() })
  }

  #tell(error: ApiError, list: readonly Change[], says: string, refused: (error: ApiError) => boolean) {
    const [fault] = error.faults
    const change = list[fault?.request ?? 0] as Change
    if (fault?.code === 'discarded') return
    if (list.length === 1 && (error.status === 412 || error.status === 409)) {
      const { job, changes } = change
      const again = () => void this.change(says, [{ job: this.#desk.job(job.id) ?? job, changes }])
      return this.question.set({ kind: 'conflict', job, error, again })
    }
    if (list.length === 1 && refused(error)) return
    const title = `${titleOf(change.job)}: ${fault?.message ?? error.message}`
    const detail = list.length > 1 ? t('Nothing of it was done.') : fault?.remedy
    toast({ kind: 'failed', title, ...(detail && { detail }) })
  }

  async undo() {
    await this.#turn(
      () => this.deeds.undo(),
      (says) => t('Undone: {deed}', { deed: says }),
    )
  }

  async redo() {
    await this.#turn(
      () => this.deeds.redo(),
      (says) => t('Done again: {deed}', { deed: says }),
    )
  }

  async #turn(turn: () => Promise<string | null>, words: (says: string) => string) {
    // One after the other: what is pressed twice undoes two deeds, and not one of them twice.
    const turning = this.#writing.then(turn)
    this.#writing = turning.catch(() => {})
    try {
      const says = await turning
      if (says !== null) toast({ title: words(says), about: 'deed' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast({ kind: 'failed', title: error.message })
    }
  }

  placedText(job: Job, target: Target): string {
    const customer = titleOf(job)
    if (target.row === 'tray') return t('{customer} is back in the tray', { customer })
    const time = rangeText(target.from, target.to, this.#desk.zone)
    if (target.row === 'timed') return t('{customer} is at {time}, with nobody', { customer, time })
    return t('{customer} is with {worker}, {time}', { customer, worker: this.#desk.workerName(target.row), time })
  }
}
