import type { Store } from '#store/store'

/** Does a piece of work every so often, never twice at once, and without keeping the process alive. Answers how to stop. */
export function repeat(ms: number, work: () => Promise<void>, failed: (error: unknown) => void): () => void {
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    void work()
      .catch(failed)
      .finally(() => {
        running = false
      })
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** The same where several processes serve one database: the work is done by one of them, and by another when that ends. */
export function repeatOnLeader(
  { database }: Pick<Store, 'database'>,
  ms: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): () => void {
  return repeat(
    ms,
    async () => {
      if (await database.isLeader()) await work()
    },
    failed,
  )
}
