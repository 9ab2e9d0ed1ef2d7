import type { Call } from '#call'
import {
  type Field,
  type FieldError,
  type Fields,
  fieldError,
  id,
  type RecordType,
  type Row,
  type Sent,
  ValidationError,
  type Values,
  validationError,
} from '#fields'
import { isBeyond, later } from '#fields/instant'
import { invalid } from '#problem'
import { job } from '#records/job'
import { template } from '#records/template'
import type { Wanted } from '#rules/candidates'
import { DEFAULT_DURATION_SECONDS, takenFromTemplate } from '#rules/job/origin'
import { mergeDraft } from '#rules/merge-draft'
import type { Reader } from '#store/store'

/** Jobs of one request, at most. */
export const MAX_JOBS = 50

const { planned_start_at, planned_duration, template_id, customer_id, site_id, contact } = job.fields
const { group_ids, tag_ids, equipment_ids, asset_ids, time_windows } = job.fields

/** When a job is to be, other than it is planned. */
export const timeFields = { planned_start_at, planned_duration }

/** What is said of a job that somebody is looked for: the id of one that is there and what is to differ, or a draft. */
export const wantedFields = {
  id: id(),
  ...timeFields,
  template_id,
  customer_id,
  site_id,
  contact,
  group_ids,
  tag_ids,
  equipment_ids,
  asset_ids,
  time_windows,
} satisfies Fields

type Said = Sent<Values<typeof wantedFields>>

/** A job with no more than what is said of one that somebody is looked for. */
const wantedJob: RecordType = { ...job, fields: wantedFields }

/**
 * The jobs that are meant, as the caller sees them; what a draft does not say comes from its template.
 * @throws Problem invalid (422) with all errors, also those that reading found already
 */
export async function wantedJobs(call: Call, said: Said[], errors: FieldError[]): Promise<Wanted[]> {
  const { store } = call
  await checkReferences(store, said, errors)
  if (errors.length > 0) throw invalid(errors)
  const jobs = await findAll(
    store,
    job,
    said.flatMap(({ id }) => id ?? []),
  )
  const templates = await findAll(
    store,
    template,
    said.flatMap(({ template_id }) => template_id ?? []),
  )
  const wanted: Wanted[] = []
  for (const [i, one] of said.entries()) {
    const before = jobs.get(one.id ?? 0) ?? null
    const from = before ? undefined : templates.get(one.template_id ?? 0)
    const draft = { ...(from && takenFromTemplate(from, one)), ...one }
    const found: FieldError[] = []
    const row = await mergeDraft({ call, keepItemIds: true, tx: unsaved }, wantedJob, before, draft, found)
    wanted.push(withEnd({ steps: from?.steps ?? [], ...before, ...row } as Wanted, found))
    errors.push(...found.map((error) => ({ ...error, field: `jobs[${i}].${error.field}` })))
  }
  if (errors.length > 0) throw invalid(errors)
  return wanted
}

/** What is never kept takes no numbers. */
const unsaved = { nextIds: async () => 0 }

/** A job with the end that follows from its start. */
export function withEnd(wanted: Omit<Wanted, 'planned_end_at'>, errors: FieldError[]): Wanted {
  const planned_duration = wanted.planned_duration ?? DEFAULT_DURATION_SECONDS
  const { planned_start_at: start } = wanted
  if (start && isBeyond(start, planned_duration * 1000))
    errors.push(
      fieldError('planned_start_at', new ValidationError('too_late', 'must let the job end before the year 10000')),
    )
  return { ...wanted, planned_duration, planned_end_at: start && later(start, planned_duration * 1000) }
}

/** Ids must be of records that the caller sees: a query for each field, however many jobs. */
async function checkReferences(store: Reader, said: Said[], errors: FieldError[]): Promise<void> {
  for (const [name, { target = job.name, shape }] of Object.entries(wantedFields) as [keyof Said, Field<unknown>][]) {
    if (shape !== 'leaf' || (name !== 'id' && !wantedFields[name].target)) continue
    const ids = said.map((one) => [(one[name] as number | number[] | null | undefined) ?? []].flat())
    const missing = new Set(await store.missing(target, [...new Set(ids.flat())]))
    for (const [i, some] of ids.entries())
      for (const id of some.filter((id) => missing.has(id)))
        errors.push(fieldError(`jobs[${i}].${name}`, validationError.unknown(id)))
  }
}

async function findAll<R extends RecordType>(store: Reader, record: R, ids: number[]): Promise<Map<number, Row<R>>> {
  if (ids.length === 0) return new Map()
  const rows = await store.list(record, { filters: [{ field: 'id', op: 'in', value: ids }], limit: ids.length })
  return new Map(rows.map((row) => [Number(row.id), row]))
}
