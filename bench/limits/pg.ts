/**
 * Bare `pg` with the statements that a request needs and nothing around them, as many at once as there are connections:
 * `{ url, account, digest, tag, what, ms }` in, `{ done, ms }` out.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

interface Asked {
  url: string
  account: number
  tag: number
  what: 'read' | 'create'
  ms: number
}

const pool = { of: null as pg.Pool | null }
let last = Date.now() * 1000

process.on('message', async ({ url, account, tag, what, ms }: Asked) => {
  pool.of ??= new pg.Pool({ connectionString: url, max: 10 })
  const database = pool.of
  const work = what === 'read' ? () => read(database, account, tag) : () => create(database, account)
  const started = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      for (; performance.now() - started < ms; done++) await work()
    }),
  )
  process.send?.({ done, ms: performance.now() - started })
})

const query = (on: pg.Pool | pg.PoolClient, name: string, text: string, values: unknown[]) =>
  on.query({ name, text, values })

/** Who asks, by the key's account and the key itself; then the record. */
async function read(database: pg.Pool, account: number, tag: number) {
  await query(database, 'account', 'select * from accounts where account_id = $1 and id = $1', [account])
  await query(database, 'key', 'select * from api_keys where account_id = $1 and deleted_at is null', [account])
  await query(database, 'tag', 'select * from tags where account_id = $1 and id = $2 and deleted_at is null', [
    account,
    tag,
  ])
}

/** Who asks; then the record, its line in the journal and the answer under its key, in one transaction. */
async function create(database: pg.Pool, account: number) {
  await query(database, 'account', 'select * from accounts where account_id = $1 and id = $1', [account])
  await query(database, 'key', 'select * from api_keys where account_id = $1 and deleted_at is null', [account])
  const client = await database.connect()
  const id = ++last
  const now = new Date()
  try {
    await client.query('begin')
    await query(
      client,
      'insert',
      'insert into tags (account_id, id, name, description, expires, created_at, updated_at) values ($1, $2, $3, $4, true, $5, $5)',
      [account, id, `Limit ${id}`, 'Holds a current harness certificate', now],
    )
    await query(client, 'seq', 'update journals set seq = seq where account_id = $1 returning seq', [account])
    await query(
      client,
      'event',
      "insert into events (account_id, seq, at, record, record_id, action, actor, call_id, changes) values ($1, $2, $3, 'tag', $4, 'create', 'key', $5, $6)",
      [account, id, now, String(id), randomUUID(), JSON.stringify({ name: [null, `Limit ${id}`] })],
    )
    await query(
      client,
      'answer',
      "insert into answers (account_id, key, fingerprint, status, headers, body, created_at) values ($1, $2, $3, 201, '{}', $4, $5)",
      [account, randomUUID(), 'x'.repeat(64), 'x'.repeat(400), now],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}
