import { customer } from '#records/customer'
import type { MutationContext } from './rule.ts'

/** What says a customer by their id, or by a name that finds the oldest of that name, or makes one. */
interface Customers {
  row: { customer_id: number | null }
  draft: { customer_id?: number | null; customer_name?: string | null }
  before: { customer_name: string | null } | null
}

export async function findCustomerByName(
  { tx, create }: Pick<MutationContext, 'tx' | 'create'>,
  { row, draft, before }: Customers,
): Promise<void> {
  const name = draft.customer_name?.trim()
  if (name && !draft.customer_id && name !== before?.customer_name)
    row.customer_id = ((await tx.findBy(customer, 'name', name)) ?? (await create(customer, { name }))).id
}
