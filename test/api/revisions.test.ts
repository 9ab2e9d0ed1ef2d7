import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { schemaOf } from '#store/schema'
import type { Answered } from '#test/client'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertRefused, assertStatus, make, writeAt } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const worker = await hire(app, { mobile: 'full' })
const newJob = () => make(app, 'job', { worker_id: worker.id, steps: [{ name: 'Arrive' }, { name: 'Leave' }] })
const at = (etag: unknown, body?: object) => ({ body, headers: { 'If-Match': String(etag) } })
const etagOf = async (path: string, ask = request) => assertStatus(await ask('GET', path), 200).headers.etag
const revisionOf = (answer: Answered) => Number(/^W\/"(\d+)-/.exec(String(answer.headers.etag))?.[1])

describe('a revision', () => {
  test('is the number of the last event of its record, whatever the record and the write', async () => {
    const job = await newJob()
    const thread = await make(app, 'thread', { job_id: job.id })
    await make(app, 'group', { user_ids: [worker.id] })
    await request('POST', `/v5/messaging/${thread.id}/messages.json`, {
      body: { message: { body: 'x', from_user_name: 'Desk' } },
    })
    await request('POST', `/v5/jobs/${job.id}/publication.json`)
    await writeAt(app.app, app.account, app.app.store.statements.record('job'), { notes: 'by itself' }, { before: job })
    const tag = await make(app, 'tag')
    await request('DELETE', `/v5/tags/${tag.id}.json`)
    const asset = await make(app, 'asset')
    const deleted = assertStatus(await request('DELETE', `/v5/assets/${asset.id}.json`), 200)
    const [event] = (await request('GET', `/v5/assets/${asset.id}/history.json`)).json.events.slice(-1)
    assert.ok(deleted)
    assertStatus(await request('POST', `/v5/events/${event.id}/reversal.json`), 201)
    const all = (sql: string) => app.app.store.database.all({ sql, parameters: [] })
    const last = new Map(
      (await all('select record, record_id, max(seq) as seq from events group by record, record_id')).map((row) => [
        `${row.record} ${row.record_id}`,
        Number(row.seq),
      ]),
    )
    let rows = 0
    for (const table of schemaOf(app.app.records)) {
      const record = app.app.records.find(({ plural }) => plural === table.name)
      // Notices are written past the journal.
      if (!record?.fields.revision || record.name === 'notice') continue
      for (const { id, revision } of await all(`select id, revision from ${table.name}`)) {
        assert.equal(Number(revision), last.get(`${record.name} ${id}`), `${record.name} ${id}`)
        rows++
      }
    }
    assert.ok(rows > 8)
  })

  test('is in JSON where it is asked for, in lists too, beside what one may do; and never in XML', async () => {
    const job = await newJob()
    const shown = await request('GET', `/v5/jobs/${job.id}.json?include=revision`)
    assert.equal(shown.json.job.revision, revisionOf(shown))
    const { jobs } = (await request('GET', `/v5/jobs.json?include=can,revision&ids[]=${job.id}`)).json
    assert.deepEqual([jobs[0].revision, jobs[0].can.update], [revisionOf(shown), true])
    assert.equal((await request('GET', `/v5/jobs/${job.id}.json`)).json.job.revision, undefined)
    assert.ok(!(await request('GET', `/v5/jobs/${job.id}.xml?include=revision`)).text.includes('revision'))
  })
})

describe('If-Match with the ETag of any reading of a record', () => {
  const readings: { [what: string]: (id: number) => Promise<unknown> } = {
    'its XML': (id) => etagOf(`/v5/jobs/${id}.xml`),
    'its JSON': (id) => etagOf(`/v5/jobs/${id}.json`),
    'what one may do with it': (id) => etagOf(`/v5/jobs/${id}.json?include=can`),
    'its publication': (id) => etagOf(`/v5/jobs/${id}/publication.json`),
    'its worker’s own reading': (id) => etagOf(`/v5/jobs/${id}.json`, worker.request),
    'its bare revision': async (id) => (await request('GET', `/v5/jobs/${id}.json?include=revision`)).json.job.revision,
    'its revision in quotes': async (id) =>
      `"${(await request('GET', `/v5/jobs/${id}.json?include=revision`)).json.job.revision}"`,
  }
  for (const [what, read] of Object.entries(readings))
    test(`${what} lets one write pass, to the record or to what is under it, and not a second`, async () => {
      const job = await newJob()
      await request('POST', `/v5/jobs/${job.id}/publication.json`)
      const first = await read(job.id)
      const put = (path: string, body?: object) => request(body ? 'PUT' : 'POST', path, at(first, body))
      assertStatus(await put(`/v5/jobs/${job.id}/pause.json`), 422)
      assertStatus(await put(`/v5/jobs/${job.id}.json`, { job: { notes: 'mine' } }), 200)
      assertRefused(
        await request('PUT', `/v5/jobs/${job.id}.xml`, {
          body: '<job><notes>x</notes></job>',
          headers: { 'If-Match': String(first) },
        }),
        412,
        (await request('PUT', `/v5/jobs/${job.id}.json`, at(first, { job: { notes: 'x' } }))).errors[0] ?? '',
      )
      assertStatus(await put(`/v5/jobs/${job.id}/cancellation.json`), 412)
      const second = await read(job.id)
      assertStatus(await request('DELETE', `/v5/jobs/${job.id}/publication.json`, at(second)), 200)
      assertStatus(await request('DELETE', `/v5/jobs/${job.id}.json`, at(second)), 412)
    })

  test('passes though the worker of the job was renamed since', async () => {
    const { id: other } = await make(app, 'user', { permissions: { mobile: 'full' } })
    const job = await make(app, 'job', { worker_id: other })
    const etag = await etagOf(`/v5/jobs/${job.id}.json`)
    assertStatus(await request('PUT', `/v5/users/${other}.json`, { body: { user: { name: 'Renamed' } } }), 200)
    assert.notEqual(await etagOf(`/v5/jobs/${job.id}.json`), etag)
    assertStatus(await request('PUT', `/v5/jobs/${job.id}.json`, at(etag, { job: { notes: 'x' } })), 200)
  })

  test('guards a shift and an undo alike', async () => {
    const etag = await etagOf('/v5/shift.json', worker.request)
    const body = { shift: { on: true } }
    assertStatus(await worker.request('POST', '/v5/shift.json', at(etag, body)), 201)
    assertStatus(await worker.request('POST', '/v5/shift.json', at(etag, { shift: { on: false } })), 412)

    const job = await newJob()
    const made = await etagOf(`/v5/jobs/${job.id}.json`)
    await request('PUT', `/v5/jobs/${job.id}.json`, { body: { job: { notes: 'x' } } })
    const [, event] = (await request('GET', `/v5/jobs/${job.id}/history.json`)).json.events
    const undo = (tag: unknown) => request('POST', `/v5/events/${event.id}/reversal.json`, at(tag))
    assertStatus(await undo(made), 412)
    assertStatus(await undo(await etagOf(`/v5/jobs/${job.id}.json`)), 201)
  })

  test('of a dry run is no revision: it has none', async () => {
    const job = await newJob()
    const tried = await request('PUT', `/v5/jobs/${job.id}.json?dry_run=true`, { body: { job: { notes: 'x' } } })
    assert.doesNotMatch(String(tried.headers.etag), /^W\/"\d+-/)
    assertStatus(await request('PUT', `/v5/jobs/${job.id}.json`, at(tried.headers.etag, { job: {} })), 412)
  })
})

describe('412', () => {
  test('tells what is there now, who changed it and when; of what the caller may see', async () => {
    const job = await newJob()
    const etag = await etagOf(`/v5/jobs/${job.id}.json`)
    await request('POST', `/v5/jobs/${job.id}/publication.json`)
    const done = await worker.request('POST', `/v5/jobs/${job.id}/steps/${job.steps[0].id}/completion.json`)
    assertStatus(done, 201)
    const now = await request('GET', `/v5/jobs/${job.id}.json`)
    const refused = await request('PUT', `/v5/jobs/${job.id}.json`, at(etag, { job: { notes: 'late' } }))
    assertRefused(refused, 412)
    const { current, errors } = refused.json
    assert.equal(current.revision, revisionOf(now))
    assert.deepEqual(current.changed_by, { kind: 'user', id: worker.id })
    assert.deepEqual(current.job, now.json.job)
    assert.equal(
      errors[0].message,
      `The record has changed since: it is at revision ${current.revision}, changed by ${worker.name} (user ${worker.id}) at ${current.changed_at}`,
    )
  })
})
