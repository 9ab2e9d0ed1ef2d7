import { ValidationError, validationError } from '#fields'
import { customer } from '#records/customer'
import type { Job, job } from '#records/job'
import { type Template, template } from '#records/template'
import { user } from '#records/user'
import type { MutationContext, Saving } from '../rule.ts'

type JobChange = Saving<typeof job>

/** Seconds that a job is planned to take when nobody says. (docs/contract.md#jobs) */
export const DEFAULT_DURATION_SECONDS = 3600

/** What a template says as its jobs do. */
const taken = ['planned_duration', 'customer_id', 'worker_id', 'tag_ids', 'group_ids'] as const

/** What a job that does not say it takes from its template as it is there. */
export function takenFromTemplate(from: Template, said: object): Partial<Pick<Template, (typeof taken)[number]>> {
  const given = taken.filter((name) => !(name in said) && from[name] !== null)
  return Object.fromEntries(given.map((name) => [name, from[name]]))
}

/** A job takes all from its template that it does not say itself; what it says of a field goes to that field. */
export async function takeFromTemplate({ tx }: MutationContext, { row, draft, addError }: JobChange): Promise<void> {
  const from = row.template_id && (await tx.find(template, row.template_id))
  if (!from) return
  if (!from.enabled)
    addError('template_id', validationError.disabled(`${from.id} (${from.name})`), `Enable ${from.name}`)
  Object.assign(row, takenFromTemplate(from, draft))
  if (draft.customer_name && !draft.customer_id) row.customer_id = null
  row.template_name ??= from.name
  if (!('steps' in draft)) row.steps = await assignIds(from.steps)
  row.custom_fields = [...(await fillFields(from.custom_fields)), ...row.custom_fields]

  /** The template's fields with what the job says of each, which are then no fields of its own. */
  async function fillFields(fields: Template['custom_fields']) {
    return (await assignIds(fields)).map((field) => {
      const i = row.custom_fields.findIndex((own) => own.name === field.name)
      if (i < 0) return field
      const [own] = row.custom_fields.splice(i, 1)
      const said = draft.custom_fields?.find(({ name }) => name === field.name) ?? {}
      const filled = Object.entries(own ?? {}).filter(([name]) => name in said)
      return { ...field, ...Object.fromEntries(filled), id: field.id }
    })
  }

  async function assignIds<T extends { id: number }>(items: T[]): Promise<T[]> {
    const first = items.length > 0 ? await tx.nextIds('parts', items.length) : 0
    return items.map((item, i) => ({ ...item, id: first + i }))
  }
}

/**
 * `customer_name` finds the oldest customer of that name, or makes one. Beside a `customer_id` it says nothing, since old
 * clients send both back as they read them; one that is another's is told.
 */
export async function findCustomer(
  { tx, create, warn }: MutationContext,
  { row, draft, before, addError }: JobChange,
): Promise<void> {
  const name = draft.customer_name?.trim()
  if (name && !draft.customer_id && name !== before?.customer_name) {
    const found = await tx.findBy(customer, 'name', name)
    row.customer_id = (found ?? (await create(customer, { name, group_ids: row.group_ids }))).id
  } else if (name && draft.customer_id) {
    const given = await tx.find(customer, draft.customer_id)
    if (given && given.name !== name)
      warn({
        field: 'customer_name',
        code: 'contradicts',
        message: `is not the name of customer ${given.id} (${given.name}), who was taken`,
        remedy: 'Give one of the two: customer_name alone finds or makes a customer',
      })
  }
  if (!row.customer_id) addError('customer_id', validationError.blank())
}

/** A job's own pricebook, else its customer's, else its template's; what those gave changes with the customer. (docs/contract.md#jobs) */
export async function findPricebook(context: MutationContext, { row, draft, before }: JobChange): Promise<void> {
  if (context.imported || 'pricebook_id' in draft || row.customer_id === before?.customer_id) return
  if (before?.pricebook_id && !(await pricebooksFor(context, before)).includes(before.pricebook_id)) return
  row.pricebook_id = (await pricebooksFor(context, row))[0] ?? null
}

/** The pricebooks that a job may be given, the customer's first. One that was deleted since is none. */
async function pricebooksFor({ tx, call }: MutationContext, { customer_id, template_id }: Job): Promise<number[]> {
  const all = tx.asSystem('a job has its pricebook whoever makes it')
  const byCustomer = customer_id && call.actor.account.features.customer_pricebooks
  const ids = [
    byCustomer ? await all.find(customer, customer_id) : null,
    template_id ? await all.find(template, template_id) : null,
  ].flatMap((one) => one?.pricebook_id ?? [])
  const gone = ids.length > 0 ? await all.missing('pricebook', ids) : []
  return ids.filter((id) => !gone.includes(id))
}

/** The worker by the caller's own id of them. Who sends back what they read has changed one of the two, and means that one. */
export async function findWorker({ tx }: MutationContext, { row, draft, before, addError }: JobChange): Promise<void> {
  const says = (name: 'worker_id' | 'worker_third_party_id') =>
    name in draft && draft[name] !== (before?.[name] ?? null)
  if (!says('worker_third_party_id')) return
  const theirs = draft.worker_third_party_id ?? null
  const found = theirs === null ? null : await tx.findBy(user, 'third_party_id', theirs)
  if (theirs !== null && !found) addError('worker_third_party_id', validationError.unknown(theirs))
  else if (!says('worker_id')) row.worker_id = found?.id ?? null
  else if (found && found.id !== draft.worker_id)
    addError(
      'worker_third_party_id',
      new ValidationError('contradicts', 'is of another worker than worker_id'),
      'Give one of the two',
    )
}
