import type { Call } from '#call'
import { type Fields, type RawRow, Wrong } from '#fields'
import { invalid, notFound } from '#problem'
import { job } from '#records/job'
import { onPhone } from './abilities.ts'

/**
 * Where images come in. Each becomes a record of its own, and a change of the job or asset that it belongs to; a further
 * one takes its place there, and the old one stays readable for those who look at what was.
 */
export interface Upload {
  record: 'job' | 'asset'
  path: string
  /** What the reference calls it. */
  id: string
  about: string
  /** Workers fill it too. */
  phone?: true
  /** What may be said beside the file. */
  fields: Fields
  /** What it is kept as here. @throws Problem where nothing can be put */
  keptAs(row: RawRow, parameters: Parameters, call: Call): 'signature' | 'attachment'
  /** The id of what is there. */
  of(row: RawRow, parameters: Parameters): string | null
  /** The change that puts a file there, or takes it away. */
  put(row: RawRow, parameters: Parameters, id: string | null, said: RawRow, now: string): RawRow
}
type Parameters = { [name: string]: string }

const { name, signed_at } = job.fields.proof_of_delivery.fields ?? {}

export const uploads: Upload[] = [
  {
    record: 'job',
    path: '/jobs/{id}/custom_fields/{field_id}/file',
    id: 'JobFieldFile',
    about: 'Fills an image or signature field.',
    phone: true,
    fields: {},
    keptAs(row, { field_id }, { actor }) {
      const field = fieldOf(row, field_id)
      const kept = { image: 'attachment', signature: 'signature' }[field.type as string]
      if (!kept) throw refused(`${field.name} holds no file: its type is ${field.type}`)
      if (onPhone(actor, job) && field.permission === 'hidden') throw notFound()
      if (onPhone(actor, job) && field.permission === 'read_only')
        throw refused(`${field.name} is not for the worker to fill`)
      return kept as 'signature' | 'attachment'
    },
    of(row, { field_id }) {
      const field = fieldOf(row, field_id)
      return field.attachment_id ?? field.signature_id
    },
    put: (row, { field_id }, id) => ({
      custom_fields: row.custom_fields.map((field: RawRow) =>
        String(field.id) === field_id
          ? { ...field, [field.type === 'image' ? 'attachment_id' : 'signature_id']: id }
          : field,
      ),
    }),
  },
  {
    record: 'job',
    path: '/jobs/{id}/proof_of_delivery',
    id: 'ProofOfDelivery',
    about: 'The signature for the whole job.',
    phone: true,
    // Said by a phone that was out of reach when it was signed.
    fields: { ...(name && { name }), ...(signed_at && { signed_at }) },
    keptAs: () => 'signature',
    of: (row) => row.proof_of_delivery?.signature_id ?? null,
    put: (_, __, id, said, now) => ({
      proof_of_delivery: id && {
        name: said.name || null,
        signed_at: said.signed_at && said.signed_at < now ? said.signed_at : now,
        signature_id: id,
      },
    }),
  },
  {
    record: 'asset',
    path: '/assets/{id}/image',
    id: 'AssetImage',
    about: 'The image of the asset.',
    fields: {},
    keptAs: () => 'attachment',
    of: (row) => row.attachment_id,
    put: (_, __, id) => ({ attachment_id: id }),
  },
]

function fieldOf(row: RawRow, id: string | undefined): RawRow {
  const found = row.custom_fields.find((field: RawRow) => String(field.id) === id)
  if (!found) throw notFound()
  return found
}

function refused(sentence: string) {
  const { code, message } = new Wrong('not_for_a_file', sentence)
  return invalid([{ field: 'field_id', code, message }])
}
