import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type FieldError, type RecordType, readFields, record, text } from '#fields'
import { records } from '#records'
import { customer } from '#records/customer'
import { readOf, rowOf } from '#test/arbitraries'
import { csvOf, type FileRow, readCsv } from './csv.ts'

const zone = { zone: 'UTC' }

async function read(of: Pick<RecordType, 'name' | 'fields'>, table: string, size = 64 * 1024): Promise<FileRow[]> {
  const bytes = Buffer.from(table)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  return Array.fromAsync(readCsv(of, Readable.from(pieces)))
}

/** What spreadsheets take for more than text, and what tables are written with. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '\r\n',
        "'",
        '"',
        '""',
        ',',
        ';',
        ' ',
        '\ufeff',
        '😀',
        '＝',
        '0',
        '5',
        '-1',
        'a',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join('').replaceAll('\0', ''))

const note = record('note', {
  plural: 'notes',
  path: null,
  about: 'Two texts.',
  fields: { a: text(), b: text() },
  allow: { read: 'nobody', write: 'nobody' },
  search: [],
  title: 'a',
  example: {},
})

describe('a table', () => {
  test('gives back every text, nil and empty ones too, in whatever pieces it comes', async () => {
    const value = fc.option(nasty, { nil: null })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: value, b: value }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        async (rows, size) => {
          const { header, line } = csvOf(note)
          const table = header + rows.map((row) => line(row, zone)).join('')
          const found = (await read(note, table, size)).map(({ raw }) => ({ a: raw.a, b: raw.b }))
          // A row of nothing but nils is an empty cell beside another, and no empty line.
          assert.deepEqual(
            found,
            rows.map(({ a, b }) => ({ a, b })),
          )
        },
      ),
      { numRuns: 150 },
    )
  })

  test('holds no cell that a spreadsheet would run', () => {
    fc.assert(
      fc.property(nasty, (a) => {
        const cell = csvOf(note).line({ a, b: null }, zone).replace(/^"/, '')
        assert.doesNotMatch(cell, /^\s*[=+@＝＋－＠]/)
        // A negative number is one, and nothing else may begin like it.
        assert.doesNotMatch(cell, /^\s*-(?!\d+(\.\d+)?,\r\n$)/)
        assert.doesNotMatch(cell, /^[\t\r\n]/)
      }),
      { numRuns: 1000 },
    )
  })

  test('has lines that end in CR and LF, and cells that are quoted where RFC 4180 asks for it', () => {
    const { header, line } = csvOf(note)
    assert.equal(header, 'a,b\r\n')
    assert.equal(line({ a: 'x "y", z', b: '' }, zone), '"x ""y"", z",""\r\n')
    assert.equal(line({ a: 'two\nlines', b: null }, zone), '"two\nlines",\r\n')
    assert.equal(line({ a: '=HYPERLINK("http://x")', b: '+64 21' }, zone), `"'=HYPERLINK(""http://x"")",'+64 21\r\n`)
  })

  test('tells the line that each row begins at', async () => {
    const table = 'a,b\r\n1,"two\r\nlines"\r\n\r\n2,x\r\n3\r\n4,"a\nb\rc"\n5,y'
    const rows = await read(note, table)
    assert.deepEqual(
      rows.map(({ line, problem }) => [line, problem?.message]),
      [
        [2, undefined],
        [5, undefined],
        [6, 'The row has 1 cells, and the first line has 2'],
        [7, undefined],
        [10, undefined],
      ],
    )
  })

  test('is refused with the names of columns that nobody knows, and of those that are there twice', async () => {
    const faults = await read(note, 'a,c,a\n1,2,3\n').then(
      () => [],
      ({ errors }) => errors.map(({ field, code }: FieldError) => `${field} ${code}`),
    )
    assert.deepEqual(faults, ['c unknown', 'a taken'])
    for (const table of ['a,b\n"x" y,2\n', 'a,b\n"x,2\n', `a,b\n"${'x'.repeat(5_000_000)}",2`])
      await assert.rejects(read(note, table), { kind: 'malformed' })
  })

  test('that a person made needs no more than the columns that are meant', async () => {
    const table =
      '\ufeffname,delivery_contact.location.city,group_ids,delivery_contact.phone\nMia,Napier,"1, 2",+64 21\nTane,,,\n'
    const [mia, tane] = await read(customer, table)
    const errors: FieldError[] = []
    assert.deepEqual(readFields(customer.fields, mia?.raw ?? {}, { path: '', errors }), {
      name: 'Mia',
      group_ids: [1, 2],
      delivery_contact: { phone: '+64 21', location: { city: 'Napier' } },
    })
    assert.deepEqual(errors, [])
    assert.deepEqual(tane?.raw.delivery_contact, { phone: null, location: { city: null } })
  })
})

for (const of of records)
  test(`a ${of.name} that is written as a table is read as what it was, as far as a caller may say it`, async () => {
    const own = Object.fromEntries(Object.entries(of.fields).filter(([, { shape }]) => shape !== 'records'))
    const plain = { ...of, fields: own } as RecordType
    const { header, line } = csvOf(plain)
    await fc.assert(
      fc.asyncProperty(rowOf(own), async (row) => {
        const [found] = await read(plain, header + line(row, zone))
        const errors: FieldError[] = []
        assert.deepEqual(readFields(own, found?.raw ?? {}, { path: '', errors }), readOf(own, row))
        assert.deepEqual(errors, [])
      }),
      { numRuns: 25 },
    )
  })
