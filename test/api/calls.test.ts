import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WireDraft } from '#test/builders'
import { hire, type Person } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { make } from './support.ts'

/** What a request wrote is one call: listed, and put back as a whole. */

const app = await startApp()
after(() => app.close())

type Asker = Pick<TestAccount, 'request'> | Person

const steps = [{ name: 'Arrive' }]
const at = (hour: number) => new Date(Date.UTC(2031, 0, 1, hour)).toISOString().replace('.000', '')
const calls = async ({ request }: Asker, query = 'mine=true') =>
  (await request('GET', `/v5/calls.json?${query}`)).json.calls
const reverse = ({ request }: Asker, id: string, headers = {}) =>
  request('POST', `/v5/calls/${id}/reversal.json`, { headers })
const batch = async ({ request }: Asker, requests: WireDraft[]) => {
  const answer = await request('POST', '/v5/batch.json', { body: { batch: { atomic: true, requests } } })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.batch
}
const move = (job: WireDraft, changes: WireDraft) => ({
  method: 'PATCH',
  path: `/v5/jobs/${job.id}.json`,
  body: { job: changes },
})
const shown = async ({ request }: Asker, job: WireDraft) => (await request('GET', `/v5/jobs/${job.id}.json`)).json.job

test('a batch of moves is put back as a whole, by one call, which can be reversed in turn', async () => {
  const account = await app.newAccount()
  const [ana, ben] = [await make(account, 'worker'), await make(account, 'worker')]
  const jobs = [
    await make(account, 'job', { steps, worker_id: ana.id, planned_start_at: at(9) }),
    await make(account, 'job', { steps }),
  ]
  const before = await Promise.all(jobs.map((job) => shown(account, job)))
  const dispatcher = await hire(account, { admin: 'full' })
  const moved = await batch(dispatcher, [
    move(jobs[0] as WireDraft, { worker_id: ben.id, planned_start_at: at(11) }),
    move(jobs[1] as WireDraft, { worker_id: ana.id, planned_start_at: at(9) }),
  ])
  const [call] = await calls(dispatcher)
  assert.equal(call.id, moved.call_id)
  assert.equal(call.total_records, 2)
  assert.equal(call.can_reverse, true)
  assert.match(call.summary, /^Changed .* of job \d+, and 1 more record$/)
  assert.doesNotMatch(call.summary, /last action/, 'what is noted by the server is no deed')

  const undone = await reverse(dispatcher, call.id)
  assert.equal(undone.status, 201, undone.text)
  assert.equal(undone.json.call.reverses, call.id)
  const plan = ({ worker_id, planned_start_at }: WireDraft) => ({ worker_id, planned_start_at })
  assert.deepEqual(await Promise.all(jobs.map(async (job) => plan(await shown(account, job)))), before.map(plan))
  const [undo, undoneCall] = await calls(dispatcher)
  assert.deepEqual([undo.reverses, undoneCall.reversed_by], [call.id, undo.id])

  assert.equal((await reverse(dispatcher, undo.id)).status, 201)
  assert.equal((await shown(account, jobs[0] as WireDraft)).worker_id, ben.id)
})

test('two jobs of one worker that swapped their hours swap back where double bookings are refused', async () => {
  const account = await app.newAccount()
  const { set } = await import('#test/people')
  await set(app.app, account, { prevent_double_booking: true })
  const worker = await make(account, 'worker')
  const job = (hour: number) => make(account, 'job', { steps, worker_id: worker.id, planned_start_at: at(hour) })
  const [first, second] = [await job(9), await job(12)]
  const { call_id } = await batch(account, [
    move(first, { planned_start_at: at(12) }),
    move(second, { planned_start_at: at(9) }),
  ])
  assert.equal((await reverse(account, call_id)).status, 201)
  assert.equal((await shown(account, first)).planned_start_at, at(9))
})

describe('what somebody has touched since', () => {
  test('is 409 with a sentence for each, and nothing is put back', async () => {
    const account = await app.newAccount()
    const [first, second] = [await make(account, 'tag'), await make(account, 'tag')]
    const rename = (tag: WireDraft, name: string) => ({
      method: 'PATCH',
      path: `/v5/tags/${tag.id}.json`,
      body: { tag: { name } },
    })
    const { call_id } = await batch(account, [rename(first, 'One'), rename(second, 'Two')])
    await account.request('PATCH', `/v5/tags/${second.id}.json`, { body: { tag: { name: 'Three' } } })
    const [, call] = await calls(account)
    assert.equal(call.can_reverse, false)
    assert.match(call.obstacles[0], /name changed again by/)
    const refused = await reverse(account, call_id)
    assert.equal(refused.status, 409)
    assert.deepEqual(
      refused.json.errors.map(({ field }: WireDraft) => field),
      [`tag ${second.id}`],
    )
    assert.equal((await account.request('GET', `/v5/tags/${first.id}.json`)).json.tag.name, 'One')
  })

  test('a second reversal is 409; a repeat under the same Idempotency-Key gets the first answer', async () => {
    const account = await app.newAccount()
    const { call_id } = await batch(account, [
      { method: 'POST', path: '/v5/tags.json', body: { tag: { name: 'Gas' } } },
    ])
    const key = { 'Idempotency-Key': 'undo-1' }
    const first = await reverse(account, call_id, key)
    const again = await reverse(account, call_id, key)
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
    assert.ok([404, 409].includes((await reverse(account, call_id)).status))
  })
})

test('what was made with a customer of a new name goes with them; a dry run puts nothing back', async () => {
  const account = await app.newAccount()
  const { call_id } = await batch(account, [
    { method: 'POST', path: '/v5/jobs.json', body: { job: { customer_name: 'Harbour Bakery', steps } } },
  ])
  const dry = await account.request('POST', `/v5/calls/${call_id}/reversal.json?dry_run=true`)
  assert.deepEqual([dry.status, dry.headers['x-muster-dry-run']], [201, 'true'])
  const count = async (plural: string) => (await account.request('GET', `/v5/${plural}.json`)).json.total_entries
  assert.deepEqual([await count('jobs'), await count('customers')], [1, 1])
  assert.equal((await reverse(account, call_id)).status, 201)
  assert.deepEqual([await count('jobs'), await count('customers')], [0, 0])
})

test('a reason is kept on the events of a write, a batch and a reversal', async () => {
  const account = await app.newAccount()
  const tag = await make(account, 'tag')
  const path = `/v5/tags/${tag.id}.json`
  await account.request('PATCH', `${path}?reason=The%20old%20one%20was%20wrong`, { body: { tag: { name: 'New' } } })
  const [call] = await calls(account)
  assert.equal(call.reason, 'The old one was wrong')
  await account.request('POST', `/v5/calls/${call.id}/reversal.json?reason=It%20was%20right`)
  const { events } = (await account.request('GET', `/v5/tags/${tag.id}/history.json`)).json
  assert.deepEqual(
    events.map(({ reason }: WireDraft) => reason),
    [undefined, 'The old one was wrong', 'It was right'],
  )
  const long = await account.request('PATCH', `${path}?reason=${'x'.repeat(501)}`, { body: { tag: { name: 'Long' } } })
  assert.deepEqual([long.status, long.json.errors[0].field], [422, 'reason'])
})

test('a list of calls goes on before the last that it had, and holds nobody else’s where only mine are asked for', async () => {
  const account = await app.newAccount()
  const dispatcher = await hire(account, { admin: 'full' })
  for (const name of ['A', 'B', 'C']) await dispatcher.request('POST', '/v5/tags.json', { body: { tag: { name } } })
  await account.request('POST', '/v5/tags.json', { body: { tag: { name: 'D' } } })
  assert.equal((await calls(dispatcher)).length, 3)
  const first = (await dispatcher.request('GET', '/v5/calls.json?mine=true&per_page=2')).json
  assert.deepEqual([first.calls.length, first.more], [2, true])
  const rest = (await dispatcher.request('GET', `/v5/calls.json?mine=true&per_page=2&before_id=${first.before_id}`))
    .json
  assert.deepEqual([rest.calls.length, rest.more], [1, false])
  assert.ok((await calls(dispatcher, 'per_page=1'))[0].actor.kind === 'key')
})

test('one account, one group and one worker see and reverse nothing of another', async () => {
  const [account, stranger] = [await app.newAccount(), await app.newAccount()]
  const group = await make(account, 'group')
  const limited = await account.newKey({ group_ids: [(await make(account, 'group')).id] })
  const { call_id } = await batch(account, [
    { method: 'POST', path: '/v5/customers.json', body: { customer: { name: 'Bakery', group_ids: [group.id] } } },
  ])
  assert.equal((await reverse(stranger, call_id)).status, 404)
  assert.ok((await calls(stranger, '')).every(({ id }: WireDraft) => id !== call_id))
  for (const method of ['GET', 'POST']) {
    const path = `/v5/calls/${call_id}${method === 'POST' ? '/reversal' : ''}.json`
    assert.equal((await account.request(method, path, { key: limited })).status, 404)
  }
  const worker = await hire(account, { mobile: 'full' })
  assert.equal((await reverse(worker, call_id)).status, 404)
  assert.equal((await account.request('GET', `/v5/calls/${call_id}.xml`)).status, 406)
})
