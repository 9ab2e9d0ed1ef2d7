/**
 * The statements of a write of Muster straight into SQLite, as many writes a commit as there are connections:
 * `{ file, writes, ms }` in, `{ rows, ms }` out. What differs between the two recorded writes goes on differing.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

const WRITES_PER_COMMIT = 64

interface Recorded {
  sql: string
  parameters: SQLInputValue[]
}

let done = 0

process.on('message', ({ file, writes, ms }: { file: string; writes: [Recorded[], Recorded[]]; ms: number }) => {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  database.exec('pragma temp_store = memory; pragma cache_size = -32000; pragma wal_autocheckpoint = 8000')
  const [first, second] = writes
  const statements = second.map(({ sql, parameters }, i) => {
    const before = first[i]?.parameters ?? []
    return {
      run: database.prepare(sql),
      values: (n: number) => parameters.map((value, at) => nth(before[at], value, n)),
    }
  })
  const [begin, savepoint, release, commit] = ['begin immediate', 'savepoint one', 'release one', 'commit'].map((sql) =>
    database.prepare(sql),
  )
  const started = performance.now()
  let rows = 0
  while (performance.now() - started < ms) {
    begin?.run()
    for (let i = 0; i < WRITES_PER_COMMIT; i++) {
      savepoint?.run()
      done++
      for (const { run, values } of statements) run.all(...values(done))
      release?.run()
      rows++
    }
    commit?.run()
  }
  const took = performance.now() - started
  database.close()
  process.send?.({ rows, ms: took })
})

/** A value of the write after the second by so many: numbers go on, names are new; instants and documents may stay. */
function nth(before: SQLInputValue | undefined, value: SQLInputValue, n: number): SQLInputValue {
  if (before === value || value === null) return value
  if (typeof value === 'number') return value + n
  if (typeof value !== 'string' || /^[{[]|^\d{4}-\d\d-\d\dT/.test(value)) return value
  return /^\d+$/.test(value) ? String(Number(value) + n) : `${value} ${n}`
}
