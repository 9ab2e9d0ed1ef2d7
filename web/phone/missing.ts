import { isRevealed } from '../../src/records/work.ts'
import { currentPhone, type Field, type Job } from './store.ts'

/** Fields that are asked for now: those of a choice appear as it is made. */
export const askedFields = (job: Job): Field[] =>
  job.custom_fields.filter((field) => field.permission !== 'hidden' && isRevealed(field, job.custom_fields))

/** What stands in the way of the last step. */
export const missing = (job: Job): Field[] =>
  askedFields(job).filter(
    (field) => field.permission === 'required' && field.type !== 'header' && !isFilled(job, field),
  )

export const isFilled = (job: Job, field: Field): boolean =>
  field.type === 'image' || field.type === 'signature'
    ? Boolean(field.attachment_id ?? field.signature_id) || fileEntry(job, field) !== undefined
    : Boolean(field.value)

/** The newest picture of a field that is on this phone. */
export const fileEntry = (job: Job, field: Field) =>
  currentPhone()
    .shown()
    .entries.findLast(
      ({ path, state }) => path === `jobs/${job.id}/custom_fields/${field.id}/file` && state !== 'refused',
    )
