import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { message } from '#records/message'
import { exportOf, filesIn, importInto, importRows, packed, rowsOf } from '#test/archives'
import type { WireDraft } from '#test/builders'
import { contentOf, eventsOf } from '#test/database-content'
import { hire, signIn } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { make } from './support.ts'

const csv = (body: string) => ({ body, headers: { 'Content-Type': 'text/csv; charset=utf-8' } })

const app = await startApp({ settings: { MUSTER_MAX_BODY_BYTES: '2000000' } })
after(() => app.close())

const send = (account: TestAccount, record: string, body: string, more = '') =>
  account.request('POST', `/v5/import.json?record=${record}${more}`, csv(body))
const customers = async (account: TestAccount): Promise<WireDraft[]> =>
  (await account.request('GET', '/v5/customers.json')).json.customers

describe('GET /v5/export', () => {
  test('answers an archive of the account, and of no other', async () => {
    const account = await app.newAccount()
    await make(account, 'customer', { name: '=1+1', notes: 'ünïcode 😀' })
    await make(await app.newAccount(), 'customer')
    for (const [format, file] of [
      ['json', 'customers.ndjson'],
      ['csv', 'customers.csv'],
    ] as const) {
      const answer = await account.request('GET', `/v5/export?format=${format}`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'application/gzip')
      assert.match(
        String(answer.headers['content-disposition']),
        /^attachment; filename="account-\d+-[\d-]+\.tar\.gz"$/,
      )
      const path = join(app.folder, `answer.${format}`)
      writeFileSync(path, answer.body)
      const files = await filesIn(path)
      const manifest = JSON.parse(String(files.get('manifest.json')))
      assert.equal(manifest.records.customers, 1)
      assert.equal(manifest.account.id, account.account.id)
      assert.match(String(files.get(file)), /ünïcode 😀/)
      assert.equal(/"name":"=1\+1"|,'=1\+1,/.test(String(files.get(file))), true)
      assert.doesNotMatch([...files.values()].join(), /argon2|digest|secret(?!_until)/)
    }
    const { status } = await account.request('HEAD', '/v5/export')
    assert.equal(status, 200)
  })

  test('takes only the records that are named, and refuses what it does not know', async () => {
    const account = await app.newAccount()
    const answer = await account.request('GET', '/v5/export?records=tags,%20users')
    const path = join(app.folder, 'some.tar.gz')
    writeFileSync(path, answer.body)
    assert.deepEqual([...(await filesIn(path)).keys()], ['tags.ndjson', 'users.ndjson', 'manifest.json'])
    for (const query of ['records=sessions', 'records=api_keys', 'records=', 'format=xml'])
      assert.equal((await account.request('GET', `/v5/export?${query}`)).status, 422, query)
    await account.turn('safety', false)
    assert.equal((await account.request('GET', '/v5/export?records=tags')).status, 422)
  })
})

test('only admins and keys of the whole account export and import', async () => {
  const account = await app.newAccount()
  const group = await make(account, 'group')
  const limited = await account.newKey({ group_ids: [group.id] })
  const reader = await account.newKey({ read_only: true })
  const dispatcher = await hire(account, { jobs: 'full', customers: 'full', reports: 'full' })
  const admin = await hire(account, { admin: 'full' })
  const rows = csv('name\nMia\n')
  const post = '/v5/import.json?record=customers&dry_run=true'
  assert.equal((await account.request('GET', '/v5/export', { key: limited })).status, 403)
  assert.equal((await account.request('POST', post, { ...rows, key: limited })).status, 403)
  assert.equal((await account.request('GET', '/v5/export', { key: reader })).status, 200)
  assert.equal((await account.request('POST', post, { ...rows, key: reader })).status, 403)
  assert.equal((await dispatcher.request('GET', '/v5/export')).status, 403)
  assert.equal((await dispatcher.request('POST', post, rows)).status, 403)
  assert.equal((await admin.request('GET', '/v5/export')).status, 200)
  assert.equal((await admin.request('POST', post, rows)).status, 200)
  assert.equal((await account.request('GET', '/v5/export', { key: null })).status, 401)
})

describe('POST /v5/import', () => {
  test('makes what is new, updates what is known, and tells of each row that is refused its line and field', async () => {
    const account = await app.newAccount()
    const known = await make(account, 'customer', { name: 'Old', third_party_id: 'c-1', notes: 'Stays' })
    const table = [
      'name,third_party_id,delivery_contact.location.city,delivery_contact.location.lat',
      'New name,c-1,Napier,',
      ',c-2,,',
      '"Two\nlines",c-3,,',
      'Mia,c-4,,north',
      'Tane,c-5,Nelson,-41.3',
    ].join('\n')
    const before = await contentOf(app.app)
    const rehearsed = await send(account, 'customers', table, '&dry_run=true')
    assert.equal(rehearsed.status, 200, rehearsed.text)
    assert.equal(rehearsed.headers['x-muster-dry-run'], 'true')
    assert.deepEqual(await contentOf(app.app), before)

    const { json: report } = await send(account, 'customers', table)
    const made = (await customers(account)).at(-1)?.id
    const rows = [
      { line: 2, id: known.id, outcome: 'updated' },
      { line: 4, id: made, outcome: 'created' },
    ]
    assert.deepEqual(report, { ...rehearsed.json, dry_run: false, rows })
    assert.deepEqual(rehearsed.json.rows, [rows[0], { ...rows[1], id: null }])
    assert.deepEqual(report.records, { customers: { created: 1, updated: 1, unchanged: 0, refused: 3 } })
    assert.deepEqual(
      report.errors.map(({ line, field, message }: WireDraft) => [line, field, message]),
      [
        [3, 'name', "Name can't be blank"],
        [6, 'delivery_contact.location.lat', 'Delivery contact location lat is not a number'],
        [7, 'delivery_contact.location.lng', "Delivery contact location lng can't be blank"],
      ],
    )
    const all = await customers(account)
    assert.deepEqual(
      all.map(({ id, name, notes }) => [id === known.id, name, notes]),
      [
        [true, 'New name', 'Stays'],
        [false, 'Two\nlines', null],
      ],
    )
  })

  test('makes nothing twice: rows are known by id, by third-party id, by what is unique, else by all they say', async () => {
    const account = await app.newAccount()
    const tables: [record: string, table: string][] = [
      ['customers', 'name,third_party_id\nMia,c-1\nTane,c-2\n'],
      ['tags', 'name,description\nForklift,Licence\n'],
      ['users', 'name,email\nAna,ana@example.com\n'],
      // Two of the same name are two.
      ['customers', 'name,notes\nNoName,\nNoName,\n'],
    ]
    for (const [record, table] of tables) {
      const first = (await send(account, record, table)).json.records[record]
      const again = (await send(account, record, table)).json.records[record]
      assert.ok(first.created > 0 && first.refused === 0, table)
      assert.deepEqual(again, { created: 0, updated: 0, unchanged: first.created, refused: 0 }, table)
    }
    assert.equal((await customers(account)).length, 4)
    const id = (await customers(account))[0]?.id
    const byId = await send(account, 'customers', `id,name\n${id},Mia Tane\n`)
    assert.equal(byId.json.records.customers.updated, 1)
    assert.equal((await send(account, 'tags', 'name,description\nForklift,Changed\n')).json.records.tags.updated, 1)
  })

  test('finds no id of another account, and changes nothing there', async () => {
    const [account, other] = [await app.newAccount(), await app.newAccount()]
    const theirs = await make(other, 'customer', { name: 'Theirs' })
    const group = await make(other, 'group')
    const before = (await other.request('GET', '/v5/customers.json')).text
    const { json: report } = await send(
      account,
      'customers',
      `id,name,group_ids\n${theirs.id},Mine,\n,Mine,${group.id}\n`,
    )
    assert.deepEqual(
      report.errors.map(({ line, message }: WireDraft) => [line, message]),
      [
        [2, `Id ${theirs.id} does not exist`],
        [3, `Group ids ${group.id} does not exist`],
      ],
    )
    assert.equal((await other.request('GET', '/v5/customers.json')).text, before)
    assert.deepEqual(await customers(account), [])
  })

  test('takes JSON as well: an object a line, a list, or the answer of a list', async () => {
    const account = await app.newAccount()
    const rows = [
      { name: 'Mia', third_party_id: '1', notes: 'Line\u2028separator' },
      { name: 'Tane', third_party_id: '2' },
    ]
    const bodies = [
      rows.map((row) => JSON.stringify(row)).join('\n'),
      JSON.stringify(rows, null, 2),
      JSON.stringify({ customers: rows, current_page: 1 }),
    ]
    const post = '/v5/import.json?record=customers'
    for (const [i, body] of bodies.entries()) {
      const answer = await account.request('POST', post, { body, headers: { 'Content-Type': 'application/json' } })
      const { created, unchanged, refused } = answer.json.records.customers
      assert.deepEqual([created, unchanged, refused], i === 0 ? [2, 0, 0] : [0, 2, 0], answer.text)
    }
    assert.equal((await customers(account))[0]?.notes, 'Line\u2028separator')
    const wrong = await account.request('POST', post, {
      body: '{"name":"A"}\nnonsense\n[1]\n{"id":{"toString":1},"name":"B"}\n',
      headers: { 'Content-Type': 'application/x-ndjson' },
    })
    assert.deepEqual(
      wrong.json.errors?.map(({ line, field }: WireDraft) => [line, field]),
      [
        [2, null],
        [3, null],
        [4, 'id'],
      ],
      wrong.text,
    )
  })

  test('asks the rules and the guard of each row, in the order of the file', async () => {
    const account = await app.newAccount()
    const worker = await make(account, 'worker', { name: 'Ana' })
    const tagged = await make(account, 'tag')
    const table = `customer_name,worker_id,tag_ids,steps\nMia,${worker.id},,"[{""name"":""Arrive""}]"\nMia,${worker.id},${tagged.id},"[{""name"":""Arrive""}]"\nMia,,,\nMia,,,nonsense\n`
    const { json: report } = await send(account, 'jobs', table)
    assert.deepEqual(
      report.errors.map(({ line, field, code }: WireDraft) => [line, field, code]),
      [
        [3, 'worker_id', 'tag_missing'],
        [4, 'steps', 'blank'],
        [5, 'steps', 'invalid'],
      ],
    )
    assert.equal(report.records.jobs.created, 1)
    // The customer of the name is made once.
    assert.equal((await customers(account)).length, 1)
  })

  test('makes users without a password, whatever the file says, and tells so', async () => {
    const account = await app.newAccount()
    const { json: report } = await send(
      account,
      'users',
      'name,email,password,shift_on\nAna,ana@acme.example,secret password,false\n',
    )
    assert.equal(report.records.users.created, 1)
    assert.deepEqual(report.left_out, { users: ['password', 'shift_on'] })
    assert.match(report.notes.join(), /users: 1 made without a password/)
    assert.equal((await signIn(account.request, 'ana@acme.example', 'secret password')).status, 401)
    const [, ana] = (await account.request('GET', '/v5/users.json')).json.users
    const events = await eventsOf(app.app, account.account.id)
    assert.ok(
      events.some(
        ({ record, record_id, actor }) => record === 'user' && record_id === String(ana.id) && actor === 'key',
      ),
    )
  })

  test('refuses a file that it can not read, and changes nothing', async () => {
    const account = await app.newAccount()
    const at = (query: string, type: string, body: string | Buffer) =>
      account.request('POST', `/v5/import.json?${query}`, { body, headers: { 'Content-Type': type } })
    const before = await contentOf(app.app)
    assert.equal((await at('record=customers', 'application/xml', '<a/>')).status, 415)
    for (const query of ['', 'record=sessions', 'record=signatures', 'record=webhooks', 'record=customer'])
      assert.equal((await at(query, 'text/csv', 'name\nMia\n')).status, 422, query)
    assert.equal((await at('record=customers', 'text/csv', Buffer.from([0x6e, 0xff, 0xfe]))).status, 400)
    for (const table of ['name\n"Mia', 'name\nM"ia\n', 'name\n"Mia"x\n']) {
      const broken = await at('record=customers', 'text/csv', table)
      assert.equal(broken.status, 400, table)
      assert.match(broken.json.errors[0].message, /^This is not CSV: .*line 2/, table)
    }
    const columns = await at('record=customers', 'text/csv', 'name,nmae,name\nMia,x,y\n')
    assert.equal(columns.status, 422)
    assert.deepEqual(
      columns.json.errors.map(({ field }: WireDraft) => field),
      ['nmae', 'name'],
    )
    assert.equal((await at('record=customers', 'text/csv', `name\n${'x'.repeat(2_000_001)}`)).status, 413)
    assert.deepEqual(await contentOf(app.app), before)
    await account.turn('safety', false)
    assert.equal((await at('record=tags', 'text/csv', 'name\nA\n')).status, 422)
  })
})

describe('an archive', () => {
  test('keeps the dates of what was made, and the templates and equipment of what is over', async () => {
    const [here, there] = [await app.newAccount(), await app.newAccount()]
    const template = await make(here, 'template', { steps: [{ name: 'Of the template' }], custom_fields: [] })
    const asset = await make(here, 'asset')
    const steps = [{ name: 'Own', completed_at: '2026-01-01T00:00:00Z' }]
    await make(here, 'job', { template_id: template.id, steps, custom_fields: [], asset_ids: [asset.id] })
    await here.request('PUT', `/v5/templates/${template.id}.json`, {
      body: { template: { enabled: false, custom_fields: [{ name: 'Later' }] } },
    })
    await here.request('PUT', `/v5/assets/${asset.id}.json`, { body: { asset: { enabled: false } } })
    const archive = await exportOf(app, here)
    const old = rowsOf(archive.files.get('jobs.ndjson')).map((row) => ({
      ...row,
      created_at: '2020-02-02T00:00:00Z',
    }))
    archive.files.set('jobs.ndjson', Buffer.from(old.map((row) => JSON.stringify(row)).join('\n')))
    const report = await importInto(app, there, await packed(join(app.folder, `dated.gz`), [...archive.files]))
    assert.deepEqual(report.errors, [])
    const [made] = (await there.request('GET', '/v5/jobs.json')).json.jobs
    assert.equal(made.created_at, '2020-02-02T00:00:00Z')
    assert.deepEqual(
      made.steps.map(({ name }: WireDraft) => name),
      ['Own'],
    )
    assert.deepEqual(made.custom_fields, [])
    assert.equal(made.progress_state, 'completed')
  })

  test('refuses a row whose date is none, and takes the others', async () => {
    const [here, there] = [await app.newAccount(), await app.newAccount()]
    for (const name of ['Ana', 'Mia']) await make(here, 'customer', { name })
    const archive = await exportOf(app, here)
    const [ana, mia] = rowsOf(archive.files.get('customers.ndjson'))
    const rows = [{ ...ana, created_at: 'last spring' }, mia]
    archive.files.set('customers.ndjson', Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')))
    const report = await importInto(app, there, await packed(join(app.folder, 'undated.gz'), [...archive.files]))
    assert.deepEqual(
      report.errors.map(({ line, field }) => [line, field]),
      [[1, 'created_at']],
    )
    assert.deepEqual(
      (await customers(there)).map(({ name }) => name),
      ['Mia'],
    )
  })

  test('brings the jobs of people and customers who are gone', async () => {
    const [here, there] = [await app.newAccount(), await app.newAccount()]
    const worker = await make(here, 'worker')
    const client = await make(here, 'customer', { name: 'Gone' })
    const done = { steps: [{ name: 'Arrive', completed_at: '2026-01-01T00:00:00Z' }] }
    const over = {
      worker_id: worker.id,
      customer_id: client.id,
      customer_name: undefined,
      published_at: '2026-01-01T00:00:00Z',
      ...done,
    }
    await make(here, 'job', over)
    for (const path of [`/v5/users/${worker.id}`, `/v5/customers/${client.id}`])
      assert.equal((await here.request('DELETE', `${path}.json`)).status, 200)
    const report = await importInto(app, there, (await exportOf(app, here)).path)
    assert.deepEqual(report.errors, [])
    assert.match(report.notes.join('\n'), /jobs\.worker_id: left out of 1 rows/)
    const [made] = (await there.request('GET', '/v5/jobs.json')).json.jobs
    assert.deepEqual([made.customer_name, made.worker_id, made.progress_state], ['Gone', null, 'completed'])
  })

  test('whose row is refused takes along what refers to it, and nothing else', async () => {
    const [here, there] = [await app.newAccount(), await app.newAccount()]
    const [bad, good] = [await make(here, 'customer', { name: 'Bad' }), await make(here, 'customer', { name: 'Good' })]
    for (const { id } of [bad, good]) await make(here, 'job', { customer_id: id, customer_name: undefined })
    const archive = await exportOf(app, here)
    const rows = rowsOf(archive.files.get('customers.ndjson')).map((row) => ({
      ...row,
      name: row.name === 'Bad' ? 'x'.repeat(300) : row.name,
    }))
    archive.files.set('customers.ndjson', Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')))
    const report = await importInto(app, there, await packed(join(app.folder, `bad.gz`), [...archive.files]))
    assert.deepEqual(
      report.errors.map(({ record, line, field }) => [record, line, field]),
      [
        ['customers', 1, 'name'],
        ['jobs', 1, 'customer_id'],
      ],
    )
    assert.equal(report.records.jobs?.created, 1)
  })

  test('is refused when it is none, has no manifest, or has bytes that are not those of their name', async () => {
    const account = await app.newAccount()
    const whole = await exportOf(app, account)
    const without = [...whole.files].filter(([name]) => name !== 'manifest.json')
    const lying: [string, Buffer] = [`files/${'0'.repeat(64)}`, Buffer.from('x')]
    const path = (name: string) => join(app.folder, `${name}.gz`)
    writeFileSync(path('none'), 'no gzip')
    for (const file of [
      path('none'),
      await packed(path('bare'), without),
      await packed(path('lying'), [...whole.files, lying]),
    ])
      await assert.rejects(importInto(app, account, file), { kind: 'malformed' })
  })
})

test('what is imported by hand needs no archive: the parents of a message are columns', async () => {
  const account = await app.newAccount()
  const thread = await make(account, 'thread')
  const table = `thread_id,body,from_user_name,created_at\n${thread.id},Hello,Desk,2020-01-01T00:00:00Z\n`
  const report = await importRows(app, account, message, table)
  assert.deepEqual(report.errors, [])
  const { messages } = (await account.request('GET', `/v5/messaging/${thread.id}.json`)).json.thread
  assert.equal(messages.at(-1).body, 'Hello')
  assert.ok(messages.at(-1).created_at > '2026', 'what the server sets is not said by a file of one record')
})
