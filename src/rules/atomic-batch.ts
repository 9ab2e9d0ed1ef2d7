/** The id of a record; null where a write had none. */
export type Id = number | string

/**
 * Several writes that are kept together or not at all. Each is applied when its turn comes and waits there; when the last
 * has been applied, what rules check is asked of all of them, and they are answered. The writes must go through a door
 * (`Act`) that was made with this batch, on a store whose writes are parts of one transaction.
 */
export class AtomicBatch {
  private readonly all = Promise.withResolvers<void>()
  private current = Promise.withResolvers<Id | null>()

  /** Called by the door: takes note of a write that has been applied; resolves when all of them have been. */
  applied(id: Id | null): Promise<void> {
    this.current.resolve(id)
    return this.all.promise
  }

  /** Does the works in order; each is given the ids of the records that those before it wrote. None of them may throw. */
  async run<T>(works: ((ids: readonly (Id | null)[]) => Promise<T>)[]): Promise<T[]> {
    const ids: (Id | null)[] = []
    const pending: Promise<T>[] = []
    for (const work of works) {
      this.current = Promise.withResolvers()
      const answer = work(ids)
      pending.push(answer)
      ids.push(await Promise.race([this.current.promise, answer.then(() => null)]))
    }
    this.all.resolve()
    return Promise.all(pending)
  }
}
