import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { deleteDB, openDB } from 'idb'
import { openDatabase } from '../client/phone/database.ts'
import { app, completion, deliver, doneAt, give, type Job, TestPhone, worker } from './phones.ts'

/** A database as the first app that people had made it. It stays as it is, whatever becomes of the app. */
interface OldDatabase {
  version: number
  stores: {
    [name: string]: {
      keyPath: string | null
      indexes: { [name: string]: { keyPath: string; unique: boolean } }
    }
  }
  entries: object[]
  files: { id: string; bytes: string }[]
}

const fixture = await readFile(new URL('fixtures/outbox-v1.json', import.meta.url), 'utf8')

/** With the ids of this server in place of those of then: `"{job}"` is a number, `jobs/{job}` a part of a text. */
const oldDatabase = (ids: { [name: string]: number | string }): OldDatabase =>
  JSON.parse(
    fixture
      .replace(/"\{(\w+)\}"/g, (whole, name) => (name in ids ? JSON.stringify(ids[name]) : whole))
      .replace(/\{(\w+)\}/g, (whole, name) => String(ids[name] ?? whole)),
  )

async function leaveBehind(name: string, { version, stores, entries, files }: OldDatabase) {
  const old = await openDB(name, version, {
    upgrade(database) {
      for (const [name, { keyPath, indexes }] of Object.entries(stores)) {
        const store = database.createObjectStore(name, keyPath === null ? {} : { keyPath })
        for (const [index, { keyPath, unique }] of Object.entries(indexes))
          store.createIndex(index, keyPath, { unique })
      }
    },
  })
  for (const entry of entries) await old.put('entries', entry)
  for (const { id, bytes } of files)
    await old.put('files', { id, bytes: new Uint8Array(Buffer.from(bytes, 'base64')).buffer })
  old.close()
}

test('an app of today sends what the first one left waiting', async () => {
  const person = await worker({ mobile_jobs_create: 'full' })
  const job = await give(person)
  const phone = new TestPhone(person)
  const [field, image] = job.custom_fields
  const ids = { job: job.id, step: job.steps[0]?.id ?? 0, field: field?.id ?? 0, image: image?.id ?? 0 }
  await leaveBehind(phone.name, oldDatabase({ ...ids, worker: person.id, done_at: doneAt }))
  await phone.open()
  assert.equal((await phone.outbox.all()).length, 5)
  await deliver(phone)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    Array(5).fill('received'),
  )
  const { json } = await person.request('GET', `/v5/jobs/${job.id}.json`)
  assert.equal(json.job.steps[0].completed_at, doneAt)
  assert.equal(json.job.custom_fields[0].value, '20.4')
  assert.ok(json.job.custom_fields[1].attachment_id)
  const { json: made } = await app.request('GET', `/v5/jobs.json?worker_id=${person.id}`)
  const isMade = (one: { customer_name: string }) => one.customer_name === 'Quay Cafe'
  assert.deepEqual(
    made.jobs.filter(isMade).map(({ progress_state }: { progress_state: string }) => progress_state),
    ['completed'],
  )
})

test('an app that was taken back to opens what a newer one left, with all that waits', async () => {
  const person = await worker()
  const job: Job = await give(person)
  const phone = await new TestPhone(person).open()
  await phone.outbox.add([completion(job, 0)])
  phone.database.close()
  const newer = await openDB(phone.name, phone.database.version + 1, {
    upgrade: (database) => void database.createObjectStore('of_later'),
  })
  newer.close()
  await phone.open()
  await deliver(phone)
  assert.deepEqual(
    (await phone.outbox.all()).map(({ state }) => state),
    ['received'],
  )
})

test('a newer app that wants to change the database is let in, and the older one is told', async () => {
  const told = new Promise<void>((outdated) => {
    void openDatabase('of-two-tabs', { onOutdated: outdated })
  })
  const newer = await openDB('of-two-tabs', 99)
  await told
  newer.close()
  await deleteDB('of-two-tabs')
})
