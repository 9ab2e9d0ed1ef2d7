import type { Fields, RawRow } from '#fields'
import { job } from './job.ts'
import { work } from './work.ts'

/**
 * What happens to a job, as things with an address of their own: made by POST, taken back by DELETE. Each is a change
 * of the job's fields, so a PUT of the job has the same effects under the same rules. (records.md, 9)
 */
export interface Noun {
  /** Its element, and the end of its address. */
  name: string
  path: string
  about: string
  fields: Fields
  /** A worker may do it with what is his own. */
  phone?: true
  /** Whether what the address goes through is there: the step. */
  exists?(job: RawRow, parameters: { [name: string]: string }): boolean
  /** What it is of a job; null when it isn't there. */
  of(job: RawRow, parameters: { [name: string]: string }): RawRow | null
  /** The change of the job that makes it, with what the caller said. */
  make(said: RawRow, job: RawRow, now: string, parameters: { [name: string]: string }): RawRow
  /** The change that takes it back. */
  undo(job: RawRow, parameters: { [name: string]: string }): RawRow
}

const { published_at, confirmation, decline_reason, paused_at, canceled_at, cancel_reason } = job.fields
const { completed_at, completed_by_user_id } = work.step

export const nouns: Noun[] = [
  {
    name: 'publication',
    path: '/jobs/{id}/publication',
    about: 'Sends the job to its worker.',
    fields: { published_at },
    of: (row) => row.published_at && row,
    make: (said, row, now) => ({ published_at: said.published_at ?? row.published_at ?? now }),
    undo: () => ({ published_at: null }),
  },
  {
    name: 'confirmation',
    phone: true,
    path: '/jobs/{id}/confirmation',
    about: 'What the worker says to a published job: accepted, unless it says otherwise.',
    fields: { confirmation, decline_reason },
    of: (row) => row.confirmation && row,
    make: (said) => ({ confirmation: said.confirmation ?? 'accepted', decline_reason: said.decline_reason ?? null }),
    undo: (row) => ({ confirmation: row.published_at ? 'pending' : null, decline_reason: null }),
  },
  {
    name: 'pause',
    phone: true,
    path: '/jobs/{id}/pause',
    about: 'Stops the clock of a started job; completing a step resumes.',
    fields: { paused_at },
    of: (row) => row.paused_at && row,
    make: (said, row, now) => ({ paused_at: row.paused_at ?? said.paused_at ?? now }),
    undo: () => ({ paused_at: null }),
  },
  {
    name: 'cancellation',
    path: '/jobs/{id}/cancellation',
    about: 'Keeps the job without a worker and a time; can be taken back.',
    fields: { canceled_at, cancel_reason },
    of: (row) => row.canceled_at && row,
    make: (said, row, now) => ({
      canceled_at: row.canceled_at ?? said.canceled_at ?? now,
      cancel_reason: said.cancel_reason ?? row.cancel_reason,
    }),
    undo: () => ({ canceled_at: null, cancel_reason: null }),
  },
  {
    name: 'completion',
    phone: true,
    path: '/jobs/{id}/steps/{step_id}/completion',
    about: 'The first starts the job, the last ends it.',
    fields: { completed_at, completed_by_user_id },
    exists: (row, { step_id }) => row.steps.some((step: RawRow) => isStep(step, step_id)),
    of: (row, { step_id }) => row.steps.find((step: RawRow) => isStep(step, step_id) && step.completed_at) ?? null,
    make: (said, row, now, { step_id }) => ({
      steps: row.steps.map((step: RawRow) =>
        isStep(step, step_id) ? { ...step, completed_at: step.completed_at ?? said.completed_at ?? now } : step,
      ),
    }),
    undo: (row, { step_id }) => ({
      steps: row.steps.map((step: RawRow) => (isStep(step, step_id) ? { ...step, completed_at: null } : step)),
    }),
  },
]

const isStep = (step: RawRow, id: string | undefined) => String(step.id) === id
