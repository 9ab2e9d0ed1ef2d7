import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newClient, type Request } from '#test/client'
import { databases } from '#test/databases'
import { removeFolder, temporaryFolder } from '#test/folders'
import { type OwnPostgres, ownPostgres } from '#test/postgres-server'
import { type ServerProcess, startServer } from '#test/server-process'
import { until } from '#test/until'

if (databases.some(({ name }) => name === 'postgres'))
  describe('two processes on PostgreSQL, with a standby', () => {
    let primary: OwnPostgres
    let standby: OwnPostgres
    let folder: string
    let servers: ServerProcess[]
    let key: string | null
    let settings: { [name: string]: string }
    /** Each request goes to the other process. */
    let ask: Request
    before(async () => {
      primary = await ownPostgres()
      standby = await ownPostgres({ standsByFor: primary })
      folder = temporaryFolder()
      settings = {
        MUSTER_DATA_DIR: folder,
        MUSTER_DATABASE_URL: `${primary.url}/postgres`,
        MUSTER_REPLICA_URL: `${standby.url}/postgres`,
        MUSTER_LOG_LEVEL: 'warn',
      }
      const first = await startServer(settings)
      servers = [first, await startServer(settings)]
      key = first.key
      const clients = servers.map(({ base }) => newClient(base, key))
      let count = 0
      ask = (...asked) => (clients[count++ % 2] as Request)(...asked)
    })
    after(async () => {
      for (const server of servers) server.kill('SIGTERM')
      await Promise.all(servers.map(({ ended }) => ended))
      await Promise.all([standby.stop(), primary.stop()])
      removeFolder(folder)
    })

    test('what is shown is read on the standby once that has what was written', async () => {
      const made = await make('Read there')
      await caughtUp()
      for (let i = 0; i < 4; i++) {
        assert.equal((await ask('GET', `/v5/tags/${made}.json`)).status, 200)
        assert.equal((await ask('GET', '/v5/tags.json')).json.total_entries, 1)
      }
      const [{ count }] = await asked(
        standby,
        `select count(*)::int from pg_stat_activity where query like '%from "tags"%' and pid <> pg_backend_pid()`,
      )
      assert.ok(count > 0)
    })

    test('a standby that is behind shows nobody less than was answered before, in whichever process', async () => {
      await asked(standby, 'select pg_wal_replay_pause()')
      for (let i = 0; i < 10; i++) {
        const id = await make(`Behind ${i}`)
        for (let n = 0; n < 2; n++) {
          assert.equal((await ask('GET', `/v5/tags/${id}.json`)).status, 200)
          assert.equal((await ask('GET', '/v5/tags.json?search=Behind')).json.total_entries, i + 1)
        }
        if (i === 5) await asked(standby, 'select pg_wal_replay_resume()')
      }
    })

    test('a key that was revoked is refused at once, however far the standby is', async () => {
      await asked(standby, 'select pg_wal_replay_pause()')
      const { id, api_key: second } = JSON.parse(command('create', '1', '--name', 'Not for long', '--json'))
      for (let i = 0; i < 2; i++) assert.equal((await ask('GET', '/v5/tags.json', { key: second })).status, 200)
      command('revoke', '1', String(id))
      for (let i = 0; i < 2; i++) assert.equal((await ask('GET', '/v5/tags.json', { key: second })).status, 401)
      await asked(standby, 'select pg_wal_replay_resume()')
    })

    test('while the standby is away, the primary answers', async () => {
      await standby.stop()
      for (let i = 0; i < 6; i++) assert.equal((await ask('GET', '/v5/tags.json?total=false')).status, 200)
      const sentence = 'The standby does not answer: the primary is read in its place'
      for (const { base, printed } of servers) {
        const bare = newClient(base, null)
        assert.deepEqual((await bare('GET', '/readyz', { raw: true })).json.troubles, [sentence])
        const { text } = await bare('GET', '/metrics', { raw: true })
        assert.match(text, /^muster_degradations_total\{part="replica"\} [1-9]/m)
        await until(() => printed().includes(sentence), 'the log tells it')
      }
      await standby.start()
      assert.equal((await ask('GET', '/v5/tags.json')).status, 200)
    })

    test('whoever follows the journal misses nothing and sees nothing twice, whoever writes where', async () => {
      const from = (await ask('GET', '/v5/events.json')).json.after_id
      let writing = true
      const made = new Set<number>()
      const writer = async (_: unknown, w: number) => {
        for (let i = 0; i < 15; i++) {
          const answer = await ask('POST', '/v5/tags.json', { body: { tag: { name: `Followed ${w} ${i}` } } })
          assert.equal(answer.status, 201, answer.text)
          made.add(answer.json.tag.id)
        }
      }
      const follower = async (_: unknown, f: number) => {
        const seen: { id: number; record_id: number }[] = []
        // Once more after the last write.
        for (let after = from, last = false; !last; ) {
          last = !writing
          for (let more = true; more; ) {
            const page = (await ask('GET', `/v5/events.json?after_id=${after}&per_page=${3 + f * 20}`)).json
            seen.push(...page.events)
            assert.ok(page.after_id >= after)
            after = page.after_id
            more = page.more
          }
        }
        return seen
      }
      const writers = Promise.all(Array.from({ length: 8 }, writer)).finally(() => {
        writing = false
      })
      const all = await Promise.all(Array.from({ length: 3 }, follower))
      await writers
      assert.equal(made.size, 120)
      for (const seen of all) {
        assert.deepEqual(
          seen.map(({ id }) => id),
          [...new Set(seen.map(({ id }) => id))].sort((a, b) => a - b),
          'in order, and each once',
        )
        assert.deepEqual(new Set(seen.map(({ record_id }) => record_id)), made)
      }
    })

    async function make(name: string): Promise<number> {
      const answer = await ask('POST', '/v5/tags.json', { body: { tag: { name } } })
      assert.equal(answer.status, 201, answer.text)
      return answer.json.tag.id
    }

    function command(...words: string[]): string {
      const env = { ...process.env, ...settings }
      return execFileSync(process.execPath, ['src/cli/main.ts', 'key', ...words], {
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      })
    }

    async function caughtUp() {
      const [{ lsn }] = await asked(primary, 'select pg_current_wal_lsn() as lsn')
      for (;;) {
        const [{ there }] = await asked(standby, `select pg_last_wal_replay_lsn() >= '${lsn}' as there`)
        if (there) return
        await sleep(20)
      }
    }
  })

// biome-ignore lint/suspicious/noExplicitAny: rows of any query
async function asked({ url }: OwnPostgres, sql: string): Promise<any> {
  const client = new pg.Client({ connectionString: `${url}/postgres` })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
