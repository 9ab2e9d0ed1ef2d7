import { job } from '#records/job'
import { recurrence } from '#records/recurrence'
import { type Template, template } from '#records/template'
import { isRevealed } from '#records/work'
import { placesOf } from '../facts.ts'
import { type Check, MAX_ROWS } from './check.ts'

/** Open jobs that are looked at, the next first: what lies further ahead comes near. */
const MAX_JOBS = 2000

const ofJob = { record: job, mend: { method: 'PATCH', path: '/v5/jobs/{id}' } }
const ofTemplate = { record: template, mend: { method: 'PATCH', path: '/v5/templates/{id}' } }

/** Open jobs that are not over. */
const ahead = (now: string) => ({
  filters: [
    { field: 'planned_end_at' as const, op: '>=' as const, value: now },
    { field: 'completed_at' as const, op: 'null' as const },
    { field: 'canceled_at' as const, op: 'null' as const },
  ],
  sort: { field: 'planned_end_at' as const, down: false },
  limit: MAX_JOBS,
})

export const jobsWithoutPlace: Check = {
  ...ofJob,
  name: 'jobs_without_place',
  level: 'stops',
  summary: 'open jobs are at no known place, so that no way to them or from them is counted',
  async find({ store, now }) {
    const jobs = await store.list(job, ahead(now), ['id', 'steps', 'contact', 'site_id', 'customer_id'])
    const places = await placesOf(store, jobs)
    return jobs.flatMap(({ id }) => (places.has(id) ? [] : [id]))
  },
}

export const jobsWithoutDuration: Check = {
  ...ofJob,
  name: 'jobs_without_duration',
  level: 'stops',
  summary: 'open jobs are planned to take no time, so that others fit into the same hour',
  async find({ store, now }) {
    const query = ahead(now)
    const filters = [...query.filters, { field: 'planned_duration' as const, op: '=' as const, value: 0 }]
    return (await store.list(job, { ...query, filters }, ['id'])).map(({ id }) => id)
  },
}

export const templatesWithoutDuration: Check = {
  ...ofTemplate,
  name: 'templates_without_duration',
  level: 'soon',
  summary: 'templates have no duration, so that their jobs take an hour because nobody chose',
  find: async ({ store }) =>
    (await templatesInUse(store)).flatMap(({ id, planned_duration }) => (planned_duration ? [] : [id])),
}

export const fieldsNeverShown: Check = {
  ...ofTemplate,
  name: 'fields_never_shown',
  level: 'stops',
  summary: 'templates ask for a field that no phone ever shows',
  find: async ({ store }) =>
    (await templatesInUse(store)).flatMap(({ id, custom_fields: fields }) =>
      [...neverShown(fields)].some(({ permission }) => permission === 'required') ? [id] : [],
    ),
}

export const recurrencesInTrouble: Check = {
  record: recurrence,
  name: 'recurrences_in_trouble',
  level: 'stops',
  summary: 'recurrences could not make their last job as they say',
  mend: { method: 'PATCH', path: '/v5/recurrences/{id}' },
  async find({ store }) {
    const some = { field: 'problem' as const, op: 'some given' as const, fields: ['problem' as const] }
    return (await store.list(recurrence, { filters: [some], limit: MAX_ROWS }, ['id'])).map(({ id }) => id)
  },
}

const templatesInUse = (store: Parameters<Check['find']>[0]['store']) =>
  store.list(template, { filters: [{ field: 'enabled', op: '=', value: 1 }], limit: MAX_ROWS }, [
    'id',
    'planned_duration',
    'custom_fields',
  ])

type CustomField = Template['custom_fields'][number]

/** Those that hang from one that a phone can't change, or never shows itself, and that aren't shown from the start. */
function neverShown(fields: CustomField[]): Set<CustomField> {
  const byName = new Map(fields.toReversed().map((field) => [field.name, field]))
  const found = new Map<CustomField, boolean>()
  const isNever = (field: CustomField): boolean => {
    const known = found.get(field)
    if (known !== undefined) return known
    // In a circle nobody is ever shown.
    found.set(field, true)
    const other = byName.get(field.show_when?.field ?? '')
    const never =
      !isRevealed(field, fields) &&
      (!other || other.permission === 'hidden' || other.permission === 'read_only' || isNever(other))
    found.set(field, never)
    return never
  }
  return new Set(fields.filter(isNever))
}
