import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Answered, newClient, type Request } from '#test/client'
import { eventsOf } from '#test/database-content'
import { databases } from '#test/databases'
import { type OwnPostgres, ownPostgres } from '#test/postgres-server'
import { startApp, type TestApp } from '#test/test-app'

const WRITERS = 12
const READERS = 6
/** Writes that are made before a while is over, on however slow a machine. */
const ENOUGH = 100

/** What the callers of a while were told. */
interface Told {
  made: Map<string, number>
  unknown: string[]
  reads: number[]
  longestReadMs: number
}

// What a database in the same process can't do: go away.
if (databases.some(({ name }) => name === 'postgres'))
  describe('PostgreSQL goes away under load', () => {
    let server: OwnPostgres
    let app: TestApp
    before(async () => {
      server = await ownPostgres()
      app = await startApp({
        database: {
          name: 'own',
          migrated: () => assert.fail('of this server there is no template'),
          empty: async () => ({ settings: { MUSTER_DATABASE_URL: `${server.url}/postgres` }, drop: async () => {} }),
        },
        empty: true,
      })
    })
    after(async () => {
      await app.close()
      await server.stop()
    })

    test('its connections are killed again and again: every read is answered 200, every write once or not at all', async () => {
      const doc = await underLoad('killed', async () => {
        for (let i = 0; i < 10; i++) {
          await sleep(200)
          await admin(
            'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
          )
        }
      })
      assert.deepEqual(new Set(doc.reads), new Set([200]))
      await assertKept('killed', doc)
    })

    test('it crashes and is back after a second: requests wait for it, and nothing acknowledged is lost', async () => {
      const doc = await underLoad('crashed', async () => {
        await sleep(500)
        await server.stop()
        await sleep(700)
        await server.start()
      })
      assert.deepEqual(new Set(doc.reads), new Set([200]))
      assert.ok(doc.longestReadMs > 500, 'some reads waited')
      await assertKept('crashed', doc)
    })

    test('it stays away: 503 with Retry-After within seconds, then all is as before', async () => {
      await server.stop()
      const began = performance.now()
      const answers = await Promise.all([
        app.request('GET', '/v5/tags.json'),
        app.request('POST', '/v5/tags.json', { body: { tag: { name: 'In vain' } } }),
        app.request('GET', '/readyz'),
      ])
      assert.ok(performance.now() - began < 10_000)
      for (const { status, headers, text } of answers.slice(0, 2)) {
        assert.equal(status, 503, text)
        assert.equal(headers['retry-after'], '1')
      }
      assert.equal(answers[2]?.status, 503)
      await server.start()
      assert.equal((await app.request('GET', '/v5/tags.json?name=In%20vain')).json.total_entries, 0)
      assert.equal((await app.request('GET', '/readyz')).status, 200)
    })

    async function admin(sql: string) {
      const client = new pg.Client({ connectionString: `${server.url}/postgres` })
      client.on('error', () => {})
      await client.connect()
      await client.query(sql)
      await client.end()
    }

    /** Everybody asks, one request after the other, while something happens. */
    async function underLoad(name: string, happens: () => Promise<void>): Promise<Told> {
      const doc: Told = { made: new Map(), unknown: [], reads: [], longestReadMs: 0 }
      let over = false
      const goesOn = () => !over || doc.made.size < ENOUGH
      const request = newClient(app.base, app.key)
      const writer = async (_: unknown, w: number) => {
        for (let i = 0; goesOn(); i++) {
          const tag = `${name} ${w} ${i}`
          const answer = await request('POST', '/v5/tags.json', { body: { tag: { name: tag } } })
          if (answer.status === 201) doc.made.set(tag, answer.json.tag.id)
          else doc.unknown.push(assertUnknown(answer, tag))
        }
      }
      const reader = async () => {
        while (goesOn()) {
          const began = performance.now()
          const answer = await request('GET', '/v5/tags.json?per_page=5&sort=-id')
          doc.longestReadMs = Math.max(doc.longestReadMs, performance.now() - began)
          doc.reads.push(answer.status)
        }
      }
      await Promise.all([
        happens().finally(() => {
          over = true
        }),
        ...Array.from({ length: WRITERS }, writer),
        ...Array.from({ length: READERS }, reader),
      ])
      return doc
    }

    async function assertKept(name: string, { made, unknown }: Told) {
      const kept = await everyTag(newClient(app.base, app.key), name)
      assert.deepEqual(
        kept.map((tag) => tag.name).filter((tag, i, all) => all.indexOf(tag) !== i),
        [],
        'nothing is there twice',
      )
      const ids = new Map(kept.map((tag) => [tag.name, tag.id]))
      for (const [tag, id] of made) assert.equal(ids.get(tag), id, tag)
      for (const tag of ids.keys())
        assert.ok(made.has(tag) || unknown.includes(tag), `${tag} was refused, and is there`)
      const events = (await eventsOf(app.app, app.account.id)).filter(({ record }) => record === 'tag')
      const told = new Set(events.map(({ record_id }) => record_id))
      assert.equal(told.size, events.length)
      for (const { id } of kept) assert.ok(told.has(String(id)), 'the journal knows of it')
    }
  })

/** The one thing that may be said of a write beside that it was made: nobody knows, look. */
function assertUnknown(answer: Answered, tag: string): string {
  assert.equal(answer.status, 503, answer.text)
  assert.match(answer.text, /nobody knows/)
  return tag
}

async function everyTag(request: Request, name: string): Promise<{ id: number; name: string }[]> {
  const all: { id: number; name: string }[] = []
  for (let after = 0; ; ) {
    const { tags } = (await request('GET', `/v5/tags.json?per_page=1000&after_id=${after}`)).json
    if (tags.length === 0) return all.filter((tag) => tag.name.startsWith(name))
    all.push(...tags)
    after = tags.at(-1).id
  }
}
