import { keyOf, type Transaction, write } from './database.ts'
import type { Act, Conflict, Entry, Row } from './entry.ts'
import { exchange } from './exchange.ts'
import type { SetOptions } from './working-set.ts'

/** One field of which there are two values: the newest that was written here, and those that it stands in place of. */
export interface Dispute {
  conflict: Conflict
  older: Conflict[]
}

/** The fields about which the person has to say which value counts. What is of a job that is not theirs any more, the office decides. */
export function disputesOf(conflicts: readonly Conflict[]): Dispute[] {
  const open = conflicts.filter(({ state, kind }) => state === 'open' && kind === 'field')
  const byField = Map.groupBy(open, ({ record, record_id, path }) => `${record} ${record_id} ${path}`)
  return [...byField.values()].map((all) => {
    const [conflict, ...older] = all.toSorted(newestFirst) as [Conflict, ...Conflict[]]
    return { conflict, older }
  })
}

/** Instants have whole seconds; ids are in the order in which they were found. */
const newestFirst = (a: Conflict, b: Conflict) => b.mine_at.localeCompare(a.mine_at) || b.id.localeCompare(a.id)

/** Takes what was written here, or leaves what is there; what it stands in place of is left in any case. */
export function decide({ conflict, older }: Dispute, choice: 'taken' | 'left', words: Act['words']): Act[] {
  const decision = (one: Conflict, choice: 'taken' | 'left'): Act => ({
    method: 'POST',
    path: `conflicts/${one.id}/decision`,
    body: { decision: { choice } },
    effects: [
      { record: 'conflict', id: one.id, changes: [{ path: 'state', value: choice }] },
      ...(choice === 'taken'
        ? [{ record: one.record, id: one.record_id, changes: [{ path: one.path ?? '', value: one.mine }] }]
        : []),
    ],
    words,
  })
  return [...older.map((one) => decision(one, 'left')), decision(conflict, choice)]
}

/**
 * Asks which conflicts of the person are open, and keeps those with the set. What became of one that isn't any more, the
 * job tells: its entry counts as received.
 */
export async function keepConflicts({ base, database, clock, fetch = globalThis.fetch }: SetOptions): Promise<void> {
  const path = 'conflicts.json?state=open&per_page=1000&total=false'
  const { status, body } = await exchange(base, clock, fetch, { method: 'GET', path })
  if (status !== 200) return
  const { conflicts: open } = body as { conflicts: Row[] }
  await write(database, ['records', 'entries'], async (tx) => {
    await replace(tx, open)
    for (const entry of await tx.objectStore('entries').index('state').getAll('conflicted'))
      if (!entry.conflictIds.some((id) => open.some((one) => one.id === id)))
        await tx.objectStore('entries').put({ ...entry, state: 'received' } satisfies Entry)
  })
}

async function replace(tx: Transaction, rows: Row[]): Promise<void> {
  const kept = tx.objectStore('records')
  for (const key of await kept.index('record').getAllKeys('conflict')) await kept.delete(key)
  for (const row of rows) await kept.put({ key: keyOf('conflict', row.id), record: 'conflict', row })
}
