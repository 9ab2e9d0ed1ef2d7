import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { expressionsIn, slownessOf } from '#test/expressions'
import { removeFolder, temporaryFolder } from '#test/folders'

// Each of these stood in the server once, and one header or address held everybody up.
const slow = {
  'the line of the log': /([?&][^=&]*(?:key|password|token)[^=&]*=)[^&]*/gi,
  'Accept-Encoding': /\s*;\s*/,
  Range: /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/,
  'a number in a custom field': /^-?(\d+\.?\d*|\.\d+)$/,
}
for (const [where, { source, flags }] of Object.entries(slow))
  test(`the check finds the slow expression of ${where}`, () => {
    assert.match(String(slownessOf({ source, flags })), /polynomial/)
  })

test('the check knows an expression that is not slow', () => {
  assert.equal(slownessOf({ source: '^-?(\\d+(\\.\\d*)?|\\.\\d+)$', flags: '' }), null)
})

test('the check finds the expressions of a file, and those that are made at run time', (t) => {
  const folder = temporaryFolder()
  t.after(() => removeFolder(folder))
  const file = join(folder, 'some.ts')
  writeFileSync(
    file,
    'const half = 6 / 2 / 3\nexport const a: RegExp = /x+/g\nexport const b = new RegExp(String(half))\n',
  )
  assert.deepEqual(expressionsIn(file), [
    { line: 2, source: 'x+', flags: 'g' },
    { line: 3, source: '', flags: '' },
  ])
})
