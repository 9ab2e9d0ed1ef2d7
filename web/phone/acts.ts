import type { Act, Entry, Json } from '../client/phone/entry.ts'
import { t } from '../ui/words.ts'
import { currentPhone, type Field, type Job, type Step } from './store.ts'

const now = () => currentPhone().clock.now()
const jobName = (job: Job) => job.customer_name ?? ''

/** What the last step must wait for: all of this job that is not received yet. */
const before = (job: Job) =>
  currentPhone()
    .shown()
    .entries.filter(({ lane, state }) => lane === `jobs/${job.id}` && state === 'waiting')
    .map(({ id }) => id)

export function completeStep(job: Job, step: Step): Act {
  const completed_at = now()
  const open = job.steps.filter((one) => !one.completed_at)
  const isLast = open.length === 1
  return {
    method: 'POST',
    path: `jobs/${job.id}/steps/${step.id}/completion`,
    body: { completion: { completed_at } },
    ...(isLast && { after: before(job) }),
    effect: {
      record: 'job',
      id: job.id,
      changes: [
        { path: `steps[${step.id}].completed_at`, value: completed_at },
        { path: 'progress_state', value: isLast ? 'completed' : 'started' },
        { path: 'paused_at', value: null },
        ...(isLast ? [{ path: 'completed_at', value: completed_at }] : []),
        ...(job.actual_start_at ? [] : [{ path: 'actual_start_at', value: completed_at }]),
      ],
    },
    words: { key: 'step', values: { name: step.name, job: jobName(job) } },
  }
}

export function uncompleteStep(job: Job, step: Step): Act {
  const others = job.steps.filter((one) => one.completed_at && one.id !== step.id)
  return {
    method: 'DELETE',
    path: `jobs/${job.id}/steps/${step.id}/completion`,
    effect: {
      record: 'job',
      id: job.id,
      changes: [
        { path: `steps[${step.id}].completed_at`, value: null },
        { path: 'progress_state', value: others.length > 0 ? 'started' : 'not_started' },
        { path: 'completed_at', value: null },
      ],
    },
    words: { key: 'unstep', values: { name: step.name, job: jobName(job) } },
  }
}

export const accept = (job: Job): Act => answer(job, 'accepted', null)
export const decline = (job: Job, reason: string | null): Act => answer(job, 'declined', reason)

const answer = (job: Job, confirmation: string, decline_reason: string | null): Act => ({
  method: 'POST',
  path: `jobs/${job.id}/confirmation`,
  body: { confirmation: { confirmation, confirmed_at: now(), ...(decline_reason && { decline_reason }) } },
  effect: {
    record: 'job',
    id: job.id,
    changes: [
      { path: 'confirmation', value: confirmation },
      { path: 'decline_reason', value: decline_reason },
      { path: 'state', value: confirmation === 'accepted' ? 'assigned' : 'allocated' },
    ],
  },
  words: { key: confirmation, values: { job: jobName(job) } },
})

export function pause(job: Job): Act {
  const paused_at = now()
  return {
    method: 'POST',
    path: `jobs/${job.id}/pause`,
    body: { pause: { paused_at } },
    effect: { record: 'job', id: job.id, changes: [{ path: 'paused_at', value: paused_at }] },
    words: { key: 'pause', values: { job: jobName(job) } },
  }
}

export const resume = (job: Job): Act => ({
  method: 'DELETE',
  path: `jobs/${job.id}/pause`,
  query: { resumed_at: now() },
  effect: { record: 'job', id: job.id, changes: [{ path: 'paused_at', value: null }] },
  words: { key: 'resume', values: { job: jobName(job) } },
})

/** Items that a phone names are changed, and no others. */
export const fill = (job: Job, field: Field, value: string | null): Act => ({
  method: 'PATCH',
  path: `jobs/${job.id}`,
  body: { job: { custom_fields: [{ id: field.id as Json, value }] } },
  effect: { record: 'job', id: job.id, changes: [{ path: `custom_fields[${field.id}].value`, value }] },
  words: { key: 'field', values: { name: field.name, value, job: jobName(job) } },
})

export const fillFile = (job: Job, field: Field, bytes: ArrayBuffer, type: string): Act => ({
  method: 'POST',
  path: `jobs/${job.id}/custom_fields/${field.id}/file`,
  file: { bytes, type },
  words: { key: field.type === 'signature' ? 'signature' : 'photo', values: { name: field.name, job: jobName(job) } },
})

export const turnShift = (userId: number, on: boolean, until: number | 'midnight' | null = null): Act => ({
  method: 'POST',
  path: 'shift',
  body: { shift: { on, ...(until !== null && { until }) } },
  effect: { record: 'user', id: userId, changes: [{ path: 'shift_on', value: on }] },
  words: { key: on ? 'on_shift' : 'off_shift', values: {} },
})

/** What an entry is, in words. */
export function wordsOf({ words: { key, values } }: Entry): string {
  const name = String(values.name ?? '')
  const say: { [key: string]: () => string } = {
    step: () => t('Completed {name}', { name }),
    unstep: () => t('Opened {name} again', { name }),
    accepted: () => t('Accepted'),
    declined: () => t('Declined'),
    pause: () => t('Paused'),
    resume: () => t('Went on'),
    field: () => `${name}: ${values.value ?? '–'}`,
    photo: () => t('Photo: {name}', { name }),
    signature: () => t('Signature: {name}', { name }),
    on_shift: () => t('On shift'),
    off_shift: () => t('Off shift'),
  }
  return say[key]?.() ?? key
}
