import type { ApiKey } from '#records/api-key'
import { apiKey } from '#records/api-key'
import type { Store } from '#store/store'

const EVERY_MS = 60_000

/** When keys were last used, to the minute: collected here, so that no request waits for it. Not journaled. */
export class KeyUse {
  private readonly store: Store
  private readonly noted = new Map<string, { account: number; key: ApiKey; at: string }>()
  private readonly timer: NodeJS.Timeout

  constructor(store: Store) {
    this.store = store
    this.timer = setInterval(() => void this.flush().catch(() => {}), EVERY_MS)
    this.timer.unref()
  }

  note(account: number, key: ApiKey, at: string): void {
    if (!key.last_used_at || Date.parse(at) - Date.parse(key.last_used_at) >= EVERY_MS)
      this.noted.set(`${account} ${key.id}`, { account, key, at })
  }

  /** Writes what was noted. What fails is noted again by the next use. */
  async flush(): Promise<void> {
    const notes = [...this.noted.values()]
    this.noted.clear()
    await Promise.all(
      notes.map(({ account, key, at }) =>
        this.store.write({ account, groups: null }, (tx) => tx.update(apiKey, key, { last_used_at: at })),
      ),
    )
  }

  stop(): Promise<void> {
    clearInterval(this.timer)
    return this.flush()
  }
}
