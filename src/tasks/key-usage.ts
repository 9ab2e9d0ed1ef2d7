import { type ApiKey, apiKey } from '#records/api-key'
import { SESSION_MS, type Session, session } from '#records/session'
import type { Store } from '#store/store'

const EVERY_MS = 60_000
/** How exactly it is kept when one was last used: keys are few, and every phone has a session. */
const exactMs = { key: 60_000, session: 600_000 }

type Used = { kind: 'key'; row: ApiKey } | { kind: 'session'; row: Session }

/** When keys and sessions were last used: collected here, so that no request waits for it. Not journaled. */
export class KeyUsage {
  private readonly store: Store
  private readonly pending = new Map<string, { account: number; used: Used; at: string }>()
  private readonly timer: NodeJS.Timeout

  constructor(store: Store) {
    this.store = store
    this.timer = setInterval(() => void this.flush().catch(() => {}), EVERY_MS)
    this.timer.unref()
  }

  note(account: number, used: Used, at: string): void {
    const last = used.row.last_used_at
    if (!last || Date.parse(at) - Date.parse(last) >= exactMs[used.kind])
      this.pending.set(`${account} ${used.kind} ${used.row.id}`, { account, used, at })
  }

  /** Writes what was noted. What fails is noted again by the next use. */
  async flush(): Promise<void> {
    const notes = [...this.pending.values()]
    this.pending.clear()
    await Promise.all(
      notes.map(async ({ account, used, at }) => {
        await this.store.writeAsSystem(account, 'keys and sessions note when they were used', (tx) =>
          used.kind === 'key'
            ? tx.update(apiKey, used.row, { last_used_at: at })
            : // A session that is used goes on: nobody is signed out in the middle of a shift.
              tx.update(session, used.row, { last_used_at: at, expires_at: isoAfter(at, SESSION_MS) }),
        )
        used.row.last_used_at = at
      }),
    )
  }

  stop(): Promise<void> {
    clearInterval(this.timer)
    return this.flush()
  }
}

const isoAfter = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
