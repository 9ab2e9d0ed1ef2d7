import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { user as users } from '#records/user'
import { startApp } from '#test/test-app'
import {
  assertBody,
  assertHeaders,
  assertNothingWritten,
  assertRefused,
  assertStatus,
  make,
  onCreated,
  writeAt,
  xml,
} from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

let number = 0
/** A name and an email that nobody has. */
const someone = () => `<name>Person ${++number}</name><email>p${number}@example.com</email>`
const create = (inside: string) => request('POST', '/v5/users.xml', { body: `<user>${someone()}${inside}</user>` })
const update = (id: unknown, inside: string) =>
  request('PUT', `/v5/users/${id}.xml`, { body: `<user>${inside}</user>` })

const permissionNames = [
  ...['jobs', 'schedule', 'map', 'reports', 'customers', 'equipment', 'quotes', 'messaging', 'admin', 'mobile'],
  ...['mobile_jobs_create', 'mobile_jobs_assign', 'mobile_invoice'],
]

describe('POST /v5/users.xml', () => {
  test('answers 201 with every element of the contract, in order, with its attributes', async () => {
    const group = await make(app, 'group')
    const answer = await request('POST', '/v5/users.xml', {
      body: xml`
        <user>
          <name>Ana Reyes</name>
          <group_ids>${group.id}</group_ids>
          <third_party_id>emp-17</third_party_id>
          <email>ana@example.com</email>
          <phone>+64 21 555 0101</phone>
          <notes>Prefers mornings</notes>
          <password>correct horse battery</password>
          <permissions>
            <jobs>read</jobs>
            <schedule>full</schedule>
            <mobile>full</mobile>
            <mobile_invoice>read</mobile_invoice>
          </permissions>
        </user>`,
    })
    const id = assertStatus(answer, 201).xml.value('id')
    assertBody(
      answer,
      xml`
        <user>
          <id type="integer" readonly="readonly">${id}</id>
          <group_ids>${group.id}</group_ids>
          <name>Ana Reyes</name>
          <email>ana@example.com</email>
          <phone>+64 21 555 0101</phone>
          <notes>Prefers mornings</notes>
          <shift_on type="boolean">false</shift_on>
          <third_party_id>emp-17</third_party_id>
          <created_at type="datetime" readonly="readonly">OFFSET</created_at>
          <updated_at type="datetime" readonly="readonly">OFFSET</updated_at>
          <latest_telemetry nil="true"/>
          <permissions>
            <jobs>read</jobs>
            <schedule>full</schedule>
            <map>none</map>
            <reports>none</reports>
            <customers>none</customers>
            <equipment>none</equipment>
            <quotes>none</quotes>
            <messaging>none</messaging>
            <admin>none</admin>
            <mobile>full</mobile>
            <mobile_jobs_create>none</mobile_jobs_create>
            <mobile_jobs_assign>none</mobile_jobs_assign>
            <mobile_invoice>read</mobile_invoice>
          </permissions>
          <tags type="array"/>
          <capacity type="integer" nil="true"/>
          <start_location nil="true"/>
          <end_location nil="true"/>
          <enabled type="boolean">true</enabled>
        </user>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/users/${id}` })
    assert.equal((await request('GET', `/v5/users/${id}.xml`)).text, answer.text)
  })

  test('blank optional elements are nil, and permissions that are left out are none', async () => {
    const answer = await create('<group_ids/><third_party_id/><phone/><notes></notes><password/>')
    const { xml: made } = assertStatus(answer, 201)
    for (const name of ['group_ids', 'third_party_id', 'phone', 'notes']) assert.equal(made.value(name), null, name)
    const permissions = made.get('permissions')
    assert.deepEqual(permissions.names, permissionNames)
    assert.deepEqual(new Set(permissions.children.map(({ text }) => text)), new Set(['none']))
  })

  test('name and email are required, and both are told', async () => {
    const answer = await request('POST', '/v5/users.xml', { body: '<user><name/><phone>1</phone></user>' })
    assertRefused(answer, 422, "Name can't be blank", "Email can't be blank")
  })

  test('name and email are unique, the email whatever its case', async () => {
    await make(app, 'user', { name: 'Sam', email: 'sam@example.com' })
    const answer = await request('POST', '/v5/users.xml', {
      body: '<user><name>Sam</name><email>SAM@Example.com</email></user>',
    })
    assertRefused(answer, 422, 'Name has already been taken', 'Email has already been taken')
  })

  test('name, email and third-party id are free again after a delete', async () => {
    const draft = { name: 'Again', email: 'again@example.com', third_party_id: 'again' }
    const { id } = await make(app, 'user', draft)
    assertStatus(await request('DELETE', `/v5/users/${id}.xml`), 200)
    await make(app, 'user', draft)
  })

  test('an email must look like one', async () => {
    for (const email of ['ana', 'a b@c.d', '@', 'ana@'])
      assertRefused(
        await request('POST', '/v5/users.xml', { body: `<user><name>N</name><email>${email}</email></user>` }),
        422,
        'Email is invalid',
      )
  })

  test('the password is never written, in no format and no event', async () => {
    const { id, ...row } = await make(app, 'user', { password: 'pa55word-of-ana' })
    assert.ok(!('password' in row))
    await update(id, '<password>an0ther-of-ana</password>')
    const shown = await Promise.all(['xml', 'json'].map((format) => request('GET', `/v5/users/${id}.${format}`)))
    for (const { text } of shown) assert.doesNotMatch(text, /password|of-ana/)
    const kept = JSON.stringify([
      await app.app.store.database.all({ sql: 'select * from events', parameters: [] }),
      await app.app.store.database.all({ sql: 'select * from users', parameters: [] }),
    ])
    assert.doesNotMatch(kept, /of-ana/)
  })

  test('shift_on is not set through the interface', async () => {
    const answer = await create('<shift_on type="boolean">true</shift_on>')
    assert.equal(answer.xml.value('shift_on'), 'false')
  })
})

describe('permissions', () => {
  const allowed: { [name: string]: string[] } = Object.fromEntries(
    permissionNames.map((name) => [
      name,
      ['reports', 'messaging', 'admin', 'mobile', 'mobile_jobs_create', 'mobile_jobs_assign'].includes(name)
        ? ['full', 'none']
        : ['full', 'none', 'read'],
    ]),
  )

  for (const [name, values] of Object.entries(allowed))
    test(`${name} may be ${values.join(', ')} and nothing else`, async () => {
      for (const value of ['full', 'none', 'read', 'FULL', 'true', 'admin']) {
        const answer = await create(`<permissions><${name}>${value}</${name}></permissions>`)
        if (values.includes(value)) assert.equal(answer.xml.value(`permissions.${name}`), value)
        else {
          const human = name.replaceAll('_', ' ')
          assertRefused(answer, 422, `Permissions ${human} is not included in the list`)
        }
      }
    })

  for (const [sent, implied] of Object.entries({
    '<mobile_jobs_create>full</mobile_jobs_create>': {
      mobile: 'full',
      mobile_jobs_create: 'full',
      mobile_jobs_assign: 'none',
    },
    '<mobile_jobs_assign>full</mobile_jobs_assign>': {
      mobile: 'full',
      mobile_jobs_create: 'full',
      mobile_jobs_assign: 'full',
    },
    '<mobile_invoice>read</mobile_invoice>': { mobile: 'full', mobile_jobs_create: 'none', mobile_invoice: 'read' },
    '<mobile_invoice>full</mobile_invoice>': { mobile: 'full', mobile_jobs_assign: 'none' },
    '<mobile>none</mobile><mobile_jobs_assign>full</mobile_jobs_assign>': {
      mobile: 'full',
      mobile_jobs_create: 'full',
    },
    '<mobile>full</mobile>': {
      mobile: 'full',
      mobile_jobs_create: 'none',
      mobile_jobs_assign: 'none',
      mobile_invoice: 'none',
    },
    '<jobs>full</jobs>': { mobile: 'none' },
  }))
    test(`${sent} makes ${JSON.stringify(implied)}`, async () => {
      const { permissions } = (await create(`<permissions>${sent}</permissions>`)).xml
        .get('permissions')
        .children.reduce((all, { name, text }) => ({ permissions: { ...all.permissions, [name]: text } }), {
          permissions: {} as { [name: string]: string },
        })
      for (const [name, value] of Object.entries(implied)) assert.equal(permissions[name], value, name)
    })

  test('an update merges them, and implies again', async () => {
    const { id } = await make(app, 'user', { permissions: { jobs: 'read' } })
    const answer = await update(id, '<permissions><mobile_jobs_assign>full</mobile_jobs_assign></permissions>')
    const shown = assertStatus(answer, 200).xml.get('permissions')
    assert.deepEqual(
      ['jobs', 'mobile', 'mobile_jobs_create', 'mobile_jobs_assign'].map((name) => shown.value(name)),
      ['read', 'full', 'full', 'full'],
    )
  })

  test('mobile can not be taken away while a mobile permission is left', async () => {
    const { id } = await make(app, 'user', { permissions: { mobile_invoice: 'full' } })
    const answer = await update(id, '<permissions><mobile>none</mobile></permissions>')
    assert.equal(answer.xml.value('permissions.mobile'), 'full')
  })
})

describe('latest_telemetry', () => {
  test('is empty in the create response, and ignored when it is sent', async () => {
    const answer = await create('<latest_telemetry><lat>1.5</lat><lng>2.5</lng></latest_telemetry>')
    assert.ok(assertStatus(answer, 201).text.includes('  <latest_telemetry nil="true"/>\n'))
  })

  test('shows heading, lat, lng, recorded_at and speed once a device has told', async () => {
    const before = await make(app, 'user')
    const told = {
      heading: '271.5',
      lat: '-36.85',
      lng: '174.76',
      recorded_at: '2026-01-02T03:04:05.678Z',
      speed: '48.0',
    }
    await writeAt(app.app, app.account, users, { latest_telemetry: told }, { before })
    const answer = await request('GET', `/v5/users/${before.id}.xml`)
    assert.ok(
      answer.text.includes(
        [
          '  <latest_telemetry>',
          '    <heading type="decimal">271.5</heading>',
          '    <lat type="decimal">-36.85</lat>',
          '    <lng type="decimal">174.76</lng>',
          '    <recorded_at type="datetime">2026-01-02T03:04:05+00:00</recorded_at>',
          '    <speed type="decimal">48.0</speed>',
          '  </latest_telemetry>',
        ].join('\n'),
      ),
      answer.text,
    )
  })
})

describe('tags', () => {
  test('are an array of tag with id, name, expires_at', async () => {
    const tag = await make(app, 'tag', { name: 'Working at height', expires: true })
    const plain = await make(app, 'tag', { name: 'First aid', expires: false })
    const answer = await create(
      `<tags type="array"><tag><id>${plain.id}</id></tag>` +
        `<tag><id>${tag.id}</id><name>ignored</name><expires_at>2030-06-30</expires_at></tag></tags>`,
    )
    assert.ok(
      assertStatus(answer, 201).text.includes(
        [
          '  <tags type="array">',
          '    <tag>',
          `      <id type="integer">${tag.id}</id>`,
          '      <name>Working at height</name>',
          '      <expires_at type="datetime">2030-06-30T00:00:00+00:00</expires_at>',
          '    </tag>',
          '    <tag>',
          `      <id type="integer">${plain.id}</id>`,
          '      <name>First aid</name>',
          '      <expires_at type="datetime" nil="true"/>',
          '    </tag>',
          '  </tags>',
        ].join('\n'),
      ),
      answer.text,
    )
  })

  test('expires_at is required when the tag expires, and the tag is named', async () => {
    const tag = await make(app, 'tag', { expires: true })
    const plain = await make(app, 'tag', { expires: false })
    const answer = await create(
      `<tags type="array"><tag><id>${plain.id}</id></tag><tag><id>${tag.id}</id></tag></tags>`,
    )
    assertRefused(answer, 422)
    assert.equal(answer.errors.length, 1)
    assert.match(String(answer.errors[0]), /^Tags \d \(.+\) expires at can't be blank$/)
  })

  test('tag_ids gives tags that need no date, and is not shown', async () => {
    const plain = await make(app, 'tag', { expires: false })
    const answer = await create(`<tag_ids>${plain.id}</tag_ids>`)
    assert.equal(answer.xml.value('tags.tag.id'), String(plain.id))
    assert.ok(!answer.xml.names.includes('tag_ids'))
    const tag = await make(app, 'tag', { expires: true })
    assertRefused(await create(`<tag_ids>${tag.id}</tag_ids>`), 422)
  })

  test('tag_ids keeps the date of a tag that is held already', async () => {
    const tag = await make(app, 'tag', { expires: true })
    const plain = await make(app, 'tag', { expires: false })
    const { id } = await make(app, 'user', { tags: [{ id: tag.id, expires_at: '2030-01-01T00:00:00Z' }] })
    const answer = await request('PUT', `/v5/users/${id}.json`, { body: { user: { tag_ids: [plain.id, tag.id] } } })
    assert.deepEqual(answer.json.user.tags, [
      { id: tag.id, name: tag.name, expires_at: '2030-01-01T00:00:00Z' },
      { id: plain.id, name: plain.name, expires_at: null },
    ])
  })

  test('an unknown tag is 422 and named', async () => {
    assertRefused(await create('<tags><tag><id>999991</id></tag></tags>'), 422, 'Tags 999991 does not exist')
  })

  test('a tag without its id is one fault that says so', async () => {
    assertRefused(
      await create('<tags><tag><name>First aid</name></tag></tags>'),
      422,
      'Tags 1 id must be the id of a tag',
    )
    const twice = await create('<tags><tag><name>A</name></tag><tag><id>first</id></tag></tags>')
    assertRefused(twice, 422, 'Tags 1 id must be the id of a tag', 'Tags 2 id must be the id of a tag')
  })

  test('an empty array takes them all away', async () => {
    const plain = await make(app, 'tag', { expires: false })
    const { id } = await make(app, 'user', { tags: [{ id: plain.id }] })
    assert.equal((await update(id, '<tags type="array"/>')).xml.get('tags').children.length, 0)
  })

  test('the whole user sent back keeps tags and dates', async () => {
    const tag = await make(app, 'tag', { expires: true })
    const { id } = await make(app, 'user', { tags: [{ id: tag.id, expires_at: '2030-01-01T00:00:00Z' }] })
    const read = await request('GET', `/v5/users/${id}.xml`)
    assert.equal((await request('PUT', `/v5/users/${id}.xml`, { body: read.text })).text, read.text)
  })
})

describe('the last admin', () => {
  test('can not lose admin, be disabled or be deleted', async () => {
    const other = await app.newAccount()
    const [admin] = (await other.request('GET', '/v5/users.json')).json.users
    const path = `/v5/users/${admin.id}.xml`
    const sentence = 'must stay with the last admin of the account'
    await assertNothingWritten(app.app, async () => {
      const demoted = await other.request('PUT', path, {
        body: '<user><permissions><admin>none</admin></permissions></user>',
      })
      assertRefused(demoted, 422, `Permissions admin ${sentence}`)
      const cleared = await other.request('PUT', path, { body: '<user><permissions/></user>' })
      assertRefused(cleared, 422, `Permissions admin ${sentence}`)
      const disabled = await other.request('PUT', path, { body: '<user><enabled>false</enabled></user>' })
      assertRefused(disabled, 422, `Enabled ${sentence}`)
      assertRefused(await other.request('DELETE', path), 422, `Id ${sentence}`)
    })
  })

  test('may do so when another enabled admin is left', async () => {
    const other = await app.newAccount()
    const [admin] = (await other.request('GET', '/v5/users.json')).json.users
    const second = await make(other, 'user', { permissions: { admin: 'full' }, enabled: false })
    assertRefused(await other.request('DELETE', `/v5/users/${admin.id}.xml`), 422)
    await other.request('PUT', `/v5/users/${second.id}.xml`, { body: '<user><enabled>true</enabled></user>' })
    assertStatus(await other.request('DELETE', `/v5/users/${admin.id}.xml`), 200)
    assertRefused(await other.request('DELETE', `/v5/users/${second.id}.xml`), 422)
  })
})

describe('workers', () => {
  test('are users under another name, with the mobile permission', async () => {
    const answer = await request('POST', '/v5/workers.xml', { body: `<worker>${someone()}</worker>` })
    const { xml: made } = assertStatus(answer, 201)
    assert.equal(made.name, 'worker')
    assert.equal(made.value('permissions.mobile'), 'full')
    const id = made.value('id')
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/workers/${id}` })
    const user = await request('GET', `/v5/users/${id}.xml`)
    assert.equal(user.text.replaceAll('user>', 'worker>'), answer.text)
    assert.equal((await request('GET', `/v5/workers/${id}.xml`)).text, answer.text)
  })

  test('keep the mobile permission that they are given, whatever the body says of it', async () => {
    const body = `<worker>${someone()}<permissions><jobs>read</jobs><mobile>none</mobile></permissions></worker>`
    const { xml: made } = await request('POST', '/v5/workers.xml', { body })
    assert.equal(made.value('permissions.mobile'), 'full')
    assert.equal(made.value('permissions.jobs'), 'read')
  })

  test('a list has only users with the mobile permission', async () => {
    const other = await app.newAccount()
    await make(other, 'user', { permissions: { jobs: 'full' } })
    const worker = await make(other, 'user', { permissions: { mobile_invoice: 'read' } })
    const list = await other.request('GET', '/v5/workers.xml')
    assert.deepEqual([list.xml.name, list.xml.attributes.total_entries, list.xml.names], ['workers', '1', ['worker']])
    assert.equal(list.xml.value('worker.id'), String(worker.id))
    assert.equal((await other.request('GET', '/v5/workers.json')).json.workers.length, 1)
    assert.equal((await other.request('GET', '/v5/users.json')).json.users.length, 3)
  })

  test('a user without that permission is no worker: 404', async () => {
    const { id } = await make(app, 'user', { permissions: { jobs: 'full' } })
    for (const method of ['GET', 'DELETE']) assertRefused(await request(method, `/v5/workers/${id}.xml`), 404)
    assertRefused(await request('PUT', `/v5/workers/${id}.xml`, { body: '<worker><notes>x</notes></worker>' }), 404)
    assertStatus(await request('GET', `/v5/users/${id}.xml`), 200)
  })

  test('answer in every tree', async () => {
    const { id } = await make(app, 'worker')
    for (const tree of ['/v5', '/api/v5', '/v4', '/api/v4', '/2.0', '/api/2.0'])
      assert.equal((await request('GET', `${tree}/workers/${id}.xml`)).xml.name, 'worker')
  })
})

describe('other fields', () => {
  test('capacity is an integer from 0', async () => {
    assert.equal((await create('<capacity>12</capacity>')).xml.value('capacity'), '12')
    assertRefused(await create('<capacity>-1</capacity>'), 422, 'Capacity must be greater than or equal to 0')
    assertRefused(await create('<capacity>1.5</capacity>'), 422, 'Capacity must be an integer')
  })

  test('start_location and end_location are locations', async () => {
    const answer = await create(
      '<start_location><city>Levin</city></start_location><end_location><lat>1</lat></end_location>',
    )
    assertRefused(answer, 422, "End location lng can't be blank")
    const made = (await create('<start_location><city>Levin</city></start_location>')).xml
    assert.equal(made.value('start_location.city'), 'Levin')
    assert.deepEqual(made.get('start_location').names.slice(0, 2), ['id', 'address1'])
  })

  test('a user is found by the third-party id', async () => {
    const { id } = await make(app, 'user', { third_party_id: 'emp/9' })
    const shown = await request('GET', '/v5/users/emp%2F9.xml?use_third_party_id=true')
    assert.equal(assertStatus(shown, 200).xml.value('id'), String(id))
  })

  test('a user with open jobs is not deleted', async () => {
    const worker = await make(app, 'worker')
    await make(app, 'job', { worker_id: worker.id })
    assertRefused(await request('DELETE', `/v5/users/${worker.id}.xml`), 422, 'Id is used by 1 open job')
  })
})
