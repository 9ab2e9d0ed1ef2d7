import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { rescue } from '../../src/cli/rescue.ts'
import { temporaryFolder } from '../../test/support/folders.ts'
import { hire, type Person } from '../../test/support/people.ts'
import { startApp, type TestAccount } from '../../test/support/test-app.ts'
import { newOrderedId } from '../client/call-id.ts'
import { Clock } from '../client/phone/clock.ts'
import { openDatabase } from '../client/phone/database.ts'
import type { Act } from '../client/phone/entry.ts'
import { Outbox } from '../client/phone/outbox.ts'
import { type RescueKey, saveWaiting } from '../client/phone/rescue.ts'
import { Sender } from '../client/phone/sender.ts'

/** What waits on a phone that can't send it any more: saved there, handed in here. (docs/api/rescues.md) */

const app = await startApp()
test.after(() => app.close())

const doneAt = new Date(Date.now() - 60_000).toISOString()
const words = { key: 'act', values: {} }

async function begin(account: TestAccount = app) {
  const [bob, ana] = [
    await hire(account, { mobile: 'full', mobile_jobs_create: 'full' }),
    await hire(account, { mobile: 'full' }),
  ]
  const body = {
    job: {
      customer_name: 'Harbour Bakery',
      worker_id: bob.id,
      published_at: '2026-01-01T00:00:00Z',
      steps: [{ name: 'Arrive' }, { name: 'Leave' }],
      custom_fields: [{ name: 'Photo', type: 'image' }],
    },
  }
  const { job } = (await account.request('POST', '/v5/jobs.json', { body })).json
  const database = await openDatabase(newOrderedId())
  const clock = new Clock()
  const outbox = new Outbox(database, clock)
  const device = newOrderedId()
  const { rescue_key: key }: { rescue_key: RescueKey } = (await bob.request('GET', '/v5/rescue_key.json')).json
  const save = async (with_: Partial<RescueKey> = {}) => {
    const file = await saveWaiting({ database, outbox, clock, device, key: { ...key, ...with_ } })
    return Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer(0))
  }
  const sender = new Sender({
    base: app.base,
    database,
    outbox,
    clock,
    userId: bob.id,
    device,
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...(init?.headers as object), Cookie: bob.cookie, Origin: app.base } }),
  })
  return { account, bob, ana, job, outbox, key, save, sender }
}

const completion = (job: { id: number; steps: { id: number }[] }, step: number): Act => ({
  method: 'POST',
  path: `jobs/${job.id}/steps/${job.steps[step]?.id}/completion`,
  body: { completion: { completed_at: doneAt } },
  words,
})

async function photo(job: { id: number; custom_fields: { id: number }[] }): Promise<Act> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a40' } })
    .jpeg()
    .toBuffer()
  return {
    method: 'POST',
    path: `jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}/file`,
    file: { bytes: new Uint8Array(picture).buffer, type: 'image/jpeg' },
    words,
  }
}

/** A job that was made on the phone, and a step of it that was completed there. */
const madeThere = ({ id }: Person): Act[] => {
  const row = { id: -17, customer_name: 'Quay Cafe', steps: [{ id: -18, name: 'Look' }] }
  return [
    {
      method: 'POST',
      path: 'jobs',
      body: { job: { customer_name: 'Quay Cafe', worker_id: id, steps: [{ name: 'Look' }] } },
      effects: [{ record: 'job', id: -17, row }],
      words,
    },
    { ...completion({ id: -17, steps: [{ id: -18 }] }, 0) },
  ]
}

const handIn = ({ request }: Pick<Person, 'request'>, body: Buffer) =>
  request('POST', '/v5/rescues.json', { body, headers: { 'Content-Type': 'application/octet-stream' } })
const outcomesOf = (answer: Awaited<ReturnType<typeof handIn>>) => {
  assert.equal(answer.status, 200, answer.text)
  return answer.json.rescue.entries.map(({ outcome }: { outcome: string }) => outcome)
}
const headOf = async (account: TestAccount) =>
  (await account.request('GET', '/v5/events.json?after_id=0&per_page=1000')).json.events.at(-1)?.id

describe('a rescue file', () => {
  test('that a colleague hands in is played as its author, at their instants; handed in twice changes nothing', async () => {
    const { bob, ana, job, outbox, save, account } = await begin()
    await outbox.add([completion(job, 0), await photo(job), ...madeThere(bob)])
    const file = await save()
    assert.deepEqual(outcomesOf(await handIn(ana, file)), ['received', 'received', 'received', 'received'])
    const { json } = await account.request('GET', `/v5/jobs/${job.id}.json`)
    assert.deepEqual(
      [json.job.steps[0].completed_at, json.job.steps[0].completed_by_user_id],
      [`${doneAt.slice(0, 19)}Z`, bob.id],
    )
    assert.ok(json.job.custom_fields[0].attachment_id)
    const { jobs } = (await account.request('GET', `/v5/jobs.json?worker_id=${bob.id}&sort=id`)).json
    assert.equal(jobs.length, 2)
    assert.equal(jobs[1].steps[0].completed_at, `${doneAt.slice(0, 19)}Z`)
    const before = await headOf(account)
    assert.deepEqual(outcomesOf(await handIn(bob, file)), ['known', 'known', 'known', 'known'])
    assert.equal(await headOf(account), before)
  })

  test('and the phone that comes back to life do all of it once, whichever is first', async () => {
    for (const first of ['phone', 'file']) {
      const { bob, job, outbox, save, sender, account } = await begin()
      await outbox.add([completion(job, 0), await photo(job), ...madeThere(bob)])
      const file = await save()
      if (first === 'phone') await sender.run()
      await handIn(bob, file)
      const before = await headOf(account)
      if (first === 'file') await sender.run()
      assert.deepEqual(
        (await outbox.all()).map(({ state, receipt }) => [state, receipt?.replayed]),
        [1, 2, 3, 4].map(() => ['received', first === 'file']),
      )
      assert.equal(await headOf(account), before)
    }
  })

  test('says what became of each entry: kept as a conflict, refused, or held with what it needs', async () => {
    const { bob, ana, job, outbox, save, account } = await begin()
    const [made] = await outbox.add([{ ...(madeThere(bob)[0] as Act), body: { job: { customer_name: '' } } }])
    await outbox.add([{ ...(madeThere(bob)[1] as Act), after: [made?.id ?? ''] }, completion(job, 0)])
    const body = { job: { worker_id: ana.id, published_at: new Date().toISOString() } }
    await account.request('PATCH', `/v5/jobs/${job.id}.json`, { body })
    assert.deepEqual(outcomesOf(await handIn(bob, await save())), ['refused', 'held', 'conflicted'])
  })

  test('that is cut short, changed, no such file, or of another company is refused, and nothing of it is done', async () => {
    const { bob, job, outbox, save, account } = await begin()
    await outbox.add([completion(job, 0), completion(job, 1)])
    const file = await save()
    await outbox.add([{ ...completion(job, 0), method: 'GET' as 'POST' }])
    const reading = await save()
    const stranger = await hire(await app.newAccount(), { mobile: 'full' })
    await stranger.request('GET', '/v5/rescue_key.json')
    const before = await headOf(account)
    const changed = Buffer.from(file)
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1
    const renamed = Buffer.from(file.toString('latin1').replace(bob.name, bob.name.replace('P', 'Q')), 'latin1')
    const end = file.indexOf('\n') + 1
    const firstFrame = end + 4 + file.readUInt32BE(end)
    const secondFrame = firstFrame + 4 + file.readUInt32BE(firstFrame)
    const wrong: [Buffer, string, Pick<Person, 'request'>?][] = [
      ...[end, firstFrame, secondFrame, file.length - 1].map((at): [Buffer, string] => [
        file.subarray(0, at),
        'damaged',
      ]),
      [changed, 'damaged'],
      [reading, 'damaged'],
      [renamed, 'damaged'],
      [Buffer.concat([file, Buffer.from('more')]), 'damaged'],
      [Buffer.from('{"muster": 1}\n'), 'invalid'],
      [Buffer.alloc(0), 'invalid'],
      [file, 'other_account', stranger],
    ]
    for (const [bytes, code, by = bob] of wrong) {
      const { status, json, text } = await handIn(by, bytes)
      assert.equal(status, 422, text)
      assert.deepEqual([json.errors[0].field, json.errors[0].code], ['file', code])
    }
    assert.equal(await headOf(account), before)
  })

  test('in the name of somebody else is refused: only their own phone has what proves it', async () => {
    const { bob, ana, job, outbox, save, account, key } = await begin()
    await outbox.add([completion(job, 0)])
    const before = await headOf(account)
    const other: RescueKey = (await ana.request('GET', '/v5/rescue_key.json')).json.rescue_key
    assert.equal(other.public_key, key.public_key)
    const { status, json } = await handIn(ana, await save({ token: other.token }))
    assert.deepEqual([status, json.errors[0].code], [422, 'not_theirs'])
    assert.equal(await headOf(account), before)
    assert.deepEqual(outcomesOf(await handIn(bob, await save())), ['received'])
  })

  test('is taken in by the command, and a key of the API hands in none', async () => {
    const { job, outbox, save, account } = await begin()
    await outbox.add([completion(job, 0)])
    const bytes = await save()
    const file = join(temporaryFolder(), 'bob.rescue')
    await writeFile(file, bytes)
    assert.equal((await handIn(account, bytes)).status, 403)
    const answers: { entries: { outcome: string }[] }[] = []
    const run = () =>
      rescue.run({
        config: app.app.config,
        words: [file],
        flags: {},
        say: () => {},
        answer: (value) => void answers.push(value as (typeof answers)[0]),
        open: async () => app.app,
      })
    await run()
    await run()
    assert.deepEqual(
      answers.map(({ entries }) => entries.map(({ outcome }) => outcome)),
      [['received'], ['known']],
    )
  })
})
