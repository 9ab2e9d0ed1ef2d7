/** Rows straight into SQLite, a commit each, synced: `{ file, ms }` in, `{ rows, ms }` out. */
import { DatabaseSync } from 'node:sqlite'

process.on('message', ({ file, ms }: { file: string; ms: number }) => {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  const last = database.prepare('select coalesce(max(id), 0) as id from tags').get() as { id: number }
  const insert = database.prepare(
    `insert into tags (account_id, id, name, description, expires, created_by_user_id, created_at, updated_at, deleted_at)
     values (1, ?, ?, ?, 1, null, ?, ?, null)`,
  )
  const started = performance.now()
  let rows = 0
  for (let now = started; now - started < ms; now = performance.now(), rows++) {
    const at = new Date().toISOString()
    insert.run(last.id + rows + 1, `Limit ${last.id + rows}`, 'Holds a current harness certificate', at, at)
  }
  const took = performance.now() - started
  database.close()
  process.send?.({ rows, ms: took })
})
