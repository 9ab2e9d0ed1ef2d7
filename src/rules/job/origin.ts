import { type RawRow, wrong } from '#fields'
import type { Change, Writing } from '../rule.ts'

type Making = Change & { row: RawRow }

/** A job takes all from its template that it does not say itself; what it says of a field goes to that field. */
export async function takeFromTemplate({ tx, record }: Writing, { row, draft, fault }: Making): Promise<void> {
  const template = await tx.find(record('template'), row.template_id)
  if (!template) return
  if (!template.enabled)
    fault('template_id', wrong.disabled(`${template.id} (${template.name})`), `Enable ${template.name}`)
  for (const name of ['planned_duration', 'pricebook_id', 'customer_id', 'worker_id', 'tag_ids', 'group_ids'])
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

/** `customer_name` finds the oldest customer of that name, or makes one. */
export async function findCustomer(
  { tx, record, create }: Writing,
  { row, draft, before, fault }: Making,
): Promise<void> {
  const name = draft.customer_name?.trim()
  if (name && !draft.customer_id && name !== before?.customer_name) {
    const found = await tx.findBy(record('customer'), 'name', name)
    row.customer_id = (found ?? (await create('customer', { name, group_ids: row.group_ids }))).id
  }
  if (!row.customer_id) fault('customer_id', wrong.blank())
}

export async function findWorker({ tx, record }: Writing, { row, draft, before, fault }: Making): Promise<void> {
  const theirs = draft.worker_third_party_id
  if (!theirs || draft.worker_id || theirs === before?.worker_third_party_id) return
  const found = await tx.findBy(record('user'), 'third_party_id', theirs)
  if (found) row.worker_id = found.id
  else fault('worker_third_party_id', wrong.unknown(theirs))
}
