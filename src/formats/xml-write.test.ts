import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  array,
  decimal,
  type Field,
  type Fields,
  flag,
  instant,
  integer,
  part,
  type RawRow,
  type RecordType,
  text,
  texts,
} from '#fields'
import { invalid } from '#problem'
import { printProblem } from './problem.ts'
import { xml } from './xml.ts'
import { branch, compile, DECLARATION, leaf } from './xml-write.ts'

/** A value of a case: `{ integer: 5, attrs: { readonly: 'readonly' } }`. */
interface Tree {
  attrs?: { [name: string]: string | number }
  [kind: string]: unknown
}
interface Vector {
  name: string
  input: { root: string; value: Tree }
  expected: string
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../test/fixtures/serialize.json', import.meta.url), 'utf8'),
)

describe('a document is written as the contract has it', () => {
  test('there are 35 cases', () => assert.equal(vectors.length, 35))
  for (const { name, input, expected } of vectors)
    test(name, () => assert.equal(written(input.root, input.value), expected))
})

/** The case through the writer of records, wherever a record can be like it. */
function written(root: string, value: Tree): string {
  const { attrs = {} } = value
  if (value.array) return writtenList(root, value)
  const pairs = value.object as [string, Tree][]
  if (root === 'errors')
    return printProblem(
      invalid(
        pairs.map(([, { string }]) => ({ field: 'name', code: 'x', message: String(string).replace('Name ', '') })),
      ),
      'xml',
    )
  const [name = '', child = {}] = pairs[0] ?? []
  // No field has attributes of its own choice.
  if (child.attrs && !('readonly' in child.attrs))
    return DECLARATION + branch('', root, attrs, leaf('  ', name, child.attrs, String(child.string)))
  const { fields, row, zone, times } = described(pairs)
  return DECLARATION + compile(root, fields, times, 0)(row, { zone })
}

/** A list with paging numbers is a format's list; one without is an array. */
function writtenList(plural: string, { array: items, child, attrs }: Tree): string {
  const rows = (items as Tree[]).map((item) => described(item.object as [string, Tree][]))
  const { fields } = rows[0] ?? { fields: {} }
  const name = String(child)
  if (!attrs) {
    const print = compile(name, fields, 'zulu', 1)
    return (
      DECLARATION + branch('', plural, { type: 'array' }, rows.map(({ row }) => print(row, { zone: 'UTC' })).join(''))
    )
  }
  const listed = { name, plural, fields } as RecordType
  return xml.list(listed, { name, plural })(
    rows.map(({ row }) => row),
    attrs as never,
    { zone: 'UTC' },
  )
}

/** Fields and a row that say what a case's object says. */
function described(pairs: [string, Tree][]) {
  const fields: Fields = {}
  const row: RawRow = {}
  let zone = 'UTC'
  let times: 'zulu' | 'offset' | 'plain' = 'zulu'
  for (const [name, tree] of pairs) {
    const [field, value] = fieldOf(tree)
    fields[name] = {
      ...field,
      ...(tree.attrs?.readonly && { readonly: true }),
      ...(tree.untyped ? { untyped: true as const } : {}),
    }
    row[name] = value
    if (tree.form === 'plus') times = 'offset'
    if (String(tree.form).startsWith('ruby')) times = 'plain'
    if (tree.offset) zone = String(tree.offset)
  }
  return { fields, row, zone, times }
}

function fieldOf(tree: Tree): [field: Field<unknown>, value: unknown] {
  // biome-ignore lint/suspicious/noExplicitAny: fields of every type
  const of = (field: Field<any>, raw: unknown): [Field<unknown>, unknown] => [
    field,
    field.parse(raw as never, { path: '', errors: [] }),
  ]
  if (tree.nil) return [{ ...(tree.type === 'integer' ? integer() : text()) } as Field<unknown>, null]
  if ('string' in tree) return [text() as Field<unknown>, tree.string]
  if ('integer' in tree) return of(integer(), tree.integer)
  if ('decimal' in tree) return of(decimal(), tree.decimal)
  if ('float' in tree) return of({ ...decimal(), type: 'float' }, tree.float)
  if ('boolean' in tree) return of(flag(), tree.boolean)
  if ('date' in tree) return of({ ...text(), type: 'date' }, tree.date)
  if ('datetime' in tree) return of(instant(), tree.datetime)
  if ('object' in tree) {
    const { fields, row } = described(tree.object as [string, Tree][])
    return [part(fields) as Field<unknown>, row]
  }
  const items = tree.array as Tree[]
  if (items.every((item) => 'string' in item) && items.length > 0)
    return [texts(String(tree.child)) as Field<unknown>, items.map(({ string }) => string)]
  const inside = items.map((item) => described(item.object as [string, Tree][]))
  return [
    array(String(tree.child), inside[0]?.fields ?? {}, { match: [] }) as Field<unknown>,
    inside.map(({ row }) => row),
  ]
}

const print = (fields: Fields, row: RawRow) => compile('r', fields, 'zulu', 0)(row, { zone: 'UTC' })

describe('beside the cases', () => {
  test('a nil part, an empty list of texts and a part inside of an array', () => {
    const place = part({ city: text(), lat: decimal() })
    const fields = { place, options: texts('option'), stops: array('stop', { place }, { match: [] }) }
    assert.equal(
      print(fields, { place: null, options: [], stops: [{ place: { city: 'A', lat: null } }, { place: null }] }),
      `<r>
  <place nil="true"/>
  <options type="array"/>
  <stops type="array">
    <stop>
      <place>
        <city>A</city>
        <lat type="decimal" nil="true"/>
      </place>
    </stop>
    <stop>
      <place nil="true"/>
    </stop>
  </stops>
</r>
`,
    )
  })

  test('what is internal or only read is not written, and neither is what does not belong to the row', () => {
    const fields = {
      kept: text({ internal: true }),
      password: text({ writeOnly: true }),
      kind: text(),
      only: { ...text(), onlyWhen: (row: RawRow) => row.kind === 'image' },
    }
    const row = { kept: 'x', password: 'x', kind: 'text', only: 'x' }
    assert.equal(print(fields, row), '<r>\n  <kind>text</kind>\n</r>\n')
    assert.equal(print(fields, { ...row, kind: 'image' }), '<r>\n  <kind>image</kind>\n  <only>x</only>\n</r>\n')
  })

  test('a problem is one error a fault, never empty and never an array', () => {
    const fault = (field: string, message: string) => ({ field, code: 'x', message })
    assert.equal(
      printProblem(
        invalid([fault('third_party_id', 'is <bad> & "so"'), fault('steps[1].location.lat', 'is not a number')]),
        'xml',
      ),
      `${DECLARATION}<errors>
  <error>Third party is &lt;bad&gt; &amp; "so"</error>
  <error>Steps 2 location lat is not a number</error>
</errors>
`,
    )
  })
})
