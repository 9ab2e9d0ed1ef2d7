import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** A thread that reads SQLite for `read-worker.ts`: one statement after the other, each as of when it starts. */
const database = new DatabaseSync(workerData.file, { readOnly: true, timeout: 10_000 })

parentPort?.on('message', ({ id, sql, parameters }: { id: number; sql: string; parameters: SQLInputValue[] }) => {
  const startedAt = performance.now()
  try {
    const rows = database.prepare(sql).all(...parameters)
    parentPort?.postMessage({ id, ms: performance.now() - startedAt, rows })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // With the codes of SQLite, which the message of an error would not carry.
    parentPort?.postMessage({ id, error: { ...error, message: error.message } })
  }
})
