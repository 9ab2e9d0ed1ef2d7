import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import type { WireDraft } from '#test/builders'
import { hire, type Person } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertNothingWritten, assertRefused, assertStatus, make } from './support.ts'

/** Two people change the same job, one of them out of reach: nothing is lost, and nothing overwritten. (docs/phone.md) */

const app = await startApp()
after(() => app.close())

const device = randomUUID()
const published_at = new Date(Date.now() - 24 * 3600_000).toISOString()

interface World {
  account: TestAccount
  worker: Person
  job: WireDraft
}

async function begin(draft: WireDraft = {}): Promise<World> {
  const account = await app.newAccount()
  const worker = await hire(account, { mobile: 'full' })
  const job = await make(account, 'job', {
    worker_id: worker.id,
    published_at,
    notes: 'Ring twice',
    contact: { first_name: 'Mia', phone: '1' },
    custom_fields: [
      { name: 'Reading', value: '10' },
      { name: 'Secret', permission: 'hidden', value: 'x' },
    ],
    line_items: [
      { description: 'Pipe', quantity: '2' },
      { description: 'Pipe', quantity: '3' },
    ],
    ...draft,
  })
  return { account, worker, job }
}

const office = ({ account, job }: World, draft: WireDraft) =>
  account.request('PATCH', `/v5/jobs/${job.id}.json`, { body: { job: draft } })
const phone = ({ worker, job }: World, draft: WireDraft, base?: WireDraft) =>
  worker.request('PATCH', `/v5/jobs/${job.id}.json`, {
    body: { job: draft, base },
    headers: { 'Muster-Device': device },
  })
const item = ({ worker, job }: World, path: string, root: string, draft: WireDraft, base?: WireDraft) =>
  worker.request('PATCH', `/v5/jobs/${job.id}/${path}.json`, { body: { [root]: draft, base } })
const read = async ({ account, job }: World) => (await account.request('GET', `/v5/jobs/${job.id}.json`)).json.job
const conflictsOf = async (account: Pick<TestAccount, 'request'>, query = '') =>
  (await account.request('GET', `/v5/conflicts.json${query}`)).json.conflicts

describe('a change with what its writer saw', () => {
  test('is applied where that is still so, and where the new value is there already', async () => {
    const world = await begin()
    const answer = assertStatus(await phone(world, { notes: 'B' }, { notes: 'Ring twice' }), 200)
    assert.equal(answer.json.conflicts, undefined)
    assertStatus(await phone(world, { notes: 'B' }, { notes: 'Ring twice' }), 200)
    assert.equal((await read(world)).notes, 'B')
    assert.deepEqual(await conflictsOf(world.account), [])
  })

  test('leaves what somebody else changed, keeps what was written as a conflict, and applies the rest', async () => {
    const world = await begin()
    const draft = { notes: 'From the phone', contact: { phone: '2', mobile: '3' } }
    assertStatus(await office(world, { notes: 'From the office', contact: { phone: '9' } }), 200)
    const answer = assertStatus(
      await phone(world, draft, { notes: 'Ring twice', contact: { phone: '1', mobile: null } }),
      200,
    )
    const { job, conflicts } = answer.json
    assert.deepEqual([job.notes, job.contact.phone, job.contact.mobile], ['From the office', '9', '3'])
    assert.deepEqual(
      conflicts.map(({ path, base, theirs, mine, kind, state }: WireDraft) => [path, base, theirs, mine, kind, state]),
      [
        ['notes', 'Ring twice', 'From the office', 'From the phone', 'field', 'open'],
        ['contact.phone', '1', '9', '2', 'field', 'open'],
      ],
    )
    const [first] = conflicts
    assert.equal(first.mine_by_user_id, world.worker.id)
    assert.equal(first.device_id, device)
    assert.notEqual(first.theirs_at, null)
    assert.deepEqual(await conflictsOf(world.account, `?state=open&job_id=${job.id}`), conflicts)
  })

  test('with a base for a list, or of a record that is no job, is refused with where to go', async () => {
    const world = await begin()
    await assertNothingWritten(app.app, async () => {
      assertRefused(await phone(world, { custom_fields: [] }, { custom_fields: [] }), 422)
      assertRefused(await phone(world, { notes: 'B' }, 'A' as never), 422, 'Base is invalid')
    })
    const tag = await make(world.account, 'tag')
    const change = await world.account.request('PATCH', `/v5/tags/${tag.id}.json`, {
      body: { tag: { name: 'B' }, base: { name: 'A' } },
    })
    assertRefused(change, 422, 'Base is for jobs')
  })
})

describe('an item of a list', () => {
  test('has an address: a custom field its value, a line item how many were used', async () => {
    const world = await begin()
    const [field] = world.job.custom_fields
    const [, second] = world.job.line_items
    const value = await item(world, `custom_fields/${field.id}`, 'custom_field', { value: '12' }, { value: '10' })
    assert.equal(assertStatus(value, 200).json.custom_field.value, '12')
    const used = await item(
      world,
      `line_items/${second.id}`,
      'line_item',
      { actual_quantity: '4' },
      { actual_quantity: null },
    )
    assert.equal(assertStatus(used, 200).json.line_item.actual_quantity, '4')
    const now = await read(world)
    assert.deepEqual(
      now.custom_fields.map((one: WireDraft) => one.value),
      ['12', 'x'],
    )
    assert.deepEqual(
      now.line_items.map((one: WireDraft) => one.actual_quantity),
      [null, '4'],
    )
  })

  test('that somebody else changed is a conflict of its own', async () => {
    const world = await begin()
    const [field, secret] = world.job.custom_fields
    await office(world, { custom_fields: [{ id: field.id, value: '11' }, { id: secret.id }] })
    const answer = await item(world, `custom_fields/${field.id}`, 'custom_field', { value: '12' }, { value: '10' })
    assert.equal(answer.json.custom_field.value, '11')
    const [found] = answer.json.conflicts
    assert.deepEqual([found.path, found.theirs, found.mine], [`custom_fields[${field.id}].value`, '11', '12'])
  })

  test('that is hidden, or is not there, is 404; one that is read only is refused, and makes no conflict', async () => {
    const world = await begin()
    const [field, secret] = world.job.custom_fields
    assertRefused(await item(world, `custom_fields/${secret.id}`, 'custom_field', { value: 'y' }, { value: 'x' }), 404)
    assertRefused(await item(world, 'line_items/99999', 'line_item', { actual_quantity: '1' }), 404)
    await office(world, { custom_fields: [{ id: field.id, permission: 'read_only' }, { id: secret.id }] })
    assertRefused(await item(world, `custom_fields/${field.id}`, 'custom_field', { value: '12' }, { value: '9' }), 422)
    assert.deepEqual(await conflictsOf(world.account), [])
  })
})

describe('a conflict', () => {
  const decide = (request: TestAccount['request'], id: string, choice: unknown) =>
    request('POST', `/v5/conflicts/${id}/decision.json`, { body: { decision: { choice } } })
  async function collide(): Promise<World & { id: string }> {
    const world = await begin()
    await office(world, { notes: 'Office' })
    return { ...world, id: (await phone(world, { notes: 'Phone' }, { notes: 'Ring twice' })).json.conflicts[0].id }
  }

  test('is taken by the office or by the writer: the job gets what was written, and the call can be reversed', async () => {
    for (const who of ['office', 'writer']) {
      const { id, ...world } = await collide()
      const answer = assertStatus(
        await decide(who === 'office' ? world.account.request : world.worker.request, id, 'taken'),
        201,
      )
      assert.equal(answer.json.conflict.state, 'taken')
      assert.equal((await read(world)).notes, 'Phone')
      const call = String(answer.headers['x-request-id'])
      assertStatus(await world.account.request('POST', `/v5/calls/${call}/reversal.json`), 201)
      assert.equal((await read(world)).notes, 'Office')
      assert.equal((await conflictsOf(world.account))[0].state, 'open')
    }
  })

  test('is left: the job stays; decided once, and said once more the same', async () => {
    const { id, ...world } = await collide()
    assertStatus(await decide(world.account.request, id, 'left'), 201)
    assertStatus(await decide(world.account.request, id, 'left'), 201)
    assertRefused(await decide(world.account.request, id, 'taken'), 409)
    assertRefused(await decide(world.account.request, id, 'maybe'), 422)
    assertRefused(await decide(world.account.request, id, null), 422, "Choice can't be blank")
    assert.equal((await read(world)).notes, 'Office')
  })

  test('of a custom field is taken into that field', async () => {
    const world = await begin()
    const [field, secret] = world.job.custom_fields
    await office(world, { custom_fields: [{ id: field.id, value: '11' }, { id: secret.id }] })
    const made = await item(world, `custom_fields/${field.id}`, 'custom_field', { value: '12' }, { value: '10' })
    assertStatus(await decide(world.worker.request, made.json.conflicts[0].id, 'taken'), 201)
    assert.equal((await read(world)).custom_fields[0].value, '12')
  })

  test('is nothing to another worker, another group, another account', async () => {
    const { id, account, worker } = await collide()
    const other = await hire(account, { mobile: 'full' })
    const group = await make(account, 'group')
    const [job] = await conflictsOf(account)
    const grouped = { group_ids: [group.id] }
    assertStatus(await account.request('PATCH', `/v5/users/${worker.id}.json`, { body: { user: grouped } }), 200)
    assertStatus(await account.request('PATCH', `/v5/jobs/${job.job_id}.json`, { body: { job: grouped } }), 200)
    const dispatcher = await hire(account, { jobs: 'full' })
    const stranger = await app.newAccount()
    for (const request of [other.request, dispatcher.request, stranger.request]) {
      assert.deepEqual(await conflictsOf({ request }), [])
      assertRefused(await request('GET', `/v5/conflicts/${id}.json`), 404)
      await assertNothingWritten(app.app, async () => assertRefused(await decide(request, id, 'taken'), 404))
    }
  })
})

test('of edits by a phone with stale bases and an office, in any order, no value of the phone is lost', async () => {
  const places = ['notes', 'contact.phone', 'contact.mobile', 'field', 'used'] as const
  const edit = fc.record({
    who: fc.constantFrom('phone', 'office', 'sync'),
    place: fc.constantFrom(...places),
    value: fc.integer({ min: 1, max: 4 }).map(String),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 10 }), async (edits) => {
      const world = await begin()
      const { job, account } = world
      const at = (row: WireDraft, place: (typeof places)[number]) =>
        place === 'notes'
          ? row.notes
          : place === 'field'
            ? row.custom_fields[0].value
            : place === 'used'
              ? row.line_items[0].actual_quantity
              : row.contact[place.slice(8)]
      let seen = job
      const written: string[] = []
      for (const [i, { who, place, value }] of edits.entries()) {
        if (who === 'sync') seen = await read(world)
        else if (who === 'office') {
          const now = await read(world)
          if (place === 'notes') await office(world, { notes: value })
          else if (place === 'field')
            await office(world, { custom_fields: [{ ...now.custom_fields[0], value }, now.custom_fields[1]] })
          else if (place === 'used')
            await office(world, { line_items: [{ ...now.line_items[0], actual_quantity: value }, now.line_items[1]] })
          else await office(world, { contact: { [place.slice(8)]: value } })
        } else {
          // Of the phone's own values, each is like no other.
          const own = `${value}${i}7`
          written.push(own)
          const base = at(seen, place)
          const wrap = (one: unknown): WireDraft =>
            place === 'notes' ? { notes: one } : { contact: { [place.slice(8)]: one } }
          const answer =
            place === 'field'
              ? await item(
                  world,
                  `custom_fields/${job.custom_fields[0].id}`,
                  'custom_field',
                  { value: own },
                  { value: base },
                )
              : place === 'used'
                ? await item(
                    world,
                    `line_items/${job.line_items[0].id}`,
                    'line_item',
                    { actual_quantity: own },
                    { actual_quantity: base },
                  )
                : await phone(world, wrap(own), wrap(base))
          assertStatus(answer, 200)
        }
      }
      const journal = JSON.stringify((await account.request('GET', `/v5/jobs/${job.id}/history.json`)).json)
      const kept = journal + JSON.stringify(await conflictsOf(account))
      for (const value of written) assert.ok(kept.includes(`"${value}"`), `${value} is lost`)
    }),
    { numRuns: 25 },
  )
})
