import type { Act, Change } from '../client/phone/entry.ts'
import { currentPhone, type Field, type Item, type Job, type Step } from './store.ts'

const now = () => currentPhone().clock.now()
const jobName = (job: Job) => job.customer_name ?? ''
const onJob = (job: Job, changes: Change[]): Pick<Act, 'effects'> => ({
  effects: [{ record: 'job', id: job.id, changes }],
})

/** What the last step must wait for: all of this job that is not received yet. */
const before = (job: Job) =>
  currentPhone()
    .shown()
    .entries.filter(({ lane, state }) => lane === `jobs/${job.id}` && state === 'waiting')
    .map(({ id }) => id)

export function completeStep(job: Job, step: Step): Act {
  const completed_at = now()
  const isLast = job.steps.filter((one) => !one.completed_at).length === 1
  return {
    method: 'POST',
    path: `jobs/${job.id}/steps/${step.id}/completion`,
    body: { completion: { completed_at } },
    ...(isLast && { after: before(job) }),
    ...onJob(job, [
      { path: `steps[${step.id}].completed_at`, value: completed_at },
      { path: 'progress_state', value: isLast ? 'completed' : 'started' },
      { path: 'paused_at', value: null },
      ...(isLast ? [{ path: 'completed_at', value: completed_at }] : []),
      ...(job.actual_start_at ? [] : [{ path: 'actual_start_at', value: completed_at }]),
    ]),
    words: { key: 'step', values: { name: step.name, job: jobName(job) } },
  }
}

export function uncompleteStep(job: Job, step: Step): Act {
  const others = job.steps.filter((one) => one.completed_at && one.id !== step.id)
  return {
    method: 'DELETE',
    path: `jobs/${job.id}/steps/${step.id}/completion`,
    ...onJob(job, [
      { path: `steps[${step.id}].completed_at`, value: null },
      { path: 'progress_state', value: others.length > 0 ? 'started' : 'not_started' },
      { path: 'completed_at', value: null },
    ]),
    words: { key: 'unstep', values: { name: step.name, job: jobName(job) } },
  }
}

export const accept = (job: Job): Act => answer(job, 'accepted', null)
export const decline = (job: Job, reason: string | null): Act => answer(job, 'declined', reason)

const answer = (job: Job, confirmation: string, decline_reason: string | null): Act => ({
  method: 'POST',
  path: `jobs/${job.id}/confirmation`,
  body: { confirmation: { confirmation, confirmed_at: now(), ...(decline_reason && { decline_reason }) } },
  ...onJob(job, [
    { path: 'confirmation', value: confirmation },
    { path: 'decline_reason', value: decline_reason },
    { path: 'state', value: confirmation === 'accepted' ? 'assigned' : 'allocated' },
  ]),
  words: { key: confirmation, values: { job: jobName(job) } },
})

export function pause(job: Job): Act {
  const paused_at = now()
  return {
    method: 'POST',
    path: `jobs/${job.id}/pause`,
    body: { pause: { paused_at } },
    ...onJob(job, [{ path: 'paused_at', value: paused_at }]),
    words: { key: 'pause', values: { job: jobName(job) } },
  }
}

export const resume = (job: Job): Act => ({
  method: 'DELETE',
  path: `jobs/${job.id}/pause`,
  query: { resumed_at: now() },
  ...onJob(job, [{ path: 'paused_at', value: null }]),
  words: { key: 'resume', values: { job: jobName(job) } },
})

/** `base` is what stands there now, as the person sees it: whoever changed it meanwhile is not overwritten. */
export const fill = (job: Job, field: Field, value: string | null): Act => ({
  method: 'PATCH',
  path: fieldPath(job, field),
  body: { custom_field: { value } },
  base: { value: field.value },
  ...onJob(job, [{ path: `custom_fields[${field.id}].value`, value }]),
  words: { key: 'field', values: { name: field.name, value, job: jobName(job) } },
})

export const fieldPath = (job: Job, field: Field) => `jobs/${job.id}/custom_fields/${field.id}`

export const fillFile = (job: Job, field: Field, bytes: ArrayBuffer, type: string): Act => ({
  method: 'POST',
  path: `${fieldPath(job, field)}/file`,
  file: { bytes, type },
  words: { key: field.type === 'signature' ? 'signature' : 'photo', values: { name: field.name, job: jobName(job) } },
})

/** @param count how many were used, as it is written: `2`, `1.5` */
export const count = (job: Job, item: Item, count: string | null): Act => ({
  method: 'PATCH',
  path: `jobs/${job.id}/line_items/${item.id}`,
  body: { line_item: { actual_quantity: count } },
  base: { actual_quantity: item.actual_quantity },
  ...onJob(job, [{ path: `line_items[${item.id}].actual_quantity`, value: count }]),
  words: { key: 'item', values: { name: itemName(item), value: count, job: jobName(job) } },
})

export const itemName = ({ description, code }: Item) => description || code || ''

export const note = (job: Job, notes: string | null): Act => ({
  method: 'PATCH',
  path: `jobs/${job.id}`,
  body: { job: { notes } },
  base: { notes: job.notes },
  ...onJob(job, [{ path: 'notes', value: notes }]),
  words: { key: 'notes', values: { value: notes, job: jobName(job) } },
})

/** The signature for the whole job. */
export function proveDelivery(job: Job, name: string, bytes: ArrayBuffer): Act {
  const signed_at = now()
  return {
    method: 'POST',
    path: `jobs/${job.id}/proof_of_delivery`,
    query: { name, signed_at },
    file: { bytes, type: 'image/png' },
    ...onJob(job, [{ path: 'proof_of_delivery', value: { name, signed_at, signature_id: null } }]),
    words: { key: 'delivery', values: { name, job: jobName(job) } },
  }
}

export const turnShift = (userId: number, on: boolean, until: number | 'midnight' | null = null): Act => ({
  method: 'POST',
  path: 'shift',
  body: { shift: { on, ...(until !== null && { until }) } },
  effects: [{ record: 'user', id: userId, changes: [{ path: 'shift_on', value: on }] }],
  words: { key: on ? 'on_shift' : 'off_shift', values: {} },
})
