import { type RawRow, Wrong, wrong } from '#fields'
import type { Change, Writing } from '../rule.ts'

type Making = Change & { row: RawRow }

/** A job takes all from its template that it does not say itself; what it says of a field goes to that field. */
export async function takeFromTemplate({ tx, record }: Writing, { row, draft, fault }: Making): Promise<void> {
  const template = await tx.find(record('template'), row.template_id)
  if (!template) return
  if (!template.enabled)
    fault('template_id', wrong.disabled(`${template.id} (${template.name})`), `Enable ${template.name}`)
  for (const name of ['planned_duration', 'customer_id', 'worker_id', 'tag_ids', 'group_ids'])
    if (!(name in draft) && template[name] !== null) row[name] = template[name]
  if (draft.customer_name && !draft.customer_id) row.customer_id = null
  row.template_name ??= template.name
  if (!('steps' in draft)) row.steps = await numbered(template.steps)
  row.custom_fields = [...(await filledIn(template.custom_fields)), ...row.custom_fields]

  /** The template's fields with what the job says of each, which are then no fields of its own. */
  async function filledIn(fields: RawRow[]) {
    return (await numbered(fields)).map((field) => {
      const i = row.custom_fields.findIndex((own: RawRow) => own.name === field.name)
      if (i < 0) return field
      const [own] = row.custom_fields.splice(i, 1)
      const said = Object.keys(draft.custom_fields.find(({ name }: RawRow) => name === field.name))
      return { ...field, ...Object.fromEntries(said.map((name) => [name, own[name]])), id: field.id }
    })
  }

  async function numbered(items: RawRow[]): Promise<RawRow[]> {
    const first = items.length > 0 ? await tx.nextIds('parts', items.length) : 0
    return items.map((item, i) => ({ ...item, id: first + i }))
  }
}

/**
 * `customer_name` finds the oldest customer of that name, or makes one. Beside a `customer_id` it says nothing, since old
 * clients send both back as they read them; one that is another's is told.
 */
export async function findCustomer(
  { tx, record, create, warn }: Writing,
  { row, draft, before, fault }: Making,
): Promise<void> {
  const name = draft.customer_name?.trim()
  if (name && !draft.customer_id && name !== before?.customer_name) {
    const found = await tx.findBy(record('customer'), 'name', name)
    row.customer_id = (found ?? (await create('customer', { name, group_ids: row.group_ids }))).id
  } else if (name && draft.customer_id) {
    const customer = await tx.find(record('customer'), draft.customer_id)
    if (customer && customer.name !== name)
      warn({
        field: 'customer_name',
        code: 'contradicts',
        message: `is not the name of customer ${customer.id} (${customer.name}), who was taken`,
        remedy: 'Give one of the two: customer_name alone finds or makes a customer',
      })
  }
  if (!row.customer_id) fault('customer_id', wrong.blank())
}

/** A job's own pricebook, else its customer's, else its template's; what those gave changes with the customer. (records.md, 7) */
export async function findPricebook(writing: Writing, { row, draft, before }: Making): Promise<void> {
  if (writing.imported || 'pricebook_id' in draft || row.customer_id === before?.customer_id) return
  if (before?.pricebook_id && !(await pricebooksFor(writing, before)).includes(before.pricebook_id)) return
  row.pricebook_id = (await pricebooksFor(writing, row))[0] ?? null
}

/** The pricebooks that a job may be given, the customer's first. One that was deleted since is none. */
async function pricebooksFor({ tx, record, call }: Writing, { customer_id, template_id }: RawRow): Promise<number[]> {
  const all = tx.unlimited()
  const byCustomer = customer_id && call.actor.account.features.customer_pricebooks
  const customer = byCustomer ? await all.find(record('customer'), customer_id) : null
  const template = template_id ? await all.find(record('template'), template_id) : null
  const ids: number[] = [customer, template].flatMap((one) => one?.pricebook_id ?? [])
  const gone = ids.length > 0 ? await all.missing('pricebook', ids) : []
  return ids.filter((id) => !gone.includes(id))
}

/** The worker by the caller's own id of him. Who sends back what he read has changed one of the two, and means that one. */
export async function findWorker({ tx, record }: Writing, { row, draft, before, fault }: Making): Promise<void> {
  const says = (name: string) => name in draft && draft[name] !== (before?.[name] ?? null)
  if (!says('worker_third_party_id')) return
  const theirs = draft.worker_third_party_id
  const found = theirs === null ? null : await tx.findBy(record('user'), 'third_party_id', theirs)
  if (theirs !== null && !found) fault('worker_third_party_id', wrong.unknown(theirs))
  else if (!says('worker_id')) row.worker_id = found?.id ?? null
  else if (found && found.id !== draft.worker_id)
    fault(
      'worker_third_party_id',
      new Wrong('contradicts', 'is of another worker than worker_id'),
      'Give one of the two',
    )
}
