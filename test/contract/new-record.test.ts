import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  array,
  author,
  choice,
  decimal,
  flag,
  id,
  ids,
  instant,
  integer,
  part,
  type RecordType,
  record,
  ref,
  stamp,
  text,
} from '#fields'
import { records } from '#records'
import { rules } from '#rules/index'
import { migrations } from '#store/migrations/index'
import { tablesOf } from '#store/schema'
import { addressOf, assertHolds, bodyOf, collectionOf, draftOf, fullDraftOf, make, valuesOf } from '#test/builders'
import { eventsOf } from '#test/database-content'
import { databases } from '#test/databases'
import { formats } from '#test/loops'
import { startApp } from '#test/test-app'

/** One description … */
const gadget = record('gadget', {
  plural: 'gadgets',
  path: '/gadgets',
  about: 'Something that nobody thought of.',
  visible: 'groups',
  fields: {
    id: id(),
    name: text({ required: true, unique: true, max: 255 }),
    third_party_id: text({ unique: true, max: 255 }),
    kind: choice(['round', 'square'], { default: 'round' }),
    weight: decimal({ min: 0 }),
    count: integer({ min: 0, index: true }),
    broken: flag({ default: false }),
    seen_at: instant(),
    size: part({ width: decimal(), height: decimal() }),
    screws: array('screw', { id: id(), name: text({ required: true }) }, { match: ['id', 'name'] }),
    customer_id: ref('customer'),
    group_ids: ids('group', { through: 'gadget_groups' }),
    tag_ids: ids('tag', { through: 'gadget_tags' }),
    created_by_user_id: author(),
    created_at: stamp('When it was made', { auto: 'created' }),
    updated_at: stamp('When it was last changed', { auto: 'updated' }),
  },
  allow: { read: 'anyone', write: 'admin' },
  search: ['name'],
  title: 'name',
  example: { name: 'Left-handed hammer', weight: '1.5', size: { width: '2.5' }, screws: [{ name: 'M4' }] },
}) as RecordType

const house = {
  // … one line in the registry …
  records: [...records, gadget],
  rules,
  // … and one migration.
  migrations: [...migrations, { name: '9999-gadgets', steps: tablesOf(gadget).map((create) => ({ create })) }],
}

for (const database of databases)
  test(`a new type of record needs its description, a line and a migration, on ${database.name}`, async (t) => {
    const app = await startApp({ t, database, house })
    const { request } = app
    const address = addressOf('gadget', house.records)
    assert.equal(await collectionOf(app, address), '/v5/gadgets')

    for (const format of formats) {
      const draft = await fullDraftOf(app, gadget, house.records)
      const body = bodyOf(format, 'gadget', gadget.fields, draft)
      const made = await request('POST', `/v5/gadgets.${format}`, { body })
      assert.equal(made.status, 201, made.text)
      const row = format === 'xml' ? valuesOf(gadget.fields, made.xml) : made.json.gadget
      assertHolds(row, draft)
      assert.equal(made.headers.location, `${app.base}/v5/gadgets/${row.id}`)
      const path = `/v5/gadgets/${row.id}.${format}`
      assert.equal((await request('GET', path)).text, made.text)

      for (const query of [
        `name=${encodeURIComponent(row.name)}`,
        `weight=${row.weight}`,
        `group_ids=${row.group_ids[0]}`,
        `search=${encodeURIComponent(`@customer_id:${row.customer_id}`)}`,
        `id=${row.id}&kind=${row.kind}&updated_since=2001-01-01&sort=-weight`,
      ]) {
        const list = await request('GET', `/v5/gadgets.json?${query}`)
        assert.equal(list.json.gadgets?.at(-1)?.id, row.id, `${query}: ${list.text}`)
      }
      assert.equal((await request('GET', '/v5/gadgets.json?kind=oval')).status, 422)
      const theirs = `/v5/gadgets/${encodeURIComponent(row.third_party_id)}.json?use_third_party_id=true`
      assert.equal((await request('GET', theirs)).json.gadget.id, row.id)

      const patched = await request('PATCH', path, { body: bodyOf(format, 'gadget', gadget.fields, { count: 7 }) })
      assert.equal(patched.status, 200, patched.text)
      assert.equal((await request('GET', path)).text, patched.text)
      const blank = await request('POST', `/v5/gadgets.${format}`, {
        body: bodyOf(format, 'gadget', gadget.fields, { ...draftOf(gadget), name: null, weight: '-1', tag_ids: [999] }),
      })
      assert.deepEqual(blank.errors, [
        "Name can't be blank",
        'Weight must be greater than or equal to 0',
        'Tag ids 999 does not exist',
      ])

      const stranger = await app.newAccount()
      assert.equal((await stranger.request('GET', path)).status, 404)
      assert.equal((await stranger.request('GET', `/v5/gadgets.${format}`)).status, 200)
      const group = await make(app, addressOf('group'))
      const key = await app.newKey({ group_ids: [group.id] })
      assert.equal((await request('GET', path, { key })).status, 404)

      assert.equal((await request('DELETE', path)).text, patched.text)
      assert.equal((await request('GET', path)).status, 404)
      const events = (await eventsOf(app.app, app.account.id)).filter(
        (event) => event.record === 'gadget' && event.record_id === String(row.id),
      )
      assert.deepEqual(
        events.map(({ action }) => action),
        ['create', 'update', 'delete'],
      )
      assert.deepEqual(events[1]?.changes, { count: [row.count, 7] })
    }

    const description = await request('GET', '/v5/openapi.json', { key: null })
    assert.equal(description.status, 200, description.text)
    const paths = Object.keys(description.json.paths).filter((path) => path.includes('gadgets'))
    assert.ok(paths.length >= 2, paths.join())
  })
