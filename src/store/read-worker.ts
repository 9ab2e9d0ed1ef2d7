import { Worker } from 'node:worker_threads'
import type { Statement, StoredRow } from './database.ts'

/** A statement that took so long runs aside, until it was quick there so many times: it may have been the machine. */
const SLOW_MS = 50
const QUICK_MS = 10
const QUICK_TIMES = 10
const MAX_KNOWN = 1000

interface PendingRead {
  sql: string
  resolve: (rows: StoredRow[]) => void
  reject: (error: Error) => void
}

/**
 * A thread for what reads through many rows of a SQLite file, so that nobody else waits for it meanwhile: what is known
 * to do so, and what once did. Begun with the first of them.
 */
export function createReadWorker(file: string) {
  /** How many times each has yet to be quick. */
  const slowStatements = new Map<string, number>()
  const waiting = new Map<number, PendingRead>()
  let thread: Worker | null = null
  let last = 0

  return {
    isSlow: ({ searches, sql }: Statement) => searches || slowStatements.has(sql),

    /** Remembers how long a statement took. */
    learn: ({ sql }: Statement, ms: number): void => recordDuration(sql, ms),

    all({ sql, parameters }: Statement): Promise<StoredRow[]> {
      return new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { sql, resolve, reject })
        thread ??= startThread()
        thread.ref()
        thread.postMessage({ id, sql, parameters })
      })
    },

    async close(): Promise<void> {
      await thread?.terminate()
    },
  }

  function recordDuration(sql: string, ms: number) {
    if (ms >= SLOW_MS) {
      if (slowStatements.size >= MAX_KNOWN) slowStatements.clear()
      slowStatements.set(sql, QUICK_TIMES)
    }
    const times = slowStatements.get(sql)
    if (times === undefined || ms > QUICK_MS) return
    if (times > 1) slowStatements.set(sql, times - 1)
    else slowStatements.delete(sql)
  }

  function startThread(): Worker {
    const made = new Worker(new URL('./read-worker-thread.ts', import.meta.url), { workerData: { file } })
    let reason = new Error('the thread that reads has ended')
    made.on('message', ({ id, ms, rows, error }) => {
      const who = waiting.get(id)
      if (who && !error) recordDuration(who.sql, ms)
      waiting.delete(id)
      // Nothing that is under way: it keeps no process from ending.
      if (waiting.size === 0) made.unref()
      if (error) who?.reject(Object.assign(new Error(error.message), error))
      else who?.resolve(rows)
    })
    // Its end comes after what ended it; whoever asks in between is told as well, and the next begins another.
    made.on('error', (error) => {
      reason = error
    })
    made.on('exit', () => fail(reason))
    return made
  }

  function fail(error: Error) {
    thread = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
}
