import { type ApiKey, apiKey } from '#records/api-key'
import { SESSION_MS, type Session, session } from '#records/session'
import type { Store } from '#store/store'
import { repeat } from './repeat.ts'

const EVERY_MS = 60_000
/** How exactly it is kept when one was last used: keys are few, and every phone has a session. */
const exactMs = { key: 60_000, session: 600_000 }

type Used = { kind: 'key'; row: ApiKey } | { kind: 'session'; row: Session }

interface Note {
  account: number
  used: Used
  at: string
}

/** When keys and sessions were last used: collected here, so that no request waits for it. Not journaled. */
export class KeyUsage {
  private readonly store: Store
  private readonly report: (failure: unknown | null) => void
  private readonly pending = new Map<string, Note>()
  private stopRepeating = () => {}

  /** `report` is told why it could not be written, or null. */
  constructor(store: Store, report: (failure: unknown | null) => void) {
    this.store = store
    this.report = report
  }

  /** What a command notes is written at its end. */
  start(): void {
    this.stopRepeating = repeat(EVERY_MS, () => this.flush(), this.report)
  }

  note(account: number, used: Used, at: string): void {
    const last = used.row.last_used_at
    if (!last || Date.parse(at) - Date.parse(last) >= exactMs[used.kind])
      this.pending.set(`${account} ${used.kind} ${used.row.id}`, { account, used, at })
  }

  /** Writes what was noted. What fails stays noted, and is told. */
  async flush(): Promise<void> {
    const notes = [...this.pending]
    const written = await Promise.allSettled(notes.map(([key, note]) => this.write(key, note)))
    const failed = written.find((one) => one.status === 'rejected')
    if (notes.length > 0) this.report(failed?.reason ?? null)
  }

  private async write(key: string, note: Note): Promise<void> {
    const { account, used, at } = note
    await this.store.writeAsSystem(account, 'keys and sessions note when they were used', (tx) =>
      used.kind === 'key'
        ? tx.update(apiKey, used.row, { last_used_at: at })
        : // A session that is used goes on: nobody is signed out in the middle of a shift.
          tx.update(session, used.row, { last_used_at: at, expires_at: isoAfter(at, SESSION_MS) }),
    )
    used.row.last_used_at = at
    // Used again meanwhile, it is noted anew.
    if (this.pending.get(key) === note) this.pending.delete(key)
  }

  stop(): Promise<void> {
    this.stopRepeating()
    return this.flush()
  }
}

const isoAfter = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
