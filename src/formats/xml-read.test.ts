import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { InvalidLiteral } from '#fields'
import { Problem } from '#problem'
import { decode } from './decode.ts'
import { json } from './json.ts'
import { xml } from './xml.ts'
import { readXml } from './xml-read.ts'
import { escapeAttribute, escapeText } from './xml-write.ts'

interface Vector {
  name: string
  input: string
  expected: unknown
}

const vectors: Vector[] = JSON.parse(readFileSync(new URL('../../test/fixtures/parse.json', import.meta.url), 'utf8'))

describe('a document is read as the contract has it', () => {
  test('there are 165 cases', () => assert.equal(vectors.length, 165))

  for (const { name, input, expected } of vectors)
    test(name, () => {
      const read = () => readXml(decode(Buffer.from(input), null))
      if (isRefusal(expected)) return assert.throws(read, isMalformed)
      const [root, value] = read()
      assert.deepEqual({ [root]: plain(value) }, asWeKeepIt(expected))
    })
})

describe('hostile documents are refused with a sentence, soon', () => {
  const many = (count: number, text: string) => text.repeat(count)
  const documents: { [what: string]: string } = {
    'a hundred thousand levels': many(100_000, '<a>'),
    'a hundred thousand levels that are closed': many(100_000, '<a>') + many(100_000, '</a>'),
    'one level too many': many(101, '<a>') + many(101, '</a>'),
    'a million elements': `<r>${many(1_000_000, '<a/>')}</r>`,
    'one element too many': `<r>${many(200_000, '<a/>')}</r>`,
    'a million laughs': `<!DOCTYPE l [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'abcdefghij'[i + 1]} "&${'abcdefghij'[i]};&${'abcdefghij'[i]};">`).join('')}]><l>&j;</l>`,
    'a quadratic laugh': `<!DOCTYPE l [<!ENTITY a "${many(100_000, 'a')}">]><l>${many(10_000, '&a;')}</l>`,
    'a file of the server': '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/hostname">]><r>&e;</r>',
    'an address of the server': '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd"><r/>',
    'a parameter entity': '<!DOCTYPE r [<!ENTITY % p "<!ENTITY e \'x\'>">%p;]><r>&e;</r>',
    'an unknown entity': `<r>${many(100_000, '&nbsp;')}</r>`,
    'an open tag without an end': `<r ${many(1_000_000, 'a')}`,
    'an open comment': `<r><!--${many(1_000_000, '-')}`,
    'an open CDATA': `<r><![CDATA[${many(1_000_000, ']')}`,
    'a million equal attributes': `<r ${many(1_000_000, 'a="" ')}/>`,
    'a NUL': '<r>\0</r>',
    'a reference to a NUL': '<r>&#0;</r>',
    'a reference to a lone surrogate': '<r>&#xD800;</r>',
    'a reference beyond Unicode': '<r>&#x110000;</r>',
    'a reference that is endless': `<r>&#${many(1_000_000, '1')};</r>`,
    'a document that is text': many(1_000_000, 'x'),
    'a document that is spaces': many(1_000_000, ' '),
    'two roots': '<r/><r/>',
    'type="yaml"': '<r><v type="yaml">--- !ruby/object:Gem::Installer</v></r>',
  }
  for (const [what, document] of Object.entries(documents))
    test(what, () => {
      const started = performance.now()
      assert.throws(() => readXml(document), isMalformed)
      assert.ok(performance.now() - started < 5000, `it took ${performance.now() - started} ms`)
    })
})

describe('large documents within the limits are read, soon', () => {
  const documents: { [what: string]: [document: string, levels: number] } = {
    'a hundred levels': [`${'<a>'.repeat(100)}x${'</a>'.repeat(100)}`, 100],
    'two hundred thousand elements': [`<r>${'<a/>'.repeat(199_999)}</r>`, 1],
    'as many names': [`<r>${Array.from({ length: 199_999 }, (_, i) => `<a${i}/>`).join('')}</r>`, 1],
    'two hundred thousand attributes': [`<r ${Array.from({ length: 200_000 }, (_, i) => `a${i}=""`).join(' ')}/>`, 1],
    'a name of a million letters': [`<${'a'.repeat(1_000_000)}/>`, 1],
    'an attribute of nine million letters': [`<r a="${'a'.repeat(9_000_000)}"/>`, 1],
    'a text of nine million letters': [`<r>${'a'.repeat(9_000_000)}</r>`, 1],
    'a text of a million references': [`<r>${'&amp;'.repeat(1_000_000)}</r>`, 1],
    'a million comments': [`<r>${'<!---->'.repeat(1_000_000)}</r>`, 1],
  }
  for (const [what, [document]] of Object.entries(documents))
    test(what, () => {
      const started = performance.now()
      assert.equal(readXml(document).length, 2)
      assert.ok(performance.now() - started < 10_000, `it took ${performance.now() - started} ms`)
    })
})

test('an element may have any name, also one that objects have by nature', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'then']
  for (const name of names) {
    const [, value] = readXml(`<r><${name}><x>1</x></${name}><${name}>2</${name}></r>`)
    assert.deepEqual(Object.keys(value as object), [name])
    assert.equal(Object.getPrototypeOf(value), null)
    assert.equal(({} as Record<string, unknown>).x, undefined)
    assert.throws(() => xml.read(Buffer.from(`<${name}><a>1</a></${name}>`), null, ['tag']), isMalformed)
  }
})

/** What XML 1.0 has for characters. */
const xmlText = fc
  .string({ unit: 'binary' })
  .map((text) => text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))

describe('what is written can be read', () => {
  test('any text of XML characters comes back as it was', () => {
    fc.assert(
      fc.property(xmlText, (text) => {
        const [, value] = readXml(`<r>${escapeText(text)}</r>`)
        assert.equal(value, text.trim() === '' ? null : text)
      }),
      { numRuns: 2000 },
    )
  })

  test('characters that XML forbids come back as U+FFFD, each as one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) }),
        (text) => {
          const [, value] = readXml(`<r>x${escapeText(text)}</r>`)
          assert.equal(value, `x${text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')}`)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('any text of an attribute leaves the document well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(readXml(`<r a="${escapeAttribute(text)}">x</r>`), ['r', 'x'])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('no bytes make the readers throw anything but a problem', () => {
  const document = Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?>\n<asset>\n  <name type="string">A &amp; B</name><!-- c -->' +
      '<group-ids type="array"><i type="integer">2</i><i nil="true"/></group-ids><cost type="decimal">1.50</cost>' +
      '<location><lat>-36.8</lat><lng>1e2</lng></location><at type="datetime">2012-12-25T01:02:03+13:00</at>' +
      '<notes><![CDATA[<b>]]></notes></asset>\n',
  )
  const twin = Buffer.from(
    '{"asset":{"name":"A","group_ids":[1,2,null],"cost":"1.50","location":{"lat":-36.8,"lng":1e2},"__proto__":{"x":1}}}',
  )
  const charsets = fc.constantFrom(
    null,
    'utf-8',
    'UTF-8',
    'utf-16',
    'utf-16be',
    'iso-8859-1',
    'shift_jis',
    'gb18030',
    'no-such',
    '',
  )

  for (const [format, valid] of [
    [xml, document],
    [json, twin],
  ] as const) {
    const read = (bytes: Uint8Array, charset: string | null) => {
      try {
        const value = format.read(Buffer.from(bytes), charset, ['asset'])
        assert.equal(typeof value, 'object')
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        assert.equal(error.kind, 'malformed')
        assert.match(error.message, /^[A-Z].{10,}/)
      }
    }

    test(`${format.name}: any bytes in any charset`, () => {
      fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), charsets, read), { numRuns: 3000 })
    })

    test(`${format.name}: a valid body that was changed, cut, repeated or put together anew`, () => {
      const change = fc.record({
        at: fc.nat(valid.length),
        length: fc.nat(12),
        text: fc.oneof(
          fc.uint8Array({ maxLength: 4 }),
          fc
            .constantFrom(
              '<',
              '>',
              '</',
              '/>',
              '&',
              ';',
              '"',
              "'",
              '\0',
              '<!',
              '<?',
              ']]>',
              '\ud800',
              '{',
              '}',
              '[',
              ',',
              ':',
            )
            .map((text) => Buffer.from(text)),
          fc.tuple(fc.nat(valid.length), fc.nat(40)).map(([from, size]) => valid.subarray(from, from + size)),
        ),
      })
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), charsets, (changes, charset) => {
          let bytes = valid
          for (const { at, length, text } of changes)
            bytes = Buffer.concat([bytes.subarray(0, at), text, bytes.subarray(at + length)])
          read(bytes, charset)
        }),
        { numRuns: 3000 },
      )
    })
  }

  test('json: a hundred thousand levels', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const body = `{"asset":{"x":${open.repeat(100_000)}1${close.repeat(100_000)}}}`
      for (const text of [body, body.slice(0, -1)])
        assert.throws(() => json.read(Buffer.from(text), null, ['asset']), isMalformed)
    }
  })
})

test('a body is decoded in any charset that the platform knows, and bytes that it lacks are refused', () => {
  const text = '<r>é漢😀</r>'
  assert.equal(decode(Buffer.from(text), null), text)
  assert.equal(decode(Buffer.from(`\ufeff${text}`), 'utf-8'), text)
  assert.equal(decode(Buffer.from('<r>é</r>', 'latin1'), 'ISO-8859-1'), '<r>é</r>')
  assert.equal(decode(Buffer.from(text, 'utf16le'), 'utf-16le'), text)
  assert.equal(decode(Buffer.from(text), 'no-such-charset'), text)
  for (const bytes of [[0xc3], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]])
    for (const charset of [null, 'utf-8', 'no-such-charset'])
      assert.throws(() => decode(Buffer.from([0x3c, ...bytes]), charset), isMalformed)
})

function isMalformed(error: unknown): boolean {
  assert.ok(error instanceof Problem, String((error as Error).stack))
  assert.equal(error.kind, 'malformed')
  assert.match(error.message, /^[A-Z].{10,}/s)
  assert.ok(error.message.length < 500, 'the sentence does not hold the document')
  return true
}

const isRefusal = (expected: unknown) => (expected as { $error?: number }).$error === 400

/** What was read, without the marks that only we have: objects without a prototype, faults as objects. */
function plain(value: unknown): unknown {
  if (value instanceof InvalidLiteral) return { bad: value.type }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  assert.equal(Object.getPrototypeOf(value), null)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]))
}

/** A case's value as we keep it: numbers that aren't whole as canonical text, instants in milliseconds, dates as text. */
function asWeKeepIt(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(asWeKeepIt)
  if (typeof expected !== 'object' || expected === null) return expected
  const { $bad, $decimal, $float, $datetime, $date, ...rest } = expected as { [mark: string]: string }
  if ($bad) return { bad: $bad }
  if ($datetime) return new Date($datetime).toISOString()
  if ($decimal ?? $float ?? $date) return $decimal ?? $float ?? $date
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, asWeKeepIt(value)]))
}
