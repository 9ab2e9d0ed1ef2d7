import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  accountId,
  array,
  author,
  choice,
  day,
  decimal,
  email,
  type Field,
  flag,
  id,
  ids,
  instant,
  integer,
  link,
  links,
  part,
  price,
  readFields,
  ref,
  secret,
  stamp,
  text,
  texts,
  timeOfDay,
  uuid,
  uuidRef,
  ValidationError,
} from './index.ts'
import type { FieldError, Raw } from './kind.ts'

// biome-ignore lint/suspicious/noExplicitAny: fields of every type
const kinds: { [name: string]: Field<any> } = {
  id: id(),
  accountId: accountId(),
  author: author(),
  uuid: uuid(),
  ref: ref('tag'),
  uuidRef: uuidRef('thread'),
  ids: ids('tag', { through: 'pairs' }),
  integer: integer(),
  'integer from 0': integer({ min: 0 }),
  'integer to 9': integer({ min: 0, max: 9 }),
  decimal: decimal(),
  latitude: decimal({ min: -90, max: 90 }),
  flag: flag(),
  instant: instant(),
  stamp: stamp('When', { auto: 'created' }),
  text: text(),
  'short text': text({ max: 20 }),
  email: email(),
  choice: choice(['full', 'none', 'read']),
  price: price(),
  link: link(),
  'time of day': timeOfDay(),
  day: day(),
  secret: secret({}),
  texts: texts('option'),
  part: part({ city: text(), lat: decimal() }),
  array: array('item', { code: text({ required: true }), price: price() }, { match: ['code'] }),
  links: links('tag', { through: 'pairs', child: 'tag', fields: { expires_at: instant() } }),
}

for (const [name, field] of Object.entries(kinds))
  describe(`the kind ${name}`, () => {
    const parse = (raw: unknown) => field.parse(raw as Raw, { path: 'v', errors: [] })
    const { good, bad } = field.samples

    test('reads what it prints', () => {
      for (const value of good) {
        if (field.shape === 'leaf') assert.deepEqual(parse(field.text(value, 'zulu', { zone: 'UTC' })), value)
        assert.deepEqual(parse(JSON.parse(JSON.stringify(field.json(value)))), value)
      }
    })

    test('loads what it saves', () => {
      if (field.column === null) return
      for (const value of good) assert.deepEqual(field.load(field.save(value)), value)
    })

    test('refuses rubbish in a sentence that goes on from the name of a field', () => {
      for (const raw of bad) {
        // In a body, an empty text is nil wherever it can't mean text.
        if (raw === '') {
          assert.throws(() => parse(raw), ValidationError)
          continue
        }
        const errors: FieldError[] = []
        readFields({ v: { ...field, server: undefined } as never }, { v: raw }, { path: 'at', errors })
        assert.equal(errors.length, 1, `${JSON.stringify(raw)} is accepted`)
        assert.equal(errors[0]?.field, 'at.v')
        assert.match(errors[0]?.message ?? '', /^(is|must|can't|has|\S+ does) .*\w\)?$/)
        assert.match(errors[0]?.code ?? '', /^[a-z_]+$/)
      }
    })

    test('takes any value of JSON for itself or refuses it, and throws nothing else', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (raw) => {
          const errors: FieldError[] = []
          const { v } = readFields({ v: field }, { v: raw as Raw }, { path: '', errors })
          if (errors.length === 0 && v !== undefined && v !== null && field.column !== null)
            assert.deepEqual(field.load(field.save(v)), v)
        }),
      )
    })

    test('says what it is to people who read the API', () => {
      assert.ok(['string', 'integer', 'boolean', 'array', 'object'].includes(String(field.schema.type)))
    })
  })

describe('a list of ids', () => {
  const field = ids('tag', { through: 'pairs' })
  const parse = (raw: unknown) => field.parse(raw as Raw, { path: 'v', errors: [] })

  test('is read from text, from an array or from both mixed, in any order, each id once', () => {
    const list = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 20 })
    const separator = fc.constantFrom(',', ', ', ' ,', ',,', ',\n')
    fc.assert(
      fc.property(list, separator, (numbers, between) => {
        const expected = [...new Set(numbers)].sort((a, b) => a - b)
        assert.deepEqual(parse(numbers.join(between)), expected)
        assert.deepEqual(parse([...numbers, null]), expected)
        assert.deepEqual(parse(numbers.map(String)), expected)
        assert.deepEqual(parse({ id: numbers.map(String) }), expected, 'repeated elements without type="array"')
        assert.deepEqual(parse(field.text(expected, 'zulu', { zone: 'UTC' })), expected)
      }),
    )
  })

  test('says which id can be nobody’s', () => {
    for (const unknown of ['0', '99999999999999999999'])
      assert.throws(() => parse(`1,${unknown}`), { message: `${unknown} does not exist` })
    assert.throws(() => parse('1;2'), ValidationError)
  })
})

describe('a text', () => {
  test('is as long as a person counts', () => {
    const short = text({ max: 3 })
    const parse = (raw: string) => short.parse(raw, { path: 'v', errors: [] })
    assert.equal(parse('😀😀😀'), '😀😀😀')
    assert.throws(() => parse('abcd'), { message: 'is too long (maximum is 3 characters)' })
    assert.throws(() => parse('a\0'), ValidationError)
    assert.throws(() => texts('option').parse(['a\0'], { path: 'v', errors: [] }), ValidationError)
    assert.equal(parse('a\ud800b'), 'a\ufffdb')
  })
})

describe('the fields of a body', () => {
  const fields = {
    name: text(),
    count: integer({ default: 3 }),
    at: instant({ server: true }),
    hidden: text({ internal: true }),
  }
  const read = (raw: unknown) => {
    const errors: FieldError[] = []
    return [readFields(fields, raw as Raw, { path: '', errors }), errors] as const
  }

  test('absent stays absent, nil clears, and what nobody knows is ignored', () => {
    assert.deepEqual(read({}), [{}, []])
    assert.deepEqual(read({ name: null, count: null, at: 'x', hidden: 'x', other: 'x' }), [
      { name: null, count: 3 },
      [],
    ])
  })

  test('all faults are told at once', () => {
    const [row, errors] = read({ name: ['x'], count: 'many' })
    assert.deepEqual(row, {})
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['name', 'count'],
    )
  })

  test('a body that is no object is one fault, and one that inherits names gives none', () => {
    for (const raw of [null, 'x', 5, []]) assert.equal(read(raw)[1].length, 1)
    assert.deepEqual(read(Object.create({ name: 'inherited' })), [{}, []])
  })
})
