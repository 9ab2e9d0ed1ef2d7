import type { Draft, Row, Shown } from '#fields'
import { type Job, job } from '#records/job'
import { user } from '#records/user'
import type { Saving } from '#rules/rule'
import type { Reader, Tx } from '#store/store'

/** What must not compile: the type check of every test run reads this file, and nothing here is called. */
export async function misspelt(reader: Reader, tx: Tx, { row, draft, addError }: Saving<typeof job>) {
  const found = await reader.find(job, 1)
  // @ts-expect-error a field that a job does not have
  found?.plannd_end_at
  // @ts-expect-error what can be nil is not text
  found?.planned_end_at.length
  // @ts-expect-error a state that there is none of
  if (found?.state === 'lost') return
  // @ts-expect-error a field to find by
  await reader.findBy(job, 'third_party', 'x')
  // @ts-expect-error a field to filter by
  await reader.list(job, { filters: [{ field: 'worker', op: '=', value: 1 }], limit: 1 })
  // @ts-expect-error a field to sort by
  await reader.list(job, { filters: [], sort: { field: 'planned', down: true }, limit: 1 })
  const [some] = await reader.list(user, { filters: [], limit: 1 }, ['id', 'name'])
  // @ts-expect-error a field that was not asked for
  some?.email
  // @ts-expect-error a field to write
  await tx.update(job, row, { note: 'x' })
  // @ts-expect-error a value of another type
  row.paused_seconds = 'long'
  // @ts-expect-error a field of an item
  row.steps[0]?.complete_at
  // @ts-expect-error a field that was sent
  draft.worker
  // @ts-expect-error a path that a refusal names
  addError('step[0].name', new Error())
}

export const shown = (one: Shown<typeof job>, person: Shown<typeof user>) => [
  one.state satisfies Job['state'],
  // @ts-expect-error what is internal is not shown
  one.planned_end_at,
  // @ts-expect-error nor is what is only read
  person.password,
]

export const said: Draft<typeof job> = { contact: { first_name: 'Mia' }, steps: [{ name: 'Arrive' }], notes: null }
export const kept = (one: Row<typeof job>): string => one.created_at
