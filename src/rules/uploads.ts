import type { Call } from '#call'
import { type Draft, type Fields, instant, type RecordType, type Row, ValidationError } from '#fields'
import { invalid, notFound } from '#problem'
import { asset } from '#records/asset'
import { type Job, job } from '#records/job'
import { isWorkerOnly } from './abilities.ts'

/**
 * Where images come in. Each becomes a record of its own, and a change of the job or asset that it belongs to; a further
 * one takes its place there, and the old one stays readable for those who look at what was.
 */
export interface Upload<R extends RecordType = RecordType> {
  record: R
  path: string
  /** What the reference calls it. */
  id: string
  about: string
  /** Workers fill it too. */
  workerAllowed?: true
  /** What may be said beside the file. */
  fields: Fields
  /** What it is kept as here. @throws Problem where nothing can be put */
  fileTypeFor(row: Row<R>, parameters: Parameters, call: Call): 'signature' | 'attachment'
  /** The id of what is there. */
  of(row: Row<R>, parameters: Parameters): string | null
  /** The change that puts a file there, or takes it away; `at` is when it was taken or signed. */
  put(row: Row<R>, parameters: Parameters, id: string | null, said: Said, at: string): Draft<R>
}
type Parameters = { [name: string]: string }
/** What may be said beside a file. */
type Said = { name?: string | null; signed_at?: string | null; taken_at?: string | null }

const { name, signed_at } = job.fields.proof_of_delivery.fields ?? {}

/** When the picture was taken: kept with the file. */
const taken = { taken_at: instant({ about: 'When it was taken' }) }

const upload = <R extends RecordType>(one: Upload<R>): Upload => one

export const uploads: Upload[] = [
  upload({
    record: job,
    path: '/jobs/{id}/custom_fields/{field_id}/file',
    id: 'JobFieldFile',
    about: 'Fills an image or signature field.',
    workerAllowed: true,
    fields: taken,
    fileTypeFor(row, { field_id }, { actor }) {
      const field = fieldOf(row, field_id)
      if (field.type !== 'image' && field.type !== 'signature')
        throw refused(`${field.name} holds no file: its type is ${field.type}`)
      if (isWorkerOnly(actor, job) && field.permission === 'hidden') throw notFound()
      if (isWorkerOnly(actor, job) && field.permission === 'read_only')
        throw refused(`${field.name} is not for the worker to fill`)
      return field.type === 'image' ? 'attachment' : 'signature'
    },
    of(row, { field_id }) {
      const field = fieldOf(row, field_id)
      return field.attachment_id ?? field.signature_id
    },
    put: (row, { field_id }, id) => ({
      custom_fields: row.custom_fields.map((field) =>
        String(field.id) === field_id
          ? { ...field, [field.type === 'image' ? 'attachment_id' : 'signature_id']: id }
          : field,
      ),
    }),
  }),
  upload({
    record: job,
    path: '/jobs/{id}/proof_of_delivery',
    id: 'ProofOfDelivery',
    about: 'The signature for the whole job.',
    workerAllowed: true,
    // Said by a phone that was out of reach when it was signed.
    fields: { ...(name && { name }), ...(signed_at && { signed_at }) },
    fileTypeFor: () => 'signature',
    of: (row) => row.proof_of_delivery?.signature_id ?? null,
    put: (_, __, id, said, at) => ({
      proof_of_delivery: id === null ? null : { name: said.name || null, signed_at: at, signature_id: id },
    }),
  }),
  upload({
    record: asset,
    path: '/assets/{id}/image',
    id: 'AssetImage',
    about: 'The image of the asset.',
    fields: taken,
    fileTypeFor: () => 'attachment',
    of: (row) => row.attachment_id,
    put: (_, __, id) => ({ attachment_id: id }),
  }),
]

function fieldOf(row: Job, id: string | undefined): Job['custom_fields'][number] {
  const found = row.custom_fields.find((field) => String(field.id) === id)
  if (!found) throw notFound()
  return found
}

function refused(sentence: string) {
  const { code, message } = new ValidationError('not_for_a_file', sentence)
  return invalid([{ field: 'field_id', code, message }])
}
