import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { parseElement } from '#test/element'
import { startApp } from '#test/test-app'
import { assertBody, assertRefused, assertStatus, make, replay, xml } from './support.ts'

/** Requests as the clients of this family were seen to send them, byte for byte. (docs/contract.md#reading-xml) */

const app = await startApp()
after(() => app.close())
const { request } = app

const host = new URL(app.base).host
const send = async (text: string, status: number) => {
  const answer = await replay(app.base, text)
  assert.equal(answer.status, status, answer.text)
  return { ...answer, element: answer.text ? parseElement(answer.text) : null }
}
type Sent = Awaited<ReturnType<typeof send>>
const valueIn = ({ element }: Sent, path: string) => element?.value(path) ?? null
/** Clients take the id from the end of Location. */
const idIn = ({ location }: Sent) => location.split('/').at(-1) ?? ''

describe('ActiveResource 6.1 on Ruby 3.1', () => {
  const headers = (method: string, path: string, body: boolean) =>
    [
      `${method} ${path} HTTP/1.1`,
      ...(body || method === 'PUT' ? ['Content-Type: application/xml'] : []),
      ...(body ? [] : ['Accept: application/xml']),
      `Authorization: Bearer ${app.key}`,
      'Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
      ...(body ? ['Accept: */*'] : []),
      'User-Agent: Ruby',
      'Connection: close',
      `Host: ${host}`,
      ...(body ? ['Content-Length: 0'] : []),
    ].join('\n')
  const ask = (method: string, path: string, status: number, body?: string) =>
    send(`${headers(method, path, body !== undefined)}\n\n${body ?? ''}`, status)

  test('creates, finds, saves whole, lists, asks whether it exists, and destroys', async () => {
    const made = await ask(
      'POST',
      '/v5/tags.xml',
      201,
      xml`
        <tag>
          <name>AR tag</name>
          <expires type="boolean">true</expires>
          <description nil="true"/>
        </tag>`,
    )
    const id = idIn(made)
    assert.equal((await ask('GET', `/v5/tags/${id}.xml`, 200)).text, made.text)
    const saved = await ask(
      'PUT',
      `/v5/tags/${id}.xml`,
      200,
      xml`
        <tag>
          <name>AR tag</name>
          <expires type="boolean">true</expires>
          <description>changed</description>
          <id type="integer">${id}</id>
          <created-by-user-id nil="true"/>
          <created-at type="dateTime">2026-11-21T08:08:02Z</created-at>
          <updated-at type="dateTime">2026-11-21T08:08:02Z</updated-at>
        </tag>`,
    )
    assert.equal(valueIn(saved, 'description'), 'changed')
    assert.deepEqual((await ask('GET', '/v5/tags.xml', 200)).element?.names, ['tag'])
    assert.equal((await ask('HEAD', `/v5/tags/${id}.xml`, 200)).text, '')
    assert.equal((await ask('HEAD', '/v5/tags/99999.xml', 404)).text, '')
    await ask('DELETE', `/v5/tags/${id}.xml`, 200)
    await ask('GET', `/v5/tags/${id}.xml`, 404)
  })

  test('is told what is wrong in a form that it maps to its fields', async () => {
    const answer = await ask(
      'POST',
      '/v5/tags.xml',
      422,
      '<?xml version="1.0" encoding="UTF-8"?>\n<tag>\n  <name></name>\n</tag>\n',
    )
    assert.deepEqual(
      answer.element?.all('error').map(({ text }) => text),
      ["Name can't be blank"],
    )
  })

  test('creates an asset with nested and typed values, and saves the whole of it with nil for what is unset', async () => {
    const group = await make(app, 'group')
    const made = await ask(
      'POST',
      '/v5/assets.xml',
      201,
      xml`
        <asset>
          <name>AR asset</name>
          <third-party-id></third-party-id>
          <group-ids>${group.id}</group-ids>
          <cost type="decimal">12.5</cost>
          <location>
            <formatted-address>1 Queen St</formatted-address>
            <lat type="decimal">-36.8436</lat>
            <lng type="decimal">174.7669</lng>
          </location>
        </asset>`,
    )
    const id = idIn(made)
    const saved = await ask(
      'PUT',
      `/v5/assets/${id}.xml`,
      200,
      xml`
        <asset>
          <name>AR asset</name>
          <third-party-id nil="true"/>
          <group-ids>${group.id}</group-ids>
          <cost type="decimal">12.5</cost>
          <location>
            <id type="integer">${valueIn(made, 'location.id')}</id>
            <address1 nil="true"/>
            <address2 nil="true"/>
            <suburb nil="true"/>
            <city nil="true"/>
            <post-code nil="true"/>
            <country nil="true"/>
            <province nil="true"/>
            <region nil="true"/>
            <state nil="true"/>
            <formatted-address>1 Queen St</formatted-address>
            <lat type="decimal">-36.8436</lat>
            <lng type="decimal">174.7669</lng>
            <deleted-at nil="true"/>
            <created-at type="dateTime">2026-11-21T08:08:02Z</created-at>
          </location>
          <id type="integer">${id}</id>
          <model nil="true"/>
          <serial nil="true"/>
          <notes>whole record back</notes>
          <customer-id nil="true"/>
          <attachment-id nil="true"/>
          <enabled type="boolean">true</enabled>
          <tag-ids nil="true"/>
        </asset>`,
    )
    assert.equal(saved.text, made.text.replace('<notes nil="true"/>', '<notes>whole record back</notes>'))
  })

  test('saves a pricebook and keeps the items', async () => {
    const item = (id: unknown, book: unknown) => `
      <pricebook-item>
        <id type="integer">${id}</id>
        <pricebook-id type="integer">${book}</pricebook-id>
        <code>A</code>
        <description>aa</description>
        <price>85.00</price>
      </pricebook-item>`
    const made = await ask(
      'POST',
      '/v5/pricebooks.xml',
      201,
      xml`
        <pricebook>
          <name>AR book</name>
          <description>x</description>
          <pricebook-items type="array">
            <pricebook-item>
              <code>A</code>
              <description>aa</description>
              <price>85.00</price>
            </pricebook-item>
          </pricebook-items>
        </pricebook>`,
    )
    const id = idIn(made)
    const items = item(valueIn(made, 'pricebook_items.pricebook_item.id'), id)
    const body =
      '<?xml version="1.0" encoding="UTF-8"?>\n<pricebook>\n  <name>AR book</name>\n  <description>x</description>\n' +
      `  <pricebook-items type="array">${items}\n  </pricebook-items>\n  <id type="integer">${id}</id>\n` +
      `  <account-id type="integer">${app.account.id}</account-id>\n</pricebook>\n`
    assert.equal((await ask('PUT', `/v5/pricebooks/${id}.xml`, 200, body)).text, made.text)
  })

  test('saves a user with the id, an empty latest_telemetry and everything else sent back', async () => {
    const made = await ask(
      'POST',
      '/v5/users.xml',
      201,
      xml`
        <user>
          <name>AR user</name>
          <email>ar@example.com</email>
          <phone>+64 21</phone>
          <password>secret</password>
          <permissions>
            <jobs>read</jobs>
            <mobile-jobs-assign>full</mobile-jobs-assign>
          </permissions>
        </user>`,
    )
    const id = idIn(made)
    const saved = await ask(
      'PUT',
      `/v5/users/${id}.xml`,
      200,
      xml`
        <user>
          <name>AR user</name>
          <email>ar@example.com</email>
          <phone>+64 21</phone>
          <password>secret</password>
          <permissions>
            <jobs>read</jobs>
            <schedule>none</schedule>
            <map>none</map>
            <reports>none</reports>
            <customers>none</customers>
            <equipment>none</equipment>
            <quotes>none</quotes>
            <messaging>none</messaging>
            <admin>none</admin>
            <mobile>full</mobile>
            <mobile-jobs-create>full</mobile-jobs-create>
            <mobile-jobs-assign>full</mobile-jobs-assign>
            <mobile-invoice>none</mobile-invoice>
          </permissions>
          <id type="integer">${id}</id>
          <group-ids nil="true"/>
          <notes>n</notes>
          <shift-on type="boolean">false</shift-on>
          <third-party-id nil="true"/>
          <created-at type="dateTime">2026-11-21T08:08:02Z</created-at>
          <updated-at type="dateTime">2026-11-21T08:08:02Z</updated-at>
          <latest-telemetry nil="true"/>
          <tags type="array"/>
          <capacity nil="true"/>
          <start-location nil="true"/>
          <end-location nil="true"/>
          <enabled type="boolean">true</enabled>
        </user>`,
    )
    const withoutChange = (text: string) => text.replace(/<updated_at.*\n/, '').replace(/<notes.*\n/, '')
    assert.equal(withoutChange(saved.text), withoutChange(made.text))
    assert.equal(valueIn(saved, 'notes'), 'n')
  })

  test('creates a job with planned_start_at and an equal published_at, and a custom field whose mobile has a type', async () => {
    const worker = await make(app, 'worker')
    const made = await ask(
      'POST',
      '/v5/jobs.xml',
      201,
      xml`
        <job>
          <customer-name>AR cust</customer-name>
          <worker-id type="integer">${worker.id}</worker-id>
          <planned-start-at type="dateTime">2030-01-02T03:04:05Z</planned-start-at>
          <published-at type="dateTime">2030-01-02T03:04:05Z</published-at>
          <steps type="array">
            <step>
              <name>One</name>
            </step>
          </steps>
          <custom-fields type="array">
            <custom-field>
              <name>F</name>
              <type>text</type>
              <mobile>
                <type>x</type>
              </mobile>
            </custom-field>
          </custom-fields>
        </job>`,
    )
    assert.equal(valueIn(made, 'state'), 'assigned')
    assert.equal(valueIn(made, 'planned_start_at'), valueIn(made, 'published_at'))
    assert.equal(valueIn(made, 'custom_fields.custom_field.type'), 'text')
    const whole = made.text.replace(/<(\/?)([a-z_]+)/g, (_, slash, name) => `<${slash}${name.replaceAll('_', '-')}`)
    const saved = await ask(
      'PUT',
      `/v5/jobs/${idIn(made)}.xml`,
      200,
      whole.replace('<notes nil="true"/>', '<notes>again</notes>'),
    )
    assert.equal(valueIn(saved, 'notes'), 'again')
    assert.equal(valueIn(saved, 'steps.step.id'), valueIn(made, 'steps.step.id'))
    assert.equal(valueIn(saved, 'published_at'), '2030-01-02T03:04:05Z')
  })

  test('starts a thread, posts to it, and saves it with its messages', async () => {
    const made = await ask(
      'POST',
      '/v5/messaging.xml',
      201,
      xml`
        <thread>
          <job-id nil="true"/>
          <subject>AR</subject>
          <user-ids></user-ids>
          <messages type="array">
            <message>
              <from-user-id nil="true"/>
              <from-user-name>Ruby</from-user-name>
              <body>hello</body>
            </message>
          </messages>
        </thread>`,
    )
    const id = idIn(made)
    assert.equal(id, valueIn(made, 'id'))
    const message = await ask(
      'POST',
      `/v5/messaging/${id}/messages.xml`,
      201,
      xml`
        <message>
          <body>second</body>
          <from-user-name>Ruby</from-user-name>
        </message>`,
    )
    assert.equal(idIn(message), valueIn(message, 'id'))
    const read = await ask('GET', `/v5/messaging/${id}.xml`, 200)
    const dashed = read.text.replace(/<(\/?)([a-z_]+)/g, (_, slash, name) => `<${slash}${name.replaceAll('_', '-')}`)
    const saved = await ask('PUT', `/v5/messaging/${id}.xml`, 200, dashed.replace('>AR<', '>changed<'))
    assert.equal(saved.element?.get('messages').children.length, 2)
    assert.equal(valueIn(saved, 'subject'), 'changed')
  })

  test('asks for lists with encoded brackets, and times with a plus', async () => {
    const { id } = await make(app, 'job')
    const byId = await ask('GET', `/v5/jobs.xml?ids%5B%5D=${id}`, 200)
    assert.deepEqual(
      byId.element?.children.map((job) => job.value('id')),
      [String(id)],
    )
    for (const since of ['2023-11-14+22%3A13%3A20+UTC', '2023-11-14+22%3A13%3A20+%2B0000', '2023-11-14+22:13:20++0000'])
      assert.ok(
        Number((await ask('GET', `/v5/jobs.xml?created_since=${since}`, 200)).element?.attributes.total_entries) > 0,
      )
  })
})

describe('pyactiveresource 2.2 on Python 3.11', () => {
  const ask = (method: string, path: string, status: number, body?: string) =>
    send(
      [
        `${method} ${path} HTTP/1.1`,
        ...(body === undefined ? [] : ['Content-Length: 0']),
        `Host: ${host}`,
        'User-Agent: Python-urllib/3.11',
        `Authorization: Bearer ${app.key}`,
        'Accept-Encoding: gzip',
        'Content-Type: application/xml',
        'Connection: close',
        '',
        body ?? '',
      ].join('\n'),
      status,
    )
  const declared = '<?xml version="1.0" encoding="UTF-8"?>\n'

  test('sends a Content-Type with everything, also with GET, HEAD and DELETE', async () => {
    const made = await ask(
      'POST',
      '/v5/tags.xml',
      201,
      `${declared}<tag><name>py tag</name><expires type="boolean">true</expires><description nil="true" /></tag>`,
    )
    const path = `/v5/tags/${idIn(made)}.xml`
    assert.equal((await ask('GET', path, 200)).text, made.text)
    await ask('HEAD', path, 200)
    await ask('DELETE', path, 200)
    await ask('HEAD', path, 404)
  })

  test('saves a user with untyped times of its own style', async () => {
    const { id } = await make(app, 'worker', {
      name: 'py user',
      email: 'py@example.com',
      third_party_id: null,
      notes: null,
      phone: null,
    })
    const saved = await ask(
      'PUT',
      `/v5/users/${id}.xml`,
      200,
      `${declared}<user><id type="integer">${id}</id><group-ids nil="true" /><name>py user</name><email>py@example.com</email>` +
        '<phone nil="true" /><notes>x</notes><shift-on type="boolean">false</shift-on><third-party-id nil="true" />' +
        '<created-at>2026-11-21 08:09:54+00:00</created-at><updated-at>2026-11-21 08:09:54+00:00</updated-at>' +
        '<latest-telemetry nil="true" /><permissions><jobs>none</jobs><schedule>none</schedule><map>none</map>' +
        '<reports>none</reports><customers>none</customers><equipment>none</equipment><quotes>none</quotes>' +
        '<messaging>none</messaging><admin>none</admin><mobile>full</mobile><mobile-jobs-create>none</mobile-jobs-create>' +
        '<mobile-jobs-assign>none</mobile-jobs-assign><mobile-invoice>none</mobile-invoice></permissions>' +
        '<tags type="array" /><capacity nil="true" /><start-location nil="true" /><end-location nil="true" />' +
        '<enabled type="boolean">true</enabled></user>',
    )
    assert.equal(valueIn(saved, 'notes'), 'x')
    const job = `<job><customer-name>py</customer-name><planned-start-at>2030-11-21 08:09:54+00:00</planned-start-at><steps type="array"><step><name>a</name></step></steps></job>`
    const made = await ask('POST', '/v5/jobs.xml', 201, `${declared}${job}`)
    assert.equal(valueIn(made, 'planned_start_at'), '2030-11-21T08:09:54Z')
  })
})

describe('HTTParty 0.21 with MultiXml', () => {
  const ask = (method: string, path: string, status: number, body?: string) =>
    send(
      [
        `${method} ${path}${path.includes('?') ? '&' : '?'}api_key=${app.key} HTTP/1.1`,
        'Content-Type: text/xml',
        'Accept-Encoding: gzip,deflate',
        'Accept: */*',
        'User-Agent: Ruby',
        'Connection: close',
        `Host: ${host}`,
        ...(body === undefined ? [] : ['Content-Length: 0']),
        '',
        body ?? '',
      ].join('\n'),
      status,
    )

  test('works without an extension, with Accept: */* and text/xml on everything, in the older trees', async () => {
    for (const tree of ['/v5', '/api/v5', '/v4', '/api/v4', '/2.0', '/api/2.0']) {
      const made = await ask('POST', `${tree}/customers`, 201, '<customer><name>Party</name></customer>')
      const path = `${tree}/customers/${idIn(made)}`
      assert.equal((await ask('GET', path, 200)).text, made.text)
      const put = await ask('PUT', path, 200, '<customer><id nil="true"/><name>Party on</name></customer>')
      assert.equal(valueIn(put, 'name'), 'Party on')
      await ask('DELETE', path, 200)
    }
  })

  test('sends fields in the order of the alphabet, and a nil id on create', async () => {
    const body =
      '<user><email>abc@example.com</email><group-ids nil="true"/><id nil="true"/><latest-telemetry nil="true"/><name>Abc</name>' +
      '<notes nil="true"/><permissions><admin>none</admin><mobile>full</mobile></permissions><phone nil="true"/></user>'
    const made = await ask('POST', '/v5/users', 201, body)
    assert.equal(valueIn(made, 'id'), idIn(made))
    assert.equal(valueIn(made, 'permissions.mobile'), 'full')
  })

  test('creates a job by customer_name, or by customer_id with a nil customer_name', async () => {
    const job = (inside: string) => `<job>${inside}<steps type="array"><step><name>a</name></step></steps></job>`
    const first = await ask('POST', '/v5/jobs', 201, job('<customer-name>Either</customer-name>'))
    const id = valueIn(first, 'customer_id')
    const second = await ask(
      'POST',
      '/v5/jobs',
      201,
      job(`<customer-id>${id}</customer-id><customer-name nil="true"/>`),
    )
    assert.equal(valueIn(second, 'customer_name'), 'Either')
  })

  test('finds whole records in a job list', async () => {
    const { id } = await make(app, 'job')
    const one = await ask('GET', `/v5/jobs/${id}`, 200)
    const list = await ask('GET', `/v5/jobs?ids[]=${id}`, 200)
    assert.equal(
      list.text
        .split('\n')
        .slice(2, -2)
        .map((line) => line.slice(2))
        .join('\n'),
      one.text.split('\n').slice(1, -1).join('\n'),
    )
  })

  test('may use a name or an email again after a delete', async () => {
    const user = '<user><name>Reused</name><email>reused@example.com</email></user>'
    for (let i = 0; i < 2; i++) {
      const made = await ask('POST', '/v5/users', 201, user)
      await ask('DELETE', `/v5/users/${idIn(made)}`, 200)
    }
  })
})

describe('others', () => {
  test('requests 2.28 with xmltodict 0.13 sends back what it read, types and all', async () => {
    const { id } = await make(app, 'tag', { name: 'rq', description: null, expires: true })
    const read = await request('GET', `/v5/tags/${id}.xml`)
    const body =
      `<?xml version="1.0" encoding="utf-8"?>\n<tag><id type="integer">${id}</id><name>rq changed</name><description nil="true"></description>` +
      '<expires type="boolean">true</expires><created_by_user_id type="integer" nil="true"></created_by_user_id>' +
      `<created_at type="datetime">${read.xml.value('created_at')}</created_at><updated_at type="datetime">${read.xml.value('updated_at')}</updated_at></tag>`
    const answer = await send(
      [
        `PUT /v5/tags/${id}.xml?api_key=${app.key} HTTP/1.1`,
        `Host: ${host}`,
        'User-Agent: python-requests/2.28.1',
        'Accept-Encoding: gzip, deflate',
        'Accept: */*',
        'Connection: close',
        'Content-Type: text/xml',
        'Content-Length: 0',
        '',
        body,
      ].join('\n'),
      200,
    )
    assertBody(answer, withName(read.text, 'rq changed'))
  })

  test('SimpleXML of PHP 8.2 sends back the document with one child changed', async () => {
    const { id } = await make(app, 'user', { notes: null })
    const read = await request('GET', `/v5/users/${id}.xml`)
    const body = read.text.replace('<notes nil="true"/>', '<notes>from php</notes>')
    const answer = await send(
      [
        `PUT /v5/users/${id}.xml?api_key=${app.key} HTTP/1.1`,
        `Host: ${host}`,
        'Accept: */*',
        'Accept-Encoding: gzip',
        'Content-Type: application/xml; charset=utf-8',
        'Connection: close',
        'Content-Length: 0',
        '',
        body,
      ].join('\n'),
      200,
    )
    assert.equal(valueIn(answer, 'notes'), 'from php')
  })

  test('XDocument of .NET sends a byte order mark and line ends of its own', async () => {
    const answer = await send(
      [
        `POST /v5/assets.xml?api_key=${app.key} HTTP/1.1`,
        'Content-Type: application/xml; charset=utf-8',
        'Accept-Encoding: gzip',
        'Content-Length: 0',
        'Connection: close',
        `Host: ${host}`,
        '',
        '\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n<asset>\r\n  <name>é from .NET</name>\r\n  <cost>12.5</cost>\r\n  <location>\r\n    <lat>-36.8436</lat>\r\n    <lng>174.7669</lng>\r\n  </location>\r\n</asset>',
      ].join('\n'),
      201,
    )
    assert.equal(valueIn(answer, 'name'), 'é from .NET')
    assert.equal(valueIn(answer, 'location.lat'), '-36.8436')
  })

  test('a client that can not read gzip says so, and is told why it is refused in what it can read', async () => {
    const answer = await send(
      `GET /v5/tags.xml?api_key=${app.key} HTTP/1.1\nAccept-Encoding: identity\nHost: ${host}\nUser-Agent: Python-urllib/3.11\nConnection: close\n\n`,
      406,
    )
    assert.equal(answer.element?.name, 'errors')
  })

  const withName = (text: string, name: string) =>
    text.replace(/<name>.*<\/name>/, `<name>${name}</name>`).replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'ZULU')
})

describe('readers', () => {
  const bare = {
    user: {},
    group: {},
    tag: {},
    asset: {},
    equipment: {},
    pricebook: {},
    customer: {},
    template: {},
    job: {},
    thread: {},
  }

  for (const name of Object.keys(bare))
    test(`of a ${name} find no white space in an empty element, and no empty one with attributes but without nil`, async () => {
      const { id } = await make(app, name)
      const collection = { thread: 'messaging', equipment: 'equipment' }[name] ?? `${name}s`
      for (const path of [
        `/v5/${collection}/${id}.xml`,
        `/v5/${collection}.xml`,
        `/v5/${collection}.xml?id=${id}&created_since=2999-01-01`,
      ]) {
        const { text } = assertStatus(await request('GET', path), 200)
        for (const [element, attributes] of [...text.matchAll(/<[a-z_0-9]+([^>]*)\/>/g)])
          assert.match(attributes ?? '', / nil="true"$| type="array"/, element)
        assert.doesNotMatch(text, /<([a-z_0-9]+)[^>]*>\s+<\/\1>/)
        assert.doesNotMatch(text, /<([a-z_0-9]+) [^>]*><\/\1>/)
      }
    })

  test('find readonly exactly where the contract has it', async () => {
    const marked: { [name: string]: string[] } = {
      user: ['id', 'created_at', 'updated_at'],
      asset: ['id', 'location.created_at'],
      equipment: ['id', 'account_id'],
      pricebook: ['id', 'pricebook_items.pricebook_item.id'],
    }
    for (const name of Object.keys(bare)) {
      const where = { location: { city: 'Levin' } }
      const more: { [name: string]: object } = {
        user: { start_location: where.location },
        customer: { delivery_contact: where },
        job: { contact: where, steps: [{ name: 'a', ...where }] },
      }
      const { id } = await make(app, name, more[name])
      const collection = { thread: 'messaging', equipment: 'equipment' }[name] ?? `${name}s`
      const { xml: root } = await request('GET', `/v5/${collection}/${id}.xml`)
      const found = (element: typeof root, path: string): string[] => [
        ...(element.attributes.readonly ? [path] : []),
        ...element.children.flatMap((child) => found(child, path ? `${path}.${child.name}` : child.name)),
      ]
      assert.deepEqual(found(root, ''), marked[name] ?? [], name)
    }
  })

  test('count on 200, 201 and 404 alone for what went well or is not there', async () => {
    const { id } = await make(app, 'tag')
    const path = `/v5/tags/${id}.xml`
    assertStatus(await request('PUT', path, { body: '<tag><description>x</description></tag>' }), 200)
    assert.notEqual(assertStatus(await request('DELETE', path), 200).text, '')
    assertRefused(await request('DELETE', path), 404)
  })
})
