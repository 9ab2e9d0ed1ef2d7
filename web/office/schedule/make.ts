import { ApiError, type Write } from '../../client/index.ts'
import { toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'
import { durationOf, type Job, planOf, type WholeJob } from './board/plan.ts'
import type { Desk } from './desk.ts'
import type { Target } from './drag/target.ts'
import { addDays, clockOf, dayOf, instantAt } from './time/zone.ts'
import { titleOf } from './words.ts'
import { isoOf, writeOf } from './writes.ts'

/** What a job like another says; not when, who, or what was done. */
function likenessOf(job: WholeJob) {
  const { group_ids, customer_id, site_id, template_name, asset_ids, equipment_ids, tag_ids } = job
  const { pricebook_id, notes, contact, priority, planned_duration } = job
  return {
    group_ids,
    customer_id,
    site_id,
    template_name,
    asset_ids,
    equipment_ids,
    tag_ids,
    pricebook_id,
    notes,
    contact,
    priority,
    planned_duration,
    steps: job.steps.map(({ name, location }) => ({ name, location })),
    custom_fields: job.custom_fields.map(({ name, type, permission, options, show_when }) => ({
      name,
      type,
      permission,
      options,
      show_when,
    })),
  }
}

const newJob = (body: object): Write => ({ method: 'POST', path: 'jobs', body: { job: body } })

/** Makes a job like another at a place. */
export function copyTo(desk: Desk, job: Job, target: Target): Promise<boolean> {
  const where = {
    ...(typeof target.row === 'number' && { worker_id: target.row }),
    ...(target.row !== 'tray' && { planned_start_at: isoOf(target.from) }),
  }
  const says = t('Copied: {what}', { what: desk.acts.placedText(job, target) })
  return makeLike(desk, job, says, (likeness) => [newJob({ ...likeness, ...where })])
}

/** Makes a job like each of several, without a worker or a time, in one deed. */
export async function copyAll(desk: Desk, jobs: readonly Job[]): Promise<boolean> {
  const [first] = jobs
  if (!first) return false
  const says = t('{count, plural, one {Copied # job to the tray} other {Copied # jobs to the tray}}', {
    count: jobs.length,
  })
  return makeLike(desk, first, says, async (likeness) => {
    const others = await Promise.all(jobs.slice(1).map(({ id }) => desk.board.whole(id)))
    return [newJob(likeness), ...others.map((other) => newJob(likenessOf(other)))]
  })
}

/** Two jobs take each other's place; on one row the later ends when it ended before. */
export function swap(desk: Desk, a: Job, b: Job): Promise<void> {
  const [first, second] = (planOf(a)?.from ?? 0) <= (planOf(b)?.from ?? 0) ? [a, b] : [b, a]
  const [one, two] = [planOf(first), planOf(second)]
  if (!one || !two) return Promise.resolve()
  const isSameRow = first.worker_id === second.worker_id
  const after = isSameRow ? two.to - durationOf(first) : two.from
  const says = t('Swapped {one} and {other}', { one: titleOf(first), other: titleOf(second) })
  return desk.acts.change(says, [
    { job: first, changes: placeAt(second, after, isSameRow) },
    { job: second, changes: placeAt(first, one.from, isSameRow) },
  ])
}

const placeAt = ({ worker_id }: Job, from: number, isSameRow: boolean): Partial<Job> => ({
  planned_start_at: isoOf(from),
  ...(!isSameRow && { worker_id }),
})

/** The job that the same worker has after this one. */
export function nextOf({ board }: Desk, job: Job): Job | null {
  const plan = planOf(job)
  if (!plan || job.worker_id === null) return null
  const row = board.jobs.where('row', job.worker_id)
  return row.find((other) => other.id !== job.id && (planOf(other)?.from ?? 0) >= plan.from) ?? null
}

/** The first half stays; the second is a job like it, a day later at the same clock. */
export function split(desk: Desk, job: Job): Promise<boolean> {
  const plan = planOf(job)
  if (!plan) return Promise.resolve(false)
  const quarters = Math.max(1, Math.round(durationOf(job) / 2 / 900_000))
  const half = quarters * 900
  const rest = Math.max(900, durationOf(job) / 1000 - half)
  const { zone } = desk
  const next = instantAt(addDays(dayOf(plan.from, zone), 1), clockOf(plan.from, zone), zone)
  const { worker_id } = job
  const second = { worker_id, planned_start_at: isoOf(next), planned_duration: rest }
  return makeLike(desk, job, t('Split {customer} over two days', { customer: titleOf(job) }), (likeness) => [
    writeOf({ job, changes: { planned_duration: half } }),
    newJob({ ...likeness, ...second }),
  ])
}

/** What it takes to make a job like another is read first. */
async function makeLike(
  desk: Desk,
  job: Job,
  says: string,
  writes: (likeness: ReturnType<typeof likenessOf>) => Write[] | Promise<Write[]>,
): Promise<boolean> {
  try {
    return await desk.acts.write(says, titleOf(job), await writes(likenessOf(await desk.board.whole(job.id))))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast({ kind: 'failed', title: `${titleOf(job)}: ${error.message}`, detail: t('Nothing of it was done.') })
    return false
  }
}

/** What a person says of a new job. */
export interface NewJob {
  customer_name: string
  /** Without a template: what is to be done. */
  template_id: number | null
  work: string
  planned_duration: number | null
  notes: string
  urgent: boolean
}

/** @returns whether it was made, or waits for the connection */
export function make(desk: Desk, said: NewJob, at: Pick<Target, 'row' | 'from'> | null): Promise<boolean> {
  const { template_id, work, customer_name } = said
  const worker = typeof at?.row === 'number' ? desk.board.workers.get(at.row) : undefined
  const body = {
    customer_name,
    ...(template_id === null ? { template_name: work, steps: [{ name: work }] } : { template_id }),
    ...(said.planned_duration !== null && { planned_duration: said.planned_duration }),
    ...(said.notes && { notes: said.notes }),
    ...(said.urgent && { priority: 'urgent' }),
    ...(at && at.row !== 'tray' && { planned_start_at: isoOf(at.from) }),
    ...(worker && { worker_id: worker.id, ...(template_id === null && { group_ids: worker.group_ids }) }),
  }
  return desk.acts.write(t('Made a job for {customer}', { customer: customer_name }), t('New job'), [newJob(body)])
}
