import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { distance } from '#server/http/unknown-fields'
import { startApp } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const draft = { customer_name: 'A', steps: [{ name: 'Work', place: 'x' }], planed_start_at: '2030-01-01T09:00:00Z' }

test('a misspelt field in JSON is told with the name that was meant, however deep it stands', async () => {
  const made = assertStatus(await request('POST', '/v5/jobs.json', { body: { job: draft } }), 201)
  assert.deepEqual(made.json.warnings, [
    {
      field: 'steps[0].place',
      code: 'unknown_field',
      message: 'Steps 1 place is not a field of jobs',
      remedy: 'Leave it out',
    },
    {
      field: 'planed_start_at',
      code: 'unknown_field',
      message: 'Planed start at is not a field of jobs',
      remedy: 'Say planned_start_at',
    },
  ])
  assert.equal(made.headers['x-muster-warnings'], 'unknown_field')
  const put = { job: { contact: { emial: 'x@example.com' }, nots: 'x' } }
  const changed = await request('PUT', `/v5/jobs/${made.json.job.id}.json`, { body: put })
  assert.deepEqual(
    changed.json.warnings.map(({ remedy }: { remedy: string }) => remedy),
    ['Say contact.email', 'Say notes'],
  )
})

test('a refusal names what was misspelt beside what is missing because of it', async () => {
  const refused = await request('POST', '/v5/tags.json', { body: { tag: { nmae: 'Forklift' } } })
  assert.equal(refused.status, 422)
  assert.deepEqual(
    refused.json.errors.map(({ field, code, remedy }: { [name: string]: string }) => [field, code, remedy]),
    [
      ['name', 'blank', undefined],
      ['nmae', 'unknown_field', 'Say name'],
    ],
  )
})

test('strict=true refuses it, and writes nothing', async () => {
  const before = (await request('GET', '/v5/jobs.json')).json.total_entries
  const refused = await request('POST', '/v5/jobs.json?strict=true', { body: { job: draft } })
  assert.equal(refused.status, 422)
  assert.deepEqual(
    new Set(refused.json.errors.map(({ field }: { field: string }) => field)),
    new Set(['planed_start_at', 'steps[0].place']),
  )
  assert.equal((await request('GET', '/v5/jobs.json')).json.total_entries, before)
  const { planed_start_at: _, ...known } = { ...draft, steps: [{ name: 'Work' }] }
  assertStatus(await request('POST', '/v5/jobs.json?strict=true', { body: { job: known } }), 201)
})

test('what was read and is sent back is known, with all that can be included', async () => {
  for (const name of ['job', 'user', 'customer', 'pricebook', 'thread', 'asset', 'equipment', 'template']) {
    const { id } = await make(app, name)
    const path = `/v5/${{ thread: 'messaging', equipment: 'equipment' }[name] ?? `${name}s`}/${id}.json`
    const { json } = await request('GET', `${path}?include=can,revision`)
    const answer = assertStatus(await request('PUT', `${path}?strict=true`, { body: json }), 200)
    assert.equal(answer.json.warnings, undefined, answer.text)
  }
})

test('XML is read as ever: what nobody knows is passed over in silence', async () => {
  const body = '<tag><name>Crane</name><colour>red</colour></tag>'
  const answer = assertStatus(await request('POST', '/v5/tags.xml', { body }), 201)
  assert.equal(answer.headers['x-muster-warnings'], undefined)
  assertRefused(await request('POST', '/v5/tags.xml?strict=perhaps', { body }), 422, 'Strict must be true or false')
})

test('of a body that is of something else twenty names are told, and long ones cut', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${'x'.repeat(500)}${i}`, 1]))
  const { json } = await request('POST', '/v5/tags.json', { body: { tag: { name: 'Many', ...many } } })
  assert.equal(json.warnings.length, 20)
  assert.equal(json.warnings[0].field.length, 64)
})

test('names are as far apart as letters must be put in, taken out or changed', () => {
  assert.deepEqual(
    [distance('name', 'name'), distance('nme', 'name'), distance('nnme', 'name'), distance('', 'abc')],
    [0, 1, 1, 3],
  )
})
