import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { systemCall } from '#call'
import { tag } from '#records/tag'
import type { Once } from '#rules/idempotency'
import { bodyOf, collectionOf, draftOf, fullDraftOf, isSent, make, type WireDraft } from '#test/builders'
import { contentOf, type Event, eventsOf } from '#test/database-content'
import { databases } from '#test/databases'
import { eachAddress, formats } from '#test/loops'
import { startApp } from '#test/test-app'

/** What else is written when a record is: by its rules, in the same transaction and the same journal. */
const entailed: { [record: string]: { before?: string[]; create?: string[]; update?: string[]; delete?: string[] } } = {
  // A site of a customer who isn't there yet.
  site: { before: ['create customer'] },
  // A recurrence's customer, and the jobs that are due.
  recurrence: { before: ['create customer'] },
  // A job's customer is made with it; a thread shows what its messages say.
  job: { before: ['create customer'] },
  thread: { create: ['create message', 'update thread'] },
  message: { create: ['update thread'], update: ['update thread'], delete: ['update thread'] },
}

eachAddress(
  () => true,
  (address, turn) => {
    const { record, name } = address
    /** The text that names the record, and what it becomes. */
    const { title } = record
    const another = () => ({ [title]: `Another ${draftOf(record)[title] ?? 'name'} ${++count}` })
    let count = 0

    for (const format of formats)
      describe(`as ${format}`, () => {
        const body = (draft: WireDraft) => bodyOf(format, name, record.fields, draft)
        const request: typeof turn.account.request = (...asked) => turn.account.request(...asked)
        const made = async () => {
          const { path, id } = await make(turn.account, address)
          return { id, path: `${path}.${format}` }
        }

        test('If-None-Match with the ETag answers 304 without a body, and 200 once the record has changed', async () => {
          const { path } = await made()
          const first = await request('GET', path)
          const { etag = '' } = first.headers
          assert.match(etag, /^W\/"[^"]+"$/)
          for (const header of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
            const answer = await request('GET', path, { headers: { 'If-None-Match': header } })
            assert.equal(answer.status, 304, header)
            assert.equal(answer.bytes.length, 0)
            assert.equal(answer.headers.etag, etag)
            assert.equal(answer.headers['content-type'], undefined)
            assert.equal(answer.headers['cache-control'], first.headers['cache-control'])
          }
          assert.equal((await request('HEAD', path, { headers: { 'If-None-Match': etag } })).status, 304)
          assert.equal((await request('GET', path, { headers: { 'If-None-Match': '"x"' } })).status, 200)
          assert.equal((await request('PUT', path, { body: body(another()) })).status, 200)
          const later = await request('GET', path, { headers: { 'If-None-Match': etag } })
          assert.equal(later.status, 200)
          assert.notEqual(later.headers.etag, etag)
        })

        test('If-None-Match with the ETag of a list answers 304 until something in it changes', async () => {
          const { path } = await made()
          const list = path.replace(/\/[^/]+$/, `.${format}`)
          const { etag = '' } = (await request('GET', list)).headers
          assert.equal((await request('GET', list, { headers: { 'If-None-Match': etag } })).status, 304)
          await request('PUT', path, { body: body(another()) })
          assert.equal((await request('GET', list, { headers: { 'If-None-Match': etag } })).status, 200)
        })

        test('If-Match guards an update and a delete against what somebody else has changed', async () => {
          const { path } = await made()
          const { etag = '' } = (await request('GET', path)).headers
          await request('PUT', path, { body: body(another()) })
          const now = await request('GET', path)
          for (const method of ['PUT', 'PATCH', 'DELETE']) {
            const asked = method === 'DELETE' ? {} : { body: body(another()) }
            const answer = await request(method, path, { ...asked, headers: { 'If-Match': etag } })
            assert.equal(answer.status, 412, method)
            assert.equal(answer.errors.length, 1)
          }
          assert.equal((await request('GET', path)).text, now.text)

          const other = path.replace(/\w+$/, format === 'xml' ? 'json' : 'xml')
          for (const header of [now.headers.etag, (await request('GET', other)).headers.etag, '*'])
            assert.equal((await request('PUT', path, { body: now.text, headers: { 'If-Match': header } })).status, 200)
          const gone = await request('DELETE', path, { headers: { 'If-Match': now.headers.etag } })
          assert.equal(gone.status, 200)
        })

        test('a repeated Idempotency-Key gets the first answer, byte for byte, and writes once', async () => {
          const { app, account } = turn
          const collection = await collectionOf(account, address)
          const { path } = await make(account, address, {}, { collection })
          const writes = [
            ['POST', `${collection}.${format}`, body(draftOf(record))],
            ['PUT', `${path}.${format}`, body(another())],
            ['DELETE', `${path}.${format}`, undefined],
          ] as const
          for (const [method, target, sent] of writes) {
            const headers = { 'Idempotency-Key': `${record.name} ${name} ${format} ${method}` }
            const first = await request(method, target, { body: sent, headers })
            assert.equal(first.status, method === 'POST' ? 201 : 200, first.text)
            assert.equal(first.headers['idempotent-replayed'], undefined)
            const after = await contentOf(app.app)
            const again = await request(method, target, { body: sent, headers })
            assert.equal(again.headers['idempotent-replayed'], 'true')
            assert.equal(again.text, first.text)
            for (const header of ['status', 'location', 'etag', 'content-type'])
              assert.equal(again.headers[header], first.headers[header], header)
            const other = await request(method, target, { body: `${sent ?? ''} `, headers })
            assert.equal(other.status, 409, method)
            assert.equal((await request('DELETE', `${collection}/1.${format}`, { headers })).status, 409)
            assert.deepEqual(await contentOf(app.app), after)
          }
        })

        test('an Idempotency-Key is that of the account, with whichever of its keys of the same reach; what was refused may be said better', async () => {
          const { account, app } = turn
          const collection = `${await collectionOf(account, address)}.${format}`
          const headers = { 'Idempotency-Key': `shared ${name} ${format}` }
          const refused = await request('POST', collection, { body: body({ [title]: '{}'.repeat(40_000) }), headers })
          assert.equal(refused.status, 422, refused.text)
          const sent = { body: body(draftOf(record)), headers }
          const mine = await request('POST', collection, sent)
          assert.equal(mine.status, 201, mine.text)
          const again = await request('POST', collection, { ...sent, key: await account.newKey() })
          assert.equal(again.headers['idempotent-replayed'], 'true')
          assert.equal(again.text, mine.text)
          const stranger = await app.newAccount()
          const theirs = `${await collectionOf(stranger, address)}.${format}`
          const other = await request('POST', theirs, { body: body(draftOf(record)), headers, key: stranger.key })
          assert.equal(other.status, 201, other.text)
          assert.equal(other.headers['idempotent-replayed'], undefined)
        })

        test('of several at once under one Idempotency-Key one is made', async () => {
          const collection = `${await collectionOf(turn.account, address)}.${format}`
          const asked = { body: body(draftOf(record)), headers: { 'Idempotency-Key': `at once ${name} ${format}` } }
          const answers = await Promise.all(Array.from({ length: 5 }, () => request('POST', collection, asked)))
          assert.deepEqual(
            answers.map(({ status }) => status),
            Array(5).fill(201),
          )
          assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
          assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed']).length, 4)
        })

        test('dry_run answers what would happen and writes nothing at all', async () => {
          const { app, account } = turn
          const collection = await collectionOf(account, address)
          const { path, row } = await make(account, address, {}, { collection })
          const full = await fullDraftOf(account, record)
          const before = await contentOf(app.app)
          const headers = { 'Idempotency-Key': `dry ${name} ${format}` }

          const created = await request('POST', `${collection}.${format}?dry_run=true`, { body: body(full), headers })
          assert.equal(created.status, 201, created.text)
          assert.equal(created.headers.location, undefined)
          const change = another()
          const updated = await request('PUT', `${path}.${format}?dry_run=true`, { body: body(change) })
          assert.equal(updated.status, 200)
          assert.ok(updated.text.includes(String(change[title])))
          const removed = await request('DELETE', `${path}.${format}?dry_run=true`)
          assert.equal(removed.status, 200)
          assert.ok(removed.text.includes(String(row.id)))
          const refused = await request('POST', `${collection}.${format}?dry_run=true`, {
            body: body({ ...draftOf(record), [title]: '{}'.repeat(40_000) }),
          })
          assert.equal(refused.status, 422)

          assert.deepEqual(await contentOf(app.app), before)
        })
      })

    test('every write appends its events: who, which call, which record, and each field from what to what', async () => {
      const { app } = turn
      const account = await app.newAccount()
      const { request } = account
      const journal = () => eventsOf(app.app, account.account.id)
      const since = async (seq: number) => (await journal()).filter((event) => event.seq > seq)
      const collection = await collectionOf(account, address)
      const also = entailed[record.name] ?? {}
      const keyId = (await journal()).find((event) => event.record === 'api_key')?.record_id

      const draft = draftOf(record)
      let last = (await journal()).at(-1)?.seq ?? 0
      const created = await request('POST', `${collection}.json`, {
        body: { [name]: draft },
        headers: { 'X-Request-Id': `create-${name}` },
      })
      const { id } = created.json[name]
      const creation = await since(last)
      assert.deepEqual(creation.map(spoken), [...(also.before ?? []), `create ${record.name}`, ...(also.create ?? [])])
      for (const event of creation) {
        assert.equal(event.call_id, `create-${name}`)
        assert.equal(event.actor, 'key')
        assert.equal(String(event.actor_id), keyId)
        assert.ok(Math.abs(Date.parse(event.at) - Date.now()) < 60_000)
      }
      const made = creation.find((event) => spoken(event) === `create ${record.name}`) as Event
      assert.equal(made.record_id, String(id))
      for (const [field, value] of Object.entries(draft)) {
        const described = record.fields[field]
        if (described?.shape !== 'leaf' || described.lookup || described.column === 'instant') continue
        const kept = described.column === 'decimal' ? created.json[name][field] : value
        assert.deepEqual(made.changes[field], described.secret ? ['[hidden]', '[hidden]'] : [null, kept], field)
      }

      last = (await journal()).at(-1)?.seq ?? 0
      const change = another()
      const path = `${collection}/${id}.json`
      assert.equal((await request('PUT', path, { body: { [name]: change } })).status, 200)
      const updates = await since(last)
      assert.deepEqual(updates.map(spoken), [`update ${record.name}`, ...(also.update ?? [])])
      assert.deepEqual(updates[0]?.changes[title], [created.json[name][title], change[title]])
      for (const field of Object.keys(updates[0]?.changes ?? {}))
        assert.ok(field === title || !isSent(record.fields[field] as never), `${field} has not changed`)

      last = (await journal()).at(-1)?.seq ?? 0
      assert.equal((await request('PUT', path, { body: { [name]: change } })).status, 200)
      assert.equal((await request('PUT', path, { body: { [name]: { [title]: { a: 1 } } } })).status, 422)
      assert.equal((await request('GET', path)).status, 200)
      assert.deepEqual(await since(last), [], 'what changes nothing, or is refused, is no event')

      const shown = (await request('GET', path)).json[name]
      assert.equal((await request('DELETE', path)).status, 200)
      const removal = await since(last)
      assert.deepEqual(removal.map(spoken), [`delete ${record.name}`, ...(also.delete ?? [])])
      assert.deepEqual(removal[0]?.changes[title], [shown[title], null])
      assert.equal(removal[0]?.record_id, String(id))
    })
  },
)

const spoken = ({ action, record }: Event) => `${action} ${record}`

for (const database of databases)
  describe(`the journal on ${database.name}`, () => {
    test('numbers its events in the order of their commits, without a gap', async (t) => {
      const app = await startApp({ t, database })
      await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          // Every fourth is refused, and its number is free for the next.
          app.request('POST', '/v5/tags.json', { body: { tag: { name: i % 4 === 0 ? null : `Tag ${i}` } } }),
        ),
      )
      const numbers = (await eventsOf(app.app, app.account.id)).map(({ seq }) => seq)
      assert.deepEqual(
        numbers,
        numbers.map((_, i) => (numbers[0] ?? 0) + i),
      )
    })

    test('keeps what was written when its answer can not be made; under a key both are undone, so that the repeat does it', async (t) => {
      const { app, account, request } = await startApp({ t, database })
      const broken = new Error('the printer is broken')
      const write = (name: string, once?: Once<never>) =>
        app.mutations.answer(systemCall(app.store, account, 'test'), {
          record: tag,
          action: 'create',
          draft: { name },
          respond: () => {
            throw broken
          },
          once,
        })
      await assert.rejects(write('Kept'), broken)
      const once = { key: 'k', fingerprint: 'f', keep: () => ({}), again: () => assert.fail('nothing was kept') }
      await assert.rejects(write('Undone', once), broken)
      await assert.rejects(write('Undone', once), broken)
      const { json } = await request('GET', '/v5/tags.json')
      assert.deepEqual(
        json.tags.map(({ name }: { name: string }) => name),
        ['Kept'],
      )
    })

    test('holds no secret, and nor does anything else that is kept', async (t) => {
      const app = await startApp({ t, database })
      const password = 'correct horse battery staple'
      const headers = { 'Idempotency-Key': 'with a secret' }
      const draft = { name: 'Ana', email: 'ana@example.com', password }
      const made = await app.request('POST', '/v5/users.json', { body: { user: draft }, headers })
      assert.equal(made.status, 201)
      const path = `/v5/users/${made.json.user.id}.json`
      await app.request('PUT', path, { body: { user: { password: `${password} again` } } })
      await app.request('DELETE', path)

      const { users = [] } = await contentOf(app.app)
      const digests = users.flatMap((row) => row.password ?? [])
      assert.equal(digests.length, 2)
      const events = JSON.stringify(await eventsOf(app.app, app.account.id))
      for (const digest of digests) assert.ok(!events.includes(digest), 'a digest in the journal')
      assert.ok(events.includes('"password":["[hidden]","[hidden]"]'))
      for (const file of readdirSync(app.folder, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue
        const bytes = readFileSync(join(file.parentPath, file.name))
        for (const secret of [password, app.key, app.made.admin_password])
          assert.equal(bytes.includes(secret), false, `a secret in ${file.name}`)
      }
      const all = JSON.stringify(await contentOf(app.app))
      for (const secret of [password, app.key, app.made.admin_password]) assert.ok(!all.includes(secret))
    })
  })
