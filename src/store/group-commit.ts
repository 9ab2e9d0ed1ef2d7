import type { DatabaseObserver } from './database.ts'

/** What a transaction is made of; each database says how. */
export interface Transaction<C> {
  connection: C
  savepoint(): Promise<void>
  release(): Promise<void>
  rollbackToSavepoint(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** When a transaction that came to nothing is done once more: its connection died, or it was in another's way. */
export interface RetryPolicy {
  isRetryable(error: unknown): boolean
  /** Waits before attempt 1, 2 …; false when it has been tried for long enough. */
  wait(attempt: number): Promise<boolean>
}

interface QueuedWrite<C> {
  work: (connection: C) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** How many writes share a commit at most; a bound on how long the first of them waits. */
const MAX_WRITES_PER_COMMIT = 256

/**
 * Shares commits: the writes that arrive in one turn of the event loop go into one transaction, a savepoint each, and
 * are answered after its commit. One that throws is undone alone; when the commit fails, none of them has happened.
 */
export class GroupCommit<C> {
  private waiting: QueuedWrite<C>[] = []
  private draining: Promise<void> | null = null
  private readonly begin: () => Promise<Transaction<C>>
  private readonly explain: (error: unknown) => unknown
  private readonly committed: DatabaseObserver['committed']
  private readonly retryPolicy: RetryPolicy | null

  /**
   * `explain` turns what the database throws into the problem it is, and leaves the rest as it is. With `repeat`, the
   * works of a transaction may run again: they touch nothing but its connection.
   */
  constructor(
    begin: () => Promise<Transaction<C>>,
    explain: (error: unknown) => unknown,
    committed: DatabaseObserver['committed'] = () => {},
    repeat: RetryPolicy | null = null,
  ) {
    this.begin = begin
    this.explain = explain
    this.committed = committed
    this.retryPolicy = repeat
  }

  run<T>(work: (connection: C) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      this.draining ??= nextTurn().then(() => this.drain())
    })
  }

  /** Resolves when nothing is waiting any more. */
  async idle(): Promise<void> {
    while (this.draining) await this.draining
  }

  private async drain() {
    while (this.waiting.length > 0) {
      await this.commitBatch(this.waiting.splice(0, MAX_WRITES_PER_COMMIT))
      if (this.waiting.length > 0) await nextTurn()
    }
    this.draining = null
  }

  private async commitBatch(writes: QueuedWrite<C>[]) {
    const startedAt = performance.now()
    for (let attempt = 0; ; attempt++) {
      const answers: (() => void)[] = []
      let transaction: Transaction<C> | null = null
      try {
        transaction = await this.begin()
        for (const turn of writes) answers.push(await this.attempt(transaction, turn))
        await transaction.commit()
      } catch (error) {
        // Whatever becomes of the rollback, those who wait are told.
        await transaction?.rollback().catch(() => {})
        if (this.retryPolicy?.isRetryable(error) && (await this.retryPolicy.wait(attempt))) continue
        const problem = this.explain(error)
        for (const turn of writes) turn.reject(problem)
        return
      }
      this.committed(writes.length, performance.now() - startedAt)
      for (const answer of answers) answer()
      return
    }
  }

  private async attempt(transaction: Transaction<C>, write: QueuedWrite<C>): Promise<() => void> {
    await transaction.savepoint()
    try {
      const value = await write.work(transaction.connection)
      await transaction.release()
      return () => write.resolve(value)
    } catch (error) {
      if (this.retryPolicy?.isRetryable(error)) throw error
      await transaction.rollbackToSavepoint()
      const problem = this.explain(error)
      return () => write.reject(problem)
    }
  }
}

export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
