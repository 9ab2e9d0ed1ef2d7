import type { Draft, Fields, Sent, Values } from '#fields'
import { type Job, job } from './job.ts'
import { work } from './work.ts'

type Parameters = { [name: string]: string }
type JobDraft = Draft<typeof job>

/**
 * What happens to a job, as things with an address of their own: made by POST, taken back by DELETE. Each is a change
 * of the job's fields, so a PUT of the job has the same effects under the same rules. (docs/contract.md#verbs)
 */
export interface Subresource<F extends Fields = Fields, U extends Fields = Fields> {
  /** Its element, and the end of its address. */
  name: string
  path: string
  about: string
  fields: F
  /** A worker may do it with what is their own. */
  workerAllowed?: true
  /** Whether what the address goes through is there: the step. */
  exists?(job: Job, parameters: Parameters): boolean
  /** What it is of a job; null when it isn't there. */
  of(job: Job, parameters: Parameters): Values<NoInfer<F>> | null
  /** The change of the job that makes it, with what the caller said. */
  make(said: Sent<Values<NoInfer<F>>>, job: Job, now: string, parameters: Parameters): JobDraft
  /** What is said in the query as it is taken back. */
  undoFields?: U
  /** The change that takes it back. */
  undo(job: Job, said: Sent<Values<NoInfer<U>>>, parameters: Parameters): JobDraft
}

/** Checks a description by its own fields; all of them are then alike. */
const subresource = <F extends Fields, U extends Fields = Record<never, never>>(one: Subresource<F, U>): Subresource =>
  one

const { published_at, confirmation, decline_reason, paused_at, pause_reason, canceled_at, cancel_reason } = job.fields
const { locked_at, locked_by_user_id } = job.fields
const { internal: _, ...confirmed_at } = job.fields.confirmed_at
const { internal: __, ...resumed_at } = job.fields.resumed_at
const { completed_at, completed_by_user_id } = work.step

export const subresources: Subresource[] = [
  subresource({
    name: 'publication',
    path: '/jobs/{id}/publication',
    about: 'Sends the job to its worker.',
    fields: { published_at },
    of: (row) => (row.published_at ? row : null),
    make: (said, row, now) => ({ published_at: said.published_at ?? row.published_at ?? now }),
    undo: () => ({ published_at: null }),
  }),
  subresource({
    name: 'confirmation',
    workerAllowed: true,
    path: '/jobs/{id}/confirmation',
    about: 'What the worker says to a published job: accepted, unless it says otherwise.',
    fields: { confirmation, decline_reason, confirmed_at },
    of: (row) => (row.confirmation ? row : null),
    make: (said) => ({
      confirmation: said.confirmation ?? 'accepted',
      decline_reason: said.decline_reason ?? null,
      confirmed_at: said.confirmed_at ?? null,
    }),
    undo: (row) => ({ confirmation: row.published_at ? 'pending' : null, decline_reason: null }),
  }),
  subresource({
    name: 'pause',
    workerAllowed: true,
    path: '/jobs/{id}/pause',
    about: 'Stops the clock of a started job; completing a step resumes.',
    fields: { paused_at, pause_reason },
    of: (row) => (row.paused_at ? row : null),
    make: (said, row, now) => ({
      paused_at: row.paused_at ?? said.paused_at ?? now,
      pause_reason: said.pause_reason ?? row.pause_reason,
    }),
    undoFields: { resumed_at },
    undo: (_, said) => ({ paused_at: null, ...said }),
  }),
  subresource({
    name: 'lock',
    path: '/jobs/{id}/lock',
    about: 'Keeps the job where it is: nobody moves it or gives it to somebody else until it is unlocked.',
    fields: { locked_at, locked_by_user_id },
    of: (row) => (row.locked_at ? row : null),
    make: (said, row, now) => ({ locked_at: row.locked_at ?? said.locked_at ?? now }),
    undo: () => ({ locked_at: null }),
  }),
  subresource({
    name: 'cancellation',
    path: '/jobs/{id}/cancellation',
    about: 'Keeps the job without a worker and a time; can be taken back.',
    fields: { canceled_at, cancel_reason },
    of: (row) => (row.canceled_at ? row : null),
    make: (said, row, now) => ({
      canceled_at: row.canceled_at ?? said.canceled_at ?? now,
      cancel_reason: said.cancel_reason ?? row.cancel_reason,
    }),
    undo: () => ({ canceled_at: null, cancel_reason: null }),
  }),
  subresource({
    name: 'completion',
    workerAllowed: true,
    path: '/jobs/{id}/steps/{step_id}/completion',
    about: 'The first starts the job, the last ends it.',
    fields: { completed_at, completed_by_user_id },
    exists: (row, { step_id }) => row.steps.some((step) => isStep(step, step_id)),
    of: (row, { step_id }) => row.steps.find((step) => isStep(step, step_id) && step.completed_at) ?? null,
    make: (said, row, now, { step_id }) => ({
      steps: row.steps.map((step) =>
        isStep(step, step_id) ? { ...step, completed_at: earlier(step.completed_at, said.completed_at ?? now) } : step,
      ),
    }),
    undo: (row, _, { step_id }) => ({
      steps: row.steps.map((step) => (isStep(step, step_id) ? { ...step, completed_at: null } : step)),
    }),
  }),
]

/** Of two who completed it, the first did. */
const earlier = (known: string | null, said: string) => (known !== null && known < said ? known : said)

const isStep = (step: Job['steps'][number], id: string | undefined) => String(step.id) === id
