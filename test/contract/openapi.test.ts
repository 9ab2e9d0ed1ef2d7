import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Fields, RecordType } from '#fields'
import { addressOf, openapi } from '#formats/openapi'
import { pascal } from '#formats/openapi/schema'
import { addressesOf, collectionOf } from '#test/builders'
import { formats } from '#test/loops'
import { assertSnapshot } from '#test/snapshots'
import { startApp, type TestApp } from '#test/test-app'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by name
type Node = any

describe('the OpenAPI document', () => {
  let app: TestApp
  let document: Node
  /** The same in XML. */
  let twin: Node

  before(async () => {
    app = await startApp()
    // Neither the version nor the server's address are the review's business.
    const of = (wire: 'json' | 'xml') =>
      JSON.parse(JSON.stringify(openapi(app.app.routes, { version: '0.0.0', baseUrl: '', wire })))
    document = of('json')
    twin = of('xml')
  })
  after(() => app.close())

  test('is the committed one', () => {
    assertSnapshot('openapi.json', `${compact(document)}\n`)
    assertSnapshot('openapi.xml.json', `${compact(twin)}\n`)
  })

  test('has every address that the server has, with its methods, and no other', () => {
    const described = Object.entries<Node>(document.paths).map(([path, { parameters: _, ...methods }]) => [
      path,
      Object.keys(methods).map((method) => method.toUpperCase()),
    ])
    const there = app.app.routes.map((route) => [inJson(addressOf(route)), Object.keys(route.methods)])
    assert.deepEqual(Object.fromEntries(described), Object.fromEntries(there))
    assert.equal(described.length, there.length, 'two routes have one address')
  })

  test('each call has an id of its own, a summary, and a tag that is described', () => {
    const calls = callsOf(document)
    assert.equal(new Set(calls.map(({ operationId }) => operationId)).size, calls.length)
    const tags = document.tags.map(({ name }: Node) => name)
    for (const { operationId, summary, tags: own } of calls) {
      assert.match(operationId, /^[a-z][A-Za-z]+$/)
      assert.match(summary, /^(?!.*\b(\w+) \1\b)./, operationId)
      assert.ok(tags.includes(own[0]), operationId)
    }
  })

  test('each name in an address is a parameter of it', () => {
    for (const [path, { parameters = [] }] of Object.entries<Node>(document.paths))
      assert.deepEqual(
        parameters.flatMap((parameter: Node) => (parameter.in === 'path' ? [`{${parameter.name}}`] : [])),
        path.match(/\{\w+\}/g) ?? [],
      )
  })

  test('every reference leads somewhere, and every shared piece is used', () => {
    for (const one of [document, twin]) assertWhole(one)
  })

  function assertWhole(document: Node) {
    const used = new Set<string>()
    walk(document, (node) => {
      if (typeof node.$ref === 'string') used.add(node.$ref)
    })
    const { securitySchemes: _, ...shared } = document.components
    const defined = Object.entries<Node>(shared).flatMap(([sort, pieces]) =>
      Object.keys(pieces).map((name) => `#/components/${sort}/${name}`),
    )
    assert.deepEqual([...used].sort(), defined.sort())
  }

  test('every field that is written is there in both formats, described in the words of its record', () => {
    for (const [record, name] of wholeRecords(app))
      for (const [of, schema] of [
        [document, name],
        [twin, `${name}Xml`],
      ])
        assertDescribed(of, record.fields, of.components.schemas[schema])

    function assertDescribed(of: Node, fields: Fields, schema: Node) {
      const { properties } = resolved(of, schema)
      for (const [name, field] of Object.entries(fields)) {
        if (field.internal || field.writeOnly) {
          // What `include` adds.
          if (field.auto !== 'revision') assert.ok(!(name in properties), name)
          continue
        }
        assert.ok(field.about, `${name} has no about`)
        assert.ok(properties[name].description.startsWith(field.about), name)
        assert.equal(properties[name].readOnly === true, field.server !== undefined, name)
        if (field.fields && field.shape !== 'records')
          assertDescribed(of, field.fields, properties[name].items ?? properties[name])
      }
    }
  })

  test('a draft has what a caller may send, and nothing that the server sets', () => {
    for (const [record, name] of wholeRecords(app)) {
      if (record.without?.includes('create') && record.without.includes('update')) continue
      const sent = Object.entries(record.fields).flatMap(([field, { server, internal }]) =>
        server || internal ? [] : [field],
      )
      for (const [of, suffix] of [
        [document, ''],
        [twin, 'Xml'],
      ])
        for (const [verb, kind] of [
          ['create', 'Draft'],
          ['update', 'Change'],
        ] as const) {
          const schema = of.components.schemas[`${name}${kind}${suffix}`]
          if (record.without?.includes(verb)) assert.equal(schema, undefined)
          else assert.deepEqual(Object.keys(schema.properties), sent)
        }
    }
  })

  test('every object has a name that a person can read, and none of one format leads into the other', () => {
    for (const name of Object.keys(document.components.schemas)) {
      assert.match(name, /^[A-Z][A-Za-z0-9]{1,50}$/)
      assert.doesNotMatch(name, /Xml$/)
    }
    for (const name of Object.keys(twin.components.schemas)) assert.doesNotMatch(name, /^\w+(?<!Xml)$/, name)
    for (const { operationId, requestBody, responses } of callsOf(document))
      for (const content of [requestBody?.content, ...Object.values<Node>(responses).map((one) => one.content)])
        for (const [type, { schema }] of Object.entries<Node>(content ?? {})) {
          assert.notEqual(type, 'application/xml', operationId)
          if (type === 'application/json')
            assert.ok(
              schema.$ref ?? schema.anyOf ?? schema.type === 'string',
              `${operationId} has an object without a name`,
            )
        }
  })

  test('a draft requires what nobody can leave out, a change requires nothing, and nothing has a default that generators require', () => {
    const { schemas } = document.components
    assert.deepEqual(schemas.TagDraft.required, ['name'])
    assert.equal(schemas.TagChange.required, undefined)
    walk(schemas, (node) => assert.ok(!('default' in node) || typeof node.default === 'object', JSON.stringify(node)))
    assert.ok(schemas.WebhookCreated.properties.secret)
    assert.equal(schemas.Webhook.properties.secret, undefined)
    assert.deepEqual(schemas.Event.properties.record_id.type, ['integer', 'string'])
  })

  test('no answer shows a secret', () => {
    for (const [record, name] of wholeRecords(app))
      for (const [field, { secret }] of Object.entries(record.fields))
        if (secret) {
          assert.ok(!(field in document.components.schemas[name].properties))
          assert.equal(document.components.schemas[`${name}Draft`].properties[field].writeOnly, true)
        }
  })

  test('each example of a request makes what its example of an answer shows, in both formats', async () => {
    const examples = document.components.examples
    for (const address of addressesOf(app.app.records))
      for (const format of formats) {
        const account = await app.newAccount()
        const path = `${await collectionOf(account, address)}.${format}`
        const { value } = (format === 'json' ? examples : twin.components.examples)[`${address.name}-draft.${format}`]
        const answer = await account.request('POST', path, { body: value })
        assert.equal(answer.status, 201, `${path} ${answer.text}`)
        const shown = (format === 'json' ? examples : twin.components.examples)[`${address.name}.${format}`].value
        // What is shown when it is made, and never again, is in no other answer.
        const once = Object.keys(address.record.fields).filter((field) => address.record.fields[field]?.showOnce)
        const seen =
          format === 'xml' ? shapeOf(answer.text).filter((field) => !once.includes(field ?? '')) : answer.json
        for (const field of format === 'json' ? once : []) delete seen[address.name][field]
        if (format === 'xml') assert.deepEqual(seen, shapeOf(shown))
        else assert.deepEqual(keysOf(seen), keysOf(shown))
      }
  })
})

const wholeRecords = ({ app }: TestApp): [RecordType, string][] =>
  app.records.filter(({ path }) => path !== null).map((record) => [record, pascal(record.name)])

const inJson = (address: string) => (/\.\w+$/.test(address) ? address : `${address}.json`)

const callsOf = ({ paths }: Node): Node[] =>
  Object.values<Node>(paths).flatMap(({ parameters: _, ...methods }) => Object.values(methods))

/** What a reference leads to, and what else than null something may be. */
function resolved(document: Node, node: Node): Node {
  if (node.anyOf) return resolved(document, node.anyOf[0])
  return node.$ref ? resolved(document, document.components.schemas[node.$ref.split('/').at(-1)]) : node
}

function walk(node: Node, visit: (node: Node) => void) {
  if (typeof node !== 'object' || node === null) return
  visit(node)
  for (const child of Object.values(node)) walk(child, visit)
}

/** The opening tags, without what differs from one record to the next. */
const shapeOf = (text: string) => [...text.matchAll(/<(\w+)/g)].map(([, name]) => name)

const keysOf = (value: Node): Node =>
  Array.isArray(value)
    ? value.map(keysOf)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, inner]) => [name, keysOf(inner)])
      : null

/** JSON with what is short on one line, so that a change of one thing is a change of one line. */
function compact(value: Node, pad = ''): string {
  const short = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || pad.length + short.length <= 120) return short
  const inner = `${pad}  `
  const lines = Array.isArray(value)
    ? value.map((item) => inner + compact(item, inner))
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${compact(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${pad}${close}`
}
