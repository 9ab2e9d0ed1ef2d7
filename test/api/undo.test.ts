import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { addressOf, type Made, make, type WireDraft } from '#test/builders'
import { eventsOf } from '#test/database-content'
import { hire } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'

/** `POST /v5/events/{id}/reversal`: what one event changed is put back. */
describe('undoing an event', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.close())

  const put = async ({ path }: Made, name: string, draft: WireDraft) => {
    const answer = await app.request('PUT', `${path}.json`, { body: { [name]: draft } })
    assert.equal(answer.status, 200, answer.text)
    return newest({ path } as Made)
  }
  const show = async ({ path }: Made) => (await app.request('GET', `${path}.json`)).json
  /** The id of the last event of a record. */
  const newest = async ({ path }: Made): Promise<number> =>
    (await app.request('GET', `${path}/history.json`)).json.events.at(-1).id
  const reverse = (id: number, key?: string) => app.request('POST', `/v5/events/${id}/reversal.json`, { key })

  test('puts the fields of an update back, and leaves the others', async () => {
    const tag = await make(app, addressOf('tag'), { name: 'Crane', description: 'old' })
    const renamed = await put(tag, 'tag', { name: 'Lift' })
    await put(tag, 'tag', { description: 'new' })
    const answer = await reverse(renamed)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.json.event.action, 'update')
    assert.deepEqual(answer.json.event.changes, { name: { from: 'Lift', to: 'Crane' } })
    assert.equal(answer.headers.location, `${app.base}/v5/events/${answer.json.event.id}`)
    const { name, description } = (await show(tag)).tag
    assert.deepEqual([name, description], ['Crane', 'new'])
  })

  test('answers the new event in XML too', async () => {
    const tag = await make(app, addressOf('tag'))
    const id = await put(tag, 'tag', { description: 'other' })
    const { status, xml } = await app.request('POST', `/v5/events/${id}/reversal.xml`)
    assert.equal(status, 201)
    assert.equal(xml.value('changes.description.from'), 'other')
  })

  test('of a create deletes, and of that brings back', async () => {
    const tag = await make(app, addressOf('tag'))
    const deleted = await reverse(await newest(tag))
    assert.equal(deleted.json.event.action, 'delete')
    assert.equal((await app.request('GET', `${tag.path}.json`)).status, 404)
    const restored = await reverse(deleted.json.event.id)
    assert.equal(restored.json.event.action, 'restore')
    assert.deepEqual({ ...(await show(tag)).tag, updated_at: null }, { ...tag.row, updated_at: null })
    assert.equal((await reverse(restored.json.event.id)).json.event.action, 'delete')
  })

  test('of a deletion brings back what others had to do with it', async () => {
    const tag = await make(app, addressOf('tag'), { expires: true })
    const user = await make(app, addressOf('user'), { tags: [{ id: tag.id, expires_at: '2030-01-01T00:00:00Z' }] })
    const gone = await make(app, addressOf('user'), { tags: [{ id: tag.id, expires_at: '2030-01-01T00:00:00Z' }] })
    const group = await make(app, addressOf('group'), { user_ids: [user.id, gone.id] })
    const asset = await make(app, addressOf('asset'), { group_ids: [group.id], tag_ids: [tag.id] })
    for (const { path } of [tag, group, gone]) await app.request('DELETE', `${path}.json`)
    assert.deepEqual((await show(user)).user.tags, [])
    for (const one of [tag, group]) assert.equal((await reverse(await newest(one))).status, 201)
    const { tags, group_ids } = (await show(user)).user
    assert.deepEqual(tags, user.row.tags)
    assert.deepEqual(group_ids, [group.id])
    assert.deepEqual((await show(asset)).asset.group_ids, [group.id])
    assert.deepEqual((await show(asset)).asset.tag_ids, [tag.id])
    assert.deepEqual((await show(group)).group.user_ids, [user.id], 'who is deleted stays out')
  })

  test('of an undoing does it again', async () => {
    const customer = await make(app, addressOf('customer'), { name: 'Harbour' })
    const renamed = await put(customer, 'customer', { name: 'Bakery' })
    const undone = (await reverse(renamed)).json.event.id
    assert.equal((await show(customer)).customer.name, 'Harbour')
    assert.equal((await reverse(undone)).status, 201)
    assert.equal((await show(customer)).customer.name, 'Bakery')
  })

  test('puts parts and lists back whole, with the ids that their items had', async () => {
    const job = await make(app, addressOf('job'), { steps: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] })
    const before = (await show(job)).job.steps
    const changed = await put(job, 'job', { steps: [{ id: before[2].id, name: 'Z' }] })
    assert.equal((await reverse(changed)).status, 201)
    assert.deepEqual((await show(job)).job.steps, before)
  })

  test('lets the rules derive what follows', async () => {
    const worker = await make(app, addressOf('worker'))
    const job = await make(app, addressOf('job'))
    const assigned = await put(job, 'job', { worker_id: worker.id })
    assert.equal((await show(job)).job.state, 'allocated')
    assert.equal((await reverse(assigned)).status, 201)
    const { state, worker_id } = (await show(job)).job
    assert.deepEqual([state, worker_id], ['unallocated', null])
  })

  test('is 409 once somebody has touched the same fields, and says who, what and when', async () => {
    const tag = await make(app, addressOf('tag'), { name: 'First name' })
    const created = await newest(tag)
    const first = await put(tag, 'tag', { name: 'Second name' })
    const second = await put(tag, 'tag', { name: 'Third name', description: 'x' })
    const answer = await reverse(first)
    assert.equal(answer.status, 409)
    assert.match(answer.errors[0] ?? '', /^Not undone: name changed again by key \d+ at 20.*Z \(event \d+\)$/)
    assert.ok(answer.errors[0]?.includes(`(event ${second})`))
    assert.match((await reverse(created)).errors[0] ?? '', /the tag was changed by key/)
    await app.request('DELETE', `${tag.path}.json`)
    assert.match((await reverse(second)).errors[0] ?? '', /the tag was deleted by key/)
    const deleted = await newest(tag)
    await reverse(deleted)
    assert.match((await reverse(deleted)).errors[0] ?? '', /the tag was restored by key/)
  })

  test('is not held up by what the server noted by itself', async () => {
    const thread = await make(app, addressOf('thread'))
    const history = (await app.request('GET', `${thread.path}/history.json`)).json.events
    assert.ok(history.length > 1, 'the summary was noted')
    assert.equal((await reverse(history[0].id)).status, 201)
    assert.equal((await app.request('GET', `${thread.path}.json`)).status, 404)
  })

  test('keeps the rules: a name that was taken since, a reference that is gone, a job that is open', async () => {
    const tag = await make(app, addressOf('tag'), { name: 'Only one' })
    await app.request('DELETE', `${tag.path}.json`)
    const other = await make(app, addressOf('tag'), { name: 'Only one' })
    assert.deepEqual((await reverse(await newest(tag))).errors, ['Name has already been taken'])
    const customer = await make(app, addressOf('customer'))
    const asset = await make(app, addressOf('asset'), { customer_id: customer.id })
    await app.request('DELETE', `${asset.path}.json`)
    await app.request('DELETE', `${customer.path}.json`)
    assert.deepEqual((await reverse(await newest(asset))).errors, [`Customer ${customer.id} does not exist`])
    const created = await newest(other)
    await make(app, addressOf('job'), { tag_ids: [other.id] })
    assert.match((await reverse(created)).errors[0] ?? '', /is used by 1 open job/)
  })

  test('asks the guard again before a job comes back to its worker', async () => {
    const worker = await make(app, addressOf('worker'))
    const job = await make(app, addressOf('job'), { worker_id: worker.id })
    await app.request('DELETE', `${job.path}.json`)
    await app.request('PUT', `${worker.path}.json`, { body: { worker: { enabled: false } } })
    const answer = await reverse(await newest(job))
    assert.equal(answer.status, 422)
    assert.equal(answer.json.errors[0].code, 'worker_disabled')
    assert.equal((await app.request('GET', `${job.path}.json`)).status, 404)
  })

  test('looks past what the server noted by itself, whatever was done after it', async () => {
    const worker = await hire(app, { mobile: 'full' })
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    const sent = { body: png, headers: { 'content-type': 'image/png' } }
    const deeds: { [name: string]: (job: Made) => Promise<{ status: number; text: string }> } = {
      notes: ({ path }) => app.request('PUT', `${path}.json`, { body: { job: { notes: 'Knock' } } }),
      publication: ({ path }) => app.request('POST', `${path}/publication.json`),
      plan: ({ path }) => app.request('PUT', `${path}.json`, { body: { job: { planned_duration: 60 } } }),
      completion: ({ path, row }) => worker.request('POST', `${path}/steps/${row.steps[0].id}/completion.json`),
      'proof of delivery': ({ path }) => worker.request('POST', `${path}/proof_of_delivery.json?name=Mia`, sent),
      photo: ({ path, row }) =>
        worker.request('POST', `${path}/custom_fields/${row.custom_fields[0].id}/file.json`, sent),
    }
    for (const [name, deed] of Object.entries(deeds)) {
      const job = await make(app, addressOf('job'), {
        worker_id: worker.id,
        published_at: name === 'publication' ? null : '2026-01-01T08:00:00Z',
        steps: [{ name: 'Arrive' }, { name: 'Leave' }],
        custom_fields: [{ name: 'Photo', type: 'image' }],
      })
      const { job: was } = await show(job)
      const first = await deed(job)
      assert.equal(first.status < 300, true, first.text)
      const event = await newest(job)
      const others = Object.entries(deeds).filter(([other]) => other !== name)
      for (const [other, also] of others) assert.ok((await also(job)).status < 300, other)
      const answer = await reverse(event)
      assert.equal(answer.status, 201, `${name}: ${answer.text}`)
      const { job: is } = await show(job)
      const fields = { notes: 'notes', publication: 'published_at', plan: 'planned_duration', completion: 'steps' }
      const field = { ...fields, 'proof of delivery': 'proof_of_delivery', photo: 'custom_fields' }[name] ?? ''
      assert.deepEqual(is[field], was[field], name)
    }
  })

  test('of a resumption goes on with the pause, which is counted once', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const steps = [{ name: 'Arrive', completed_at: ago(60) }, { name: 'Leave' }]
    const { path, row } = await make(app, addressOf('job'), { steps })
    const job = { path } as Made
    await app.request('POST', `${path}/pause.json`, { body: { pause: { paused_at: ago(50) } } })
    await app.request('DELETE', `${path}/pause.json?resumed_at=${ago(40)}`)
    assert.equal((await reverse(await newest(job))).status, 201)
    const completion = { completion: { completed_at: ago(30) } }
    await app.request('POST', `${path}/steps/${row.steps[1].id}/completion.json`, { body: completion })
    assert.ok(Math.abs((await show(job)).job.actual_duration - 600) <= 2)
  })

  test('can not put a password back', async () => {
    const user = await make(app, addressOf('user'), { password: 'correct horse' })
    const changed = await put(user, 'user', { password: 'battery staple' })
    assert.match((await reverse(changed)).errors[0] ?? '', /^Password can't be put back/)
  })

  test('is 404 for who may not see the record, and 403 for who may not write', async () => {
    const [mine, other] = [await make(app, addressOf('group')), await make(app, addressOf('group'))]
    const asset = await make(app, addressOf('asset'), { group_ids: [other.id] })
    const id = await newest(asset)
    assert.equal((await reverse(id, await app.newKey({ group_ids: [mine.id] }))).status, 404)
    assert.equal((await reverse(id, await app.newKey({ read_only: true }))).status, 403)
    const stranger = await app.newAccount()
    assert.equal((await stranger.request('POST', `/v5/events/${id + 1000}/reversal.json`)).status, 404)
    // Whoever is told of keys undoes nothing that was done to one.
    const ofKey = (await eventsOf(app.app, app.account.id)).find(({ record }) => record === 'api_key')
    assert.equal((await reverse(ofKey?.seq ?? 0)).status, 403)
    assert.equal((await reverse(id)).status, 201)
  })

  test('keeps to Idempotency-Key and dry_run like any write', async () => {
    const tag = await make(app, addressOf('tag'), { description: 'old' })
    const changed = await put(tag, 'tag', { description: 'new' })
    const dry = await app.request('POST', `/v5/events/${changed}/reversal.json?dry_run=true`)
    assert.equal(dry.status, 201)
    assert.equal((await show(tag)).tag.description, 'new')
    const headers = { 'Idempotency-Key': 'undo it' }
    const first = await app.request('POST', `/v5/events/${changed}/reversal.json`, { headers })
    const again = await app.request('POST', `/v5/events/${changed}/reversal.json`, { headers })
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })
})
