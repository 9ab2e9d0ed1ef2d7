import { type Draft, type FieldError, fieldError, type Raw, readFields, rowIn, ValidationError } from '#fields'
import { invalid, notFound, Problem } from '#problem'
import type { Conflict, conflict } from '#records/conflict'
import { type Job, job } from '#records/job'
import { actsAsWorker } from './abilities.ts'
import { partsOf } from './conflicts.ts'
import { tellOfDecision } from './notices.ts'
import type { MutationContext } from './rule.ts'
import { filterWorkerDraft } from './worker-draft.ts'

/** The job gets what was written; or stays, and what was written is kept with it as a note; or just stays. */
export const choices = ['taken', 'noted', 'left'] as const
export type Choice = (typeof choices)[number]

/**
 * The change of a conflict that decides it. To take what was written is an ordinary change of the job, by who decides: the
 * office, or the writer, as far as that is still theirs to write. What was done offline, the office decides.
 */
export async function decide(context: MutationContext, row: Conflict, choice: Choice): Promise<Draft<typeof conflict>> {
  const { tx, call, update } = context
  const { actor } = call
  const isWorker = actsAsWorker(actor, job)
  const isDoneOffline = row.kind === 'done_offline'
  if (isDoneOffline && isWorker) throw new Problem('forbidden', 'What was done offline is for the office to decide')
  if (row.state === choice) return {}
  if (row.state !== 'open')
    throw new Problem('conflict', `It was decided already: ${row.state}`, { params: { state: row.state } })
  const about = choice === 'taken' ? await tx.find(job, row.job_id) : null
  if (choice === 'taken') {
    if (!about) throw notFound()
    const errors: FieldError[] = []
    const draft = isDoneOffline ? takenOver(about, row, errors) : draftAt(about, row, isWorker, errors)
    const own = isWorker ? filterWorkerDraft(actor, job, about, draft, errors) : draft
    if (errors.length > 0) throw invalid(errors)
    await update(job, about, own)
  }
  await tellOfDecision(context, row, about)
  return { state: choice, decided_by_user_id: actor.kind === 'user' ? actor.id : null, decided_at: call.now }
}

/** The draft of a job that puts what was written where it belongs; of a list, a worker says the one item. */
function draftAt(about: Job, { path, mine }: Conflict, isWorker: boolean, errors: FieldError[]): Draft<typeof job> {
  const [name = '', ...inner] = partsOf(path ?? '')
  const [id, field = ''] = inner
  const list: unknown = rowIn(about)[name]
  if (!Array.isArray(list)) {
    const value = inner.reduceRight<Raw>((value, part) => ({ [part]: value }), mine)
    return readFields(job.fields, { [name]: value }, { path: '', errors })
  }
  const item = list.find((one) => String(one.id) === id)
  if (!item) throw notFound()
  const change = { id: item.id, [field]: mine }
  return { [name]: isWorker ? [change] : list.map((one) => (one === item ? { ...one, ...change } : one)) }
}

/** A step, field or line item of a job: as it is, or what was said of it. */
interface Item {
  id: number
  name?: string
  code?: string
  completed_at?: string | null
}

/**
 * The draft that takes over what was done offline into the job as it is now. The writer did it: a step that is completed by it
 * was completed by them.
 */
function takenOver(
  about: Job,
  { mine, mine_by_user_id: writer, mine_at }: Conflict,
  errors: FieldError[],
): Draft<typeof job> {
  const refuse = (name: string, problem: ValidationError) => void errors.push(fieldError(name, problem))
  const draft: Draft<typeof job> = {}
  for (const [name, value] of Object.entries(rowIn(mine))) {
    const now: unknown = rowIn(about)[name]
    if (name === 'confirmation' && about.worker_id !== writer)
      refuse(name, new ValidationError('not_theirs', 'is the answer of somebody who does not have the job: leave it'))
    else Object.assign(draft, { [name]: Array.isArray(now) ? patched(name, now, value) : value })
  }
  // What ended a pause without saying when, ended it when it was done.
  if (draft.paused_at === null && !draft.resumed_at) draft.resumed_at = mine_at
  return draft

  function patched(name: string, items: Item[], changes: Item[]): Item[] {
    for (const { id, name: called, code } of changes)
      if (!items.some((item) => item.id === id))
        refuse(
          name,
          new ValidationError(
            'not_there',
            `has no ${called ?? code ?? `item ${id}`} any more: keep it as a note, or leave it`,
            { params: { item: String(called ?? code ?? id) } },
          ),
        )
    return items.map((item) => {
      const change = changes.find(({ id }) => id === item.id)
      if (!change) return item
      const { completed_at: said } = change
      if (!said) return { ...item, ...change }
      // Of two who completed it, the first did.
      const isFirst = !item.completed_at || said < item.completed_at
      return isFirst ? { ...item, ...change, completed_by_user_id: writer } : item
    })
  }
}
