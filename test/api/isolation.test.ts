import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Field, RecordType } from '#fields'
import { apiKey as apiKeys } from '#records/api-key'
import { conflict as conflicts } from '#records/conflict'
import { device as devices } from '#records/device'
import { attachment as attachments, signature as signatures } from '#records/file'
import { pushSubscription } from '#records/push-subscription'
import { session as sessions } from '#records/session'
import { delivery as deliveries } from '#records/webhook'
import { addresses, addressOf, bodyOf, collectionOf, draftOf, isSent, type WireDraft } from '#test/builders'
import type { Answered } from '#test/client'
import { startApp, type TestAccount } from '#test/test-app'
import { assertNothingWritten, assertRefused, assertStatus, make, writeAt } from './support.ts'

const app = await startApp()
after(() => app.close())

/** One record of each sort, by its name. */
type World = { [name: string]: WireDraft }

/** Makes one of each in an account; all that can be in a group are in these. */
async function worldOf(account: TestAccount, group_ids: number[] = []): Promise<World> {
  const third_party_id = `third-${account.account.id}-${group_ids}`
  const common = { group_ids, third_party_id }
  const [group, tag, pricebook] = [
    group_ids.length > 0 ? { id: group_ids[0] } : await make(account, 'group'),
    await make(account, 'tag'),
    await make(account, 'pricebook'),
  ]
  const customer = await make(account, 'customer', common)
  const user = await make(account, 'worker', common)
  const job = await make(account, 'job', {
    ...{ ...common, worker_id: user.id, customer_name: undefined, customer_id: customer.id },
    steps: [{ name: 'First', completed_at: '2026-01-05T10:00:00Z' }, { name: 'Last' }],
    custom_fields: [{ name: 'Photo', type: 'image' }],
    line_items: [{ code: 'OIL' }],
    published_at: '2026-01-05T08:00:00Z',
  })
  const thread = await make(account, 'thread', { job_id: job.id })
  // Switched off: nothing is to be sent anywhere.
  const webhook = await make(account, 'webhook', { enabled: false })
  const delivery = { webhook_id: webhook.id, event_id: 1, event_type: 'job.create', status: 'failed', attempts: 1 }
  const bytes = Buffer.from(`image of ${account.account.id}`)
  const kept = { sha256: await app.app.blobs.put(bytes), size: bytes.length, job_id: job.id }
  const signedIn = { user_id: user.id, digest: `digest of ${user.id}`, expires_at: '2999-01-01T00:00:00.000Z' }
  const session = await writeAt(app.app, account.account, sessions as RecordType, signedIn)
  const subscription = { user_id: user.id, session_id: session.id, endpoint: `https://push.example.com/${user.id}` }
  const onPhone = { user_id: user.id, device_id: '0199b8d0-5c1e-7c3a-9d52-3a1f5b7c9e01', name: 'Phone' }
  const { notices } = (await account.request('GET', `/v5/notices.json?job_id=${job.id}`)).json
  const { events } = (await account.request('GET', '/v5/events.json?after_id=0&per_page=1000&record=job')).json
  return {
    ...{ group, tag, pricebook, customer, user, job, thread, webhook },
    asset: await make(account, 'asset', common),
    equipment: await make(account, 'equipment', common),
    site: await make(account, 'site', { customer_name: undefined, customer_id: customer.id }),
    working_week: await make(account, 'working_week', { user_id: user.id }),
    absence: await make(account, 'absence', { user_id: user.id }),
    template: await make(account, 'template', { group_ids }),
    view: await make(account, 'view'),
    api_key: await writeAt(app.app, account.account, apiKeys as RecordType, {
      name: 'A key',
      prefix: 'x',
      digest: `of ${user.id}`,
    }),
    recurrence: await make(account, 'recurrence', { group_ids, customer_name: undefined, customer_id: customer.id }),
    message: thread.messages[0],
    conflict: await writeAt(app.app, account.account, conflicts as RecordType, conflicting(job.id)),
    delivery: await writeAt(app.app, account.account, deliveries as RecordType, delivery),
    signature: await writeAt(app.app, account.account, signatures as RecordType, kept),
    attachment: await writeAt(app.app, account.account, attachments as RecordType, kept),
    session,
    notice: notices[0],
    device: await writeAt(app.app, account.account, devices as RecordType, onPhone),
    push_subscription: await writeAt(app.app, account.account, pushSubscription as RecordType, subscription),
    presence: { id: '0199b8d0-5c1e-7c3a-9d52-3a1f5b7c9e01' },
    call: { id: events.at(-1).call_id },
    event: events.findLast((event: WireDraft) => String(event.record_id) === String(job.id)),
  }
}

const conflicting = (job: number) => ({
  job_id: job,
  record: 'job',
  record_id: String(job),
  mine_at: '2026-01-05T09:00:00.000Z',
})

/** A world of which nothing is there. */
const nowhere = (world: World): World =>
  Object.fromEntries(
    Object.entries(world).map(([name, { id }]) => [
      name,
      {
        id: typeof id === 'number' ? 999_999 : '01890a5d-ac96-774b-bcce-b302099a8057',
        steps: [{ id: 999_999 }],
        custom_fields: [{ id: 999_999 }],
        line_items: [{ id: 999_999 }],
      },
    ]),
  )

type Route = (typeof app.app.routes)[number]

/** A route's address with the ids of a world in it; its extension, or that of a format. */
function addressIn(world: World, route: Route, extension = route.extension ?? 'json'): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'step_id') return String(world.job?.steps[0].id)
    if (name === 'field_id') return String(world.job?.custom_fields[0].id)
    if (name === 'item_id') return String(world.job?.line_items[0].id)
    const record = name === 'id' ? route.record.name : name.replace(/_id$/, '')
    assert.ok(world[record], `${route.path} names a ${record}`)
    return String(world[record].id)
  })
  return `/v5${path}.${extension}`
}

/** Routes that name a record; the rest are collections, and what people sign in with. */
const naming = app.app.routes.filter(({ path }) => /\{(\w+_)?id\}/.test(path))
const people = app.app.routes.filter(({ record }) => record.name === 'session')
const collections = addresses.filter(({ path }) => !path.includes('{'))

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const isAllowed = (route: Route, method: string) =>
  method in route.methods || (method === 'HEAD' && 'GET' in route.methods)

function bodyFor({ path, record, wireNames }: Route, method: string): string | undefined {
  const takesOne = method === 'POST' ? path.endsWith(`/${wireNames.plural}`) : method.startsWith('P')
  return takesOne ? JSON.stringify({ [wireNames.name]: draftOf(record) }) : undefined
}

/**
 * Every method of every route that names a record of the world, as somebody who may see nothing of it: the same answer
 * as for a record that isn't there, 404 wherever a key may go at all, and nothing written.
 */
async function assertHidden(world: World, ask: TestAccount['request']) {
  const counts = new Map<number, number>()
  for (const route of naming)
    for (const method of methods) {
      const address = addressIn(world, route)
      const asked = { body: bodyFor(route, method) }
      const answer = await assertNothingWritten(app.app, () => ask(method, address, asked))
      const absent = await ask(method, addressIn(nowhere(world), route), asked)
      assert.deepEqual([answer.status, answer.text], [absent.status, absent.text], `${method} ${address}`)
      assert.ok(
        (isAllowed(route, method) ? [404, 403] : [405]).includes(answer.status),
        `${method} ${address} ${answer.status}`,
      )
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
    }
  return counts
}

/** Fields in which a caller may name other records. */
const references = (record: RecordType): [string, Field<unknown>][] =>
  Object.entries(record.fields).filter(
    ([, field]) =>
      isSent(field) && field.target && field.shape !== 'records' && !field.lookup && field.kind !== 'secret',
  )

const inForm = ({ kind, shape }: Field<unknown>, id: unknown) =>
  kind === 'ids' ? [id] : shape === 'links' ? [{ id }] : id

/** Somebody makes each record, and names in each of its references one that is hidden from them. */
async function assertUnreachable(world: World, account: TestAccount, key: string, hidden: (name: string) => boolean) {
  for (const address of addresses) {
    if (references(address.record).length === 0) continue
    const collection = await collectionOf(account, address)
    for (const [field, described] of references(address.record)) {
      const target = described.target ?? ''
      if (!hidden(target)) continue
      const id = world[target]?.id
      assert.ok(id, `${address.name}.${field} leads to ${target}`)
      for (const format of ['xml', 'json'] as const) {
        const draft = { ...draftOf(address.record), [field]: inForm(described, id) }
        const body = bodyOf(format, address.name, address.record.fields, draft)
        const answer = await assertNothingWritten(app.app, () =>
          account.request('POST', `${collection}.${format}`, { key, body }),
        )
        assert.equal(answer.status, 422, `${address.name}.${field}: ${answer.text}`)
        assert.ok(
          answer.errors.some((sentence) => sentence.endsWith(` ${id} does not exist`)),
          `${address.name}.${field}: ${answer.errors}`,
        )
      }
    }
  }
}

const idsIn = (answer: Answered, plural: string): unknown[] =>
  assertStatus(answer, 200).json[plural].map(({ id }: { id: unknown }) => id)

const world = await worldOf(app)

test('the addresses of this suite are right: the account itself finds what they name', async () => {
  assert.ok(naming.length > 20)
  for (const route of naming) {
    if (
      !('GET' in route.methods) ||
      /\/(pause|cancellation|confirmation|lock|invitation|password_reset)$/.test(route.path)
    )
      continue
    const answer = await app.request('GET', addressIn(world, route))
    assert.equal(answer.status, 200, `${route.path} ${answer.text}`)
  }
})

describe('with the key of another account', () => {
  test('every route and method that names a record answers as if it were not there, and changes nothing', async () => {
    const other = await app.newAccount()
    const counts = await assertHidden(world, other.request)
    // What is left is for people alone, whatever it names.
    assert.ok(Number(counts.get(404)) > 10 * Number(counts.get(403) ?? 0), JSON.stringify([...counts]))
  })

  test('so it is in every tree and in XML', async () => {
    const other = await app.newAccount()
    for (const route of naming)
      for (const tree of ['/api/v5', '/v4', '/api/v4', '/2.0', '/api/2.0']) {
        const address = addressIn(world, route, route.extension ?? 'xml').replace('/v5', tree)
        // These come in JSON only.
        if (['candidate', 'call'].includes(route.wireNames.name)) continue
        assertRefused(await other.request('GET', address), 'GET' in route.methods ? 404 : 405)
      }
  })

  test('no list has anything of it, whatever is asked for', async () => {
    const other = await app.newAccount()
    for (const { path, plural, record } of collections) {
      const mine = new Set(idsIn(await app.request('GET', `/v5${path}.json?per_page=1000`), plural))
      assert.ok(mine.size > 0, path)
      const id = world[record.name]?.id
      const queries = ['per_page=1000', 'after_id=0', `ids[]=${id}`, `id=${id}`, 'created_since=2001-01-01', 'search=a']
      for (const query of queries) {
        const seen = idsIn(await other.request('GET', `/v5${path}.json?${query}`), plural)
        assert.deepEqual(
          seen.filter((one) => mine.has(one)),
          [],
          `${path}?${query}`,
        )
      }
    }
  })

  test('the journal has nothing of it', async () => {
    const other = await app.newAccount()
    const { events } = (await other.request('GET', '/v5/events.json?after_id=0&per_page=1000')).json
    assert.ok(events.length > 0)
    const ids = new Set(Object.values(world).map(({ id }) => String(id)))
    for (const { record, record_id } of events)
      assert.ok(
        !['job', 'customer', 'thread', 'message'].includes(record) && (record !== 'user' || !ids.has(record_id)),
      )
  })

  test("a caller's own id of it finds nothing", async () => {
    const other = await app.newAccount()
    for (const name of ['user', 'customer', 'asset', 'equipment', 'job']) {
      const address = `/v5${addressOf(name).path}/${world[name]?.third_party_id}.json?use_third_party_id=true`
      assertStatus(await app.request('GET', address), 200)
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
        await assertNothingWritten(app.app, async () => {
          const body = method.startsWith('P') ? JSON.stringify({ [name]: { notes: 'x' } }) : undefined
          assertStatus(await other.request(method, address, { body }), 404)
        })
    }
  })

  test('an upsert with such an id makes one of the caller, and leaves the other as it was', async () => {
    const other = await app.newAccount()
    for (const name of ['customer', 'asset', 'equipment']) {
      const theirs = world[name] as { id: number; third_party_id: string; name: string }
      const path = `/v5${addressOf(name).path}/${theirs.third_party_id}.json?use_third_party_id=true&upsert=true`
      const made = assertStatus(await other.request('PUT', path, { body: { [name]: { name: 'Mine' } } }), 201)
      assert.equal(made.json[name].third_party_id, theirs.third_party_id)
      const { json } = await app.request('GET', `/v5${addressOf(name).path}/${theirs.id}.json`)
      assert.equal(json[name].name, theirs.name)
    }
  })

  test('no reference leads to it: 422, and the id is named', async () => {
    const other = await app.newAccount()
    await assertUnreachable(world, other, other.key, () => true)
  })

  test('no name and no other id leads to it', async () => {
    const other = await app.newAccount()
    const job = (more: object) => ({ job: { customer_name: 'C', steps: [{ name: 'a' }], ...more } })
    const third = world.user?.third_party_id
    const worker = await other.request('POST', '/v5/jobs.json', { body: job({ worker_third_party_id: third }) })
    assertRefused(worker, 422, `Worker third party ${third} does not exist`)
    const thread = { thread: { job_third_party_id: world.job?.third_party_id } }
    assertRefused(await other.request('POST', '/v5/messaging.json', { body: thread }), 422)
    const author = { thread: { messages: [{ from_user_id: world.user?.id, body: 'x' }] } }
    assertRefused(await other.request('POST', '/v5/messaging.json', { body: author }), 422)
    // A customer of the same name is another one, made here.
    const made = await other.request('POST', '/v5/jobs.json', { body: job({ customer_name: world.customer?.name }) })
    assert.notEqual(assertStatus(made, 201).json.job.customer_id, world.customer?.id)
  })

  test('names, emails and third-party ids that are taken there are free here', async () => {
    const other = await app.newAccount()
    for (const name of ['tag', 'group', 'asset', 'equipment', 'pricebook', 'user']) {
      const {
        id: _,
        tag_ids,
        group_ids,
        user_ids,
        customer_id,
        tags,
        ...draft
      } = (await app.request('GET', `/v5${addressOf(name).path}/${world[name]?.id}.json`)).json[name]
      assertStatus(await other.request('POST', `/v5${addressOf(name).path}.json`, { body: { [name]: draft } }), 201)
    }
  })

  test('an Idempotency-Key of another account is nobody here', async () => {
    const other = await app.newAccount()
    const headers = { 'Idempotency-Key': 'the same' }
    const body = '<tag><name>Once</name></tag>'
    const first = await app.request('POST', '/v5/tags.xml', { body, headers })
    const second = await other.request('POST', '/v5/tags.xml', { body, headers })
    assert.equal(second.headers['idempotent-replayed'], undefined)
    assert.notEqual(assertStatus(second, 201).xml.value('id'), first.xml.value('id'))
  })

  test('items, locations and steps of it are not taken over by their ids', async () => {
    const other = await app.newAccount()
    const [item] = world.pricebook?.pricebook_items ?? []
    const book = await make(other, 'pricebook', { pricebook_items: [{ id: item.id, code: 'Z' }] })
    assert.notEqual(book.pricebook_items[0].id, item.id)
    assert.equal(book.pricebook_items[0].description, null)
  })
})

describe('with a key that is limited to other groups', async () => {
  const own = await app.newAccount()
  const [mine, theirs] = [await make(own, 'group'), await make(own, 'group')]
  const hidden = await worldOf(own, [theirs.id])
  const key = await own.newKey({ group_ids: [mine.id] })
  const ask: TestAccount['request'] = (method, path, asked) => own.request(method, path, { ...asked, key })
  const isHidden = (name: string) => !['tag', 'pricebook', 'webhook', 'delivery', 'view', 'api_key'].includes(name)

  /** Of what is in groups; tags, pricebooks and shared views are everybody's, and webhooks and keys the admins'. */
  const grouped = Object.fromEntries(Object.entries(hidden).filter(([name]) => isHidden(name)))

  test('every route and method that names a record answers as if it were not there, and changes nothing', async () => {
    const counts = await assertHidden({ ...nowhere(hidden), ...grouped }, ask)
    assert.ok(Number(counts.get(404)) > 100, JSON.stringify([...counts]))
  })

  test('no list has anything of it, whatever is asked for', async () => {
    for (const { path, plural, record } of collections) {
      if (!isHidden(record.name)) continue
      const id = hidden[record.name]?.id
      for (const query of ['per_page=1000', 'after_id=0', `ids[]=${id}`, `id=${id}`, `search=${id}`])
        assert.ok(!idsIn(await ask('GET', `/v5${path}.json?${query}`), plural).includes(id), `${path}?${query}`)
      assert.equal((await ask('GET', `/v5${path}.json?id=${id}`)).json.total_entries, 0, path)
    }
  })

  test('the journal has nothing of it', async () => {
    const { events } = (await ask('GET', '/v5/events.json?after_id=0&per_page=1000')).json
    const ids = new Map(Object.entries(grouped).map(([name, { id }]) => [name, String(id)]))
    for (const event of events) assert.notEqual(ids.get(event.record), String(event.record_id), JSON.stringify(event))
  })

  test("a caller's own id of it finds nothing", async () => {
    for (const name of ['user', 'customer', 'asset', 'equipment', 'job'])
      for (const method of ['GET', 'DELETE']) {
        const address = `/v5${addressOf(name).path}/${hidden[name]?.third_party_id}.json?use_third_party_id=true`
        assertStatus(await ask(method, address), 404)
      }
  })

  test('an upsert with such an id neither changes it nor makes another', async () => {
    for (const name of ['customer', 'asset', 'equipment']) {
      const path = `/v5${addressOf(name).path}/${hidden[name]?.third_party_id}.json?use_third_party_id=true&upsert=true`
      await assertNothingWritten(app.app, async () =>
        assertRefused(
          await ask('PUT', path, { body: { [name]: { name: 'Mine' } } }),
          422,
          'Third party has already been taken',
        ),
      )
    }
  })

  test('no reference leads to it: 422, and the id is named', async () => {
    await assertUnreachable(hidden, own, key, isHidden)
  })

  test('no name and no other id leads to it', async () => {
    const job = { customer_name: hidden.customer?.name, steps: [{ name: 'a' }] }
    const made = await ask('POST', '/v5/jobs.json', { body: { job } })
    assert.notEqual(assertStatus(made, 201).json.job.customer_id, hidden.customer?.id)
    const third = { ...job, worker_third_party_id: hidden.user?.third_party_id }
    assertRefused(await ask('POST', '/v5/jobs.json', { body: { job: third } }), 422)
    const thread = { job_third_party_id: hidden.job?.third_party_id }
    assertRefused(await ask('POST', '/v5/messaging.json', { body: { thread } }), 422)
    const author = { messages: [{ from_user_id: hidden.user?.id, body: 'x' }] }
    assertRefused(await ask('POST', '/v5/messaging.json', { body: { thread: author } }), 422)
  })
})

describe('what people sign in with', () => {
  test('is not for keys: nothing of it answers one with success', async () => {
    assert.ok(people.length > 0)
    for (const route of people)
      for (const method of methods) {
        const body = method.startsWith('P') ? JSON.stringify({ [route.wireNames.name]: {} }) : undefined
        const answer = await assertNothingWritten(app.app, () => app.request(method, `/v5${route.path}.json`, { body }))
        assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${route.path}: ${answer.status}`)
      }
  })
})
