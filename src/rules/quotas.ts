import type { Actor } from '#call'
import type { RecordType } from '#fields'
import { Problem } from '#problem'
import type { Event } from '#store/journal'
import type { Store, Usage } from '#store/store'

/** Usage is counted anew so often; in between, what is written here is added. Other processes are seen that late. */
const FRESH_MS = 60_000

/** What one account may keep; 0 sets no limit. */
export type Limits = Usage

type Quota = keyof Usage

const sentences: { [quota in Quota]: (limit: number) => string } = {
  records: (limit) => `This account has ${limit} records, as many as it may`,
  file_bytes: (limit) => `The files of this account would have more than ${limit} bytes, as many as it may`,
}

/**
 * Bounds on what one account keeps, so that it does not fill the disk of all. What other processes wrote counts up to a minute
 * later, and of files that come at the same time all may pass. (docs/operating.md)
 */
export class Quotas {
  private readonly store: Pick<Store, 'usageOf' | 'statements'>
  private readonly limits: Limits
  private readonly accounts = new Map<number, { usage: Usage; at: number }>()

  constructor(store: Quotas['store'], limits: Limits) {
    this.store = store
    this.limits = limits
  }

  /** Counts what an account keeps, where that was not done lately. Outside of transactions. */
  async refresh(account: number): Promise<void> {
    const known = this.accounts.get(account)
    if (this.isOff() || (known && performance.now() - known.at < FRESH_MS)) return
    // Whoever asks meanwhile goes by what is known.
    if (known) known.at = performance.now()
    const records = [...this.store.statements.records.values()].filter(isCounted)
    this.accounts.set(account, { usage: await this.store.usageOf(account, records), at: performance.now() })
  }

  /** @throws Problem full (507) when a record of this type would be one too many */
  refuseRecord(actor: Actor, record: RecordType): void {
    if (isCounted(record)) this.refuse(actor, 'records', 1)
  }

  /** @throws Problem full (507) when a file of so many bytes would be too much */
  refuseFile(actor: Actor, bytes: number): void {
    this.refuse(actor, 'file_bytes', bytes)
  }

  /** What was written here: a record that is made or comes back, or goes. */
  note(account: number, record: RecordType, action: Event['action']): void {
    if (isCounted(record) && action !== 'update') this.add(account, 'records', action === 'delete' ? -1 : 1)
  }

  noteFile(account: number, bytes: number): void {
    this.add(account, 'file_bytes', bytes)
  }

  /** What was noted did not last: it is counted anew. */
  forget(account: number): void {
    this.accounts.delete(account)
  }

  /** How much of a quota the account has used that used most, of those that wrote lately; null where there is no limit. */
  highestShare(quota: Quota): number | null {
    const limit = this.limits[quota]
    return limit === 0 ? null : Math.max(0, ...[...this.accounts.values()].map(({ usage }) => usage[quota] / limit))
  }

  private add(account: number, quota: Quota, more: number): void {
    const known = this.accounts.get(account)
    if (known) known.usage[quota] += more
  }

  private refuse({ kind, account }: Actor, quota: Quota, more: number): void {
    const limit = this.limits[quota]
    const used = this.accounts.get(account.id)?.usage[quota] ?? 0
    if (limit === 0 || kind === 'system' || used + more <= limit) return
    throw new Problem('full', sentences[quota](limit), {
      code: 'quota_reached',
      remedy: 'Delete what is not needed, or ask who runs the server for more',
    })
  }

  private isOff(): boolean {
    return Object.values(this.limits).every((limit) => limit === 0)
  }
}

/** What callers make at an address; what the server notes by itself is never in the way. */
const isCounted = ({ path, without }: RecordType) => path !== null && !without?.includes('create')
