import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Field, type FieldError, type Fields, type Raw, type RecordType, readFields, record } from '#fields'
import { json } from '#formats/json'
import { xml } from '#formats/xml'
import { readXml } from '#formats/xml-read'
import { compile } from '#formats/xml-write'
import { records } from '#records'
import { rules } from '#rules/index'
import { migrations } from '#store/migrations/index'
import { tablesOf } from '#store/schema'
import { readOf, rowOf } from '#test/arbitraries'
import { collectionOf, draftOf, make, type WireDraft } from '#test/builders'
import { databases } from '#test/databases'
import { eachAddress } from '#test/loops'
import { startApp } from '#test/test-app'

const zones = ['UTC', 'Pacific/Auckland', 'America/St_Johns']

for (const record of records)
  describe(`a ${record.name}`, () => {
    for (const format of [xml, json])
      test(`that is written as ${format.name} is read as what it was, as far as a caller may say it`, () => {
        const print = format.one(record, record)
        fc.assert(
          fc.property(rowOf(record.fields), fc.constantFrom(...zones), (row, zone) => {
            const body = print(row, { zone })
            const errors: FieldError[] = []
            const raw = format.read(Buffer.from(body), null, [record.name])
            assert.deepEqual(readFields(record.fields, raw, { path: '', errors }), readOf(record.fields, row), body)
            assert.deepEqual(errors, [])
          }),
          { numRuns: 60 },
        )
      })

    test('is read from any JSON, or refused with faults that name its fields', () => {
      const names = Object.keys(record.fields)
      const body = fc.dictionary(
        fc.constantFrom(...names),
        fc.oneof(fc.jsonValue(), fc.constantFrom('', ' ', 0, -1, 1e300)),
      )
      fc.assert(
        fc.property(body, (raw) => {
          const errors: FieldError[] = []
          const draft = readFields(record.fields, raw as Raw, { path: '', errors })
          for (const error of errors) assert.ok(names.includes(error.field.split(/[.[]/)[0] ?? ''), error.field)
          for (const name of Object.keys(draft)) assert.ok(names.includes(name))
        }),
        { numRuns: 200 },
      )
    })
  })

/** Every field there is, those inside of structures too. */
const everyField = (fields: Fields, path: string): [path: string, field: Field<unknown>][] =>
  Object.entries(fields).flatMap(([name, field]) => [
    [`${path} ${name}`, field] as [string, Field<unknown>],
    ...(field.shape === 'records' ? [] : everyField(field.fields ?? {}, `${path} ${name}`)),
  ])

describe('the samples of every field', () => {
  const all = records.flatMap((record) => everyField(record.fields, record.name))

  test('survive both formats', () => {
    for (const [path, field] of all)
      for (const value of field.samples.good) {
        if (typeof value === 'string' && value.length > (field.max ?? Number.POSITIVE_INFINITY)) continue
        const fields = {
          v: { ...field, server: undefined, internal: undefined, writeOnly: undefined, onlyWhen: undefined },
        } as never
        const read = (raw: Raw) => {
          const errors: FieldError[] = []
          const row = readFields(fields, raw, { path: '', errors })
          assert.deepEqual(errors, [], path)
          return row
        }
        const [, raw] = readXml(compile('r', fields, 'zulu', 0)({ v: value }, { zone: 'UTC' }))
        assert.deepEqual(read(raw), { v: value }, path)
        assert.deepEqual(read(JSON.parse(JSON.stringify({ v: field.json(value as never) }))), { v: value }, path)
      }
  })

  test('that are bad are refused from either format', () => {
    for (const [path, field] of all)
      for (const bad of field.samples.bad) {
        const errors: FieldError[] = []
        readFields(
          { v: { ...field, server: undefined, internal: undefined } as never },
          { v: bad },
          { path: '', errors },
        )
        // An empty element is nil, which clears.
        if (bad !== '') assert.equal(errors.length, 1, `${path} takes ${JSON.stringify(bad)}`)
      }
  })
})

for (const database of databases)
  test(`what is kept on ${database.name} is loaded as it was saved`, async (t) => {
    // A record that has a field of every sort that is kept, each as its first record describes it.
    const sorts = new Map<string, Field<unknown>>()
    for (const { fields } of records)
      for (const [name, field] of Object.entries(fields))
        if (field.column && !field.auto && !field.virtual && !field.lookup && name !== 'deleted_at')
          sorts.set(`${field.kind} ${field.column} ${field.min} ${field.max}`, {
            ...field,
            unique: undefined,
            index: undefined,
            required: undefined,
            default: undefined,
            server: undefined,
            target: undefined,
          } as never)
    const fields = Object.fromEntries([...sorts.values()].map((field, i) => [`f${i}_${field.kind}`, field]))
    const specimen = record('specimen', {
      plural: 'specimens',
      path: null,
      about: 'One of each.',
      fields: { ...idOnly, ...fields },
      allow: { read: 'nobody', write: 'nobody' },
      search: [],
      title: 'id',
      example: {},
    }) as RecordType
    const house = {
      records: [...records, specimen],
      rules,
      migrations: [...migrations, { name: '9999-specimens', steps: tablesOf(specimen).map((create) => ({ create })) }],
    }
    const app = await startApp({ t, database, house })
    const scope = { account: app.account.id, groups: null }
    const rows: WireDraft[] = [
      ...fc.sample(rowOf(fields), { numRuns: 60, seed: 5 }),
      ...Array.from({ length: Math.max(...Object.values(fields).map(({ samples }) => samples.good.length)) }, (_, i) =>
        Object.fromEntries(Object.entries(fields).map(([name, { samples }]) => [name, samples.good[i] ?? null])),
      ),
      Object.fromEntries(Object.keys(fields).map((name) => [name, null])),
    ]
    const stamps = {
      created_at: '2026-11-21T00:00:00.000Z',
      updated_at: '2026-11-21T00:00:00.000Z',
      deleted_at: null,
      revision: null,
    }
    for (const [i, row] of rows.entries()) {
      const whole = { id: i + 1, ...row, ...stamps }
      const inside = await app.app.store.write(scope, async (tx) => {
        await tx.insert(specimen, whole)
        return tx.find(specimen, i + 1)
      })
      assert.deepEqual(inside, whole)
      assert.deepEqual(await app.app.store.as(scope).find(specimen, i + 1), whole)
      const turned = { ...whole, ...(rows[(i + 7) % rows.length] ?? {}) }
      await app.app.store.write(scope, (tx) => tx.update(specimen, whole, turned))
      assert.deepEqual(await app.app.store.as(scope).find(specimen, i + 1), turned)
    }
  })

const { id } = (records.find(({ name }) => name === 'tag') as RecordType).fields
const idOnly = { id: id as Field<number> }

eachAddress(
  () => true,
  (address, turn) => {
    const { record, name, plural } = address
    /** A draft in which some fields say something that nobody expects. */
    const strange = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>(
        '',
        ' ',
        '\0',
        '\ud800',
        'x'.repeat(70_000),
        0,
        -1,
        1e300,
        9007199254740992,
        '1e400',
        '2012-02-30',
        [[]],
        [null],
        [{}],
        {},
        { id: 'x' },
        [{ id: -1 }],
        { __proto__: null, constructor: 1 },
      ),
    )
    const drafts = fc.dictionary(fc.constantFrom(...Object.keys(record.fields), 'no_such_field'), strange, {
      maxKeys: 4,
    })
    const sane = [200, 201, 400, 404, 422]

    test('no body makes an error of ours', async () => {
      const { account } = turn
      const collection = await collectionOf(account, address)
      const { path } = await make(account, address, {}, { collection })
      await fc.assert(
        fc.asyncProperty(drafts, fc.boolean(), async (draft, creates) => {
          const body = { [name]: creates ? { ...draftOf(record), ...draft } : draft }
          const answer = creates
            ? await account.request('POST', `${collection}.json`, { body })
            : await account.request('PUT', `${path}.json?dry_run=true`, { body })
          assert.ok(sane.includes(answer.status), `${answer.status} ${answer.text}`)
          if (answer.status >= 400) return assert.ok(answer.errors.length > 0)
          const { id } = answer.json[name]
          const shown = await account.request('GET', `${collection}/${id}.xml`)
          // What was taken can be shown; the worker that is none any more, elsewhere.
          assert.ok(shown.status === 200 || address.name !== record.name, shown.text)
          if (shown.status === 200) assert.equal(shown.xml.name, name)
        }),
        { numRuns: 60 },
      )
    })

    test('no query makes an error of ours', async () => {
      const { account } = turn
      const collection = await collectionOf(account, address)
      const names = [
        ...Object.keys(record.fields),
        'sort',
        'page',
        'per_page',
        'after_id',
        'search',
        'updated_since',
        'ids[]',
        '__proto__',
        'toString',
        '',
      ]
      const value = fc.oneof(
        fc.string(),
        fc.constantFrom(
          '',
          '0',
          '-1',
          '1',
          'true',
          '-id',
          'id',
          '@id:1',
          '@name=x',
          '2026-01-01',
          '99999999999999999999',
          '\0',
          '%',
          "';--",
          ...Object.keys(record.fields).map((field) => `-${field}`),
        ),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 }), async (pairs) => {
          const query = pairs
            .map(([field, text]) => `${encodeURIComponent(field)}=${encodeURIComponent(text.toWellFormed())}`)
            .join('&')
          const answer = await account.request('GET', `${collection}.json?${query}`)
          assert.ok([200, 422].includes(answer.status), `${query}: ${answer.text}`)
          if (answer.status === 200) assert.ok(Array.isArray(answer.json[plural]))
          else assert.ok(answer.errors.every((sentence) => /\S.* \S/.test(sentence)))
        }),
        { numRuns: 80 },
      )
    })
  },
)
