import type { Connection, DatabaseObserver, StoredRow } from './database.ts'

/** After a standby failed, it is left alone for so long. */
const BACK_OFF_MS = 5_000

/**
 * Reads on a standby where it has an account's journal up to a place, else on the primary. An account's events become
 * visible in their order, with all that was written beside them, so the number alone tells.
 * (docs/decisions/0008-read-replicas.md)
 */
export function preferReplica(
  primary: Connection,
  standby: Connection,
  { reported }: Pick<DatabaseObserver, 'reported'>,
  clock = () => performance.now(),
) {
  const positions = new Map<number, number>()
  let restsUntil = 0

  return (account: number, place: number): Connection => ({
    async all(statement): Promise<StoredRow[]> {
      if (clock() >= restsUntil)
        try {
          const reached = await hasReached(account, place)
          const rows = reached ? await standby.all(statement) : null
          reported('replica', null)
          if (rows) return rows
        } catch (error) {
          // Away, starting, behind by a migration, or in the way of what it replays: the primary tells, or throws the same.
          restsUntil = clock() + BACK_OFF_MS
          reported('replica', error)
        }
      return primary.all(statement)
    },
  })

  async function hasReached(account: number, place: number): Promise<boolean> {
    if ((positions.get(account) ?? -1) >= place) return true
    const [row] = await standby.all({ sql: 'select seq from journals where account_id = $1', parameters: [account] })
    const seq = Number(row?.seq ?? 0)
    positions.set(account, seq)
    return seq >= place
  }
}
