import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { loads } from '../../bench/loads/index.ts'
import { isMet, ratioOf } from '../../bench/support/finding.ts'
import { filesOf, keptRun } from '../../bench/support/kept.ts'
import { pageOf } from '../../bench/support/page.ts'
import { busiest, readProfile } from '../../bench/support/profile.ts'
import { newReader } from '../../bench/support/reader.ts'

const answers = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom(200, 500), fc.uint8Array({ maxLength: 50 })).map(([status, bytes]) => ({
      status,
      bytes: Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]),
    })),
    fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 })).map((chunks) => ({
      status: 201,
      bytes: Buffer.concat([
        Buffer.from('HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n'),
        ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
        Buffer.from('0\r\n\r\n'),
      ]),
    })),
    fc.constant({ status: 304, bytes: Buffer.from('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n') }),
  ),
)

test('the load cuts answers apart the same, however the network cut them', () => {
  fc.assert(
    fc.property(answers, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sent, cuts) => {
      const told: { status: number; size: number }[] = []
      const reader = newReader((status, size) => told.push({ status, size }))
      const bytes = Buffer.concat(sent.map((answer) => answer.bytes))
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = cuts[i % cuts.length] ?? 1
        reader.take(bytes.subarray(at, at + size))
        at += size
      }
      assert.deepEqual(
        told,
        sent.map(({ status, bytes }) => ({ status, size: bytes.length })),
      )
    }),
  )
})

test('the load refuses an answer whose end it could not know', () => {
  const reader = newReader(() => {})
  assert.throws(() => reader.take(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /without a length/)
})

test('a ratio is of the rounds, and is not told where they differ too much', () => {
  const goal = { of: 'ratio', least: 0.5 } as const
  const finding = { what: 'a', unit: 'b', muster: [50, 60, 110], limit: { what: 'c', values: [100, 120, 200] }, goal }
  assert.deepEqual(ratioOf(finding), { median: 0.5, least: 0.5, most: 0.55 })
  assert.equal(isMet(finding), true)
  const wide = { ...finding, muster: [50, 60, 140] }
  assert.equal(ratioOf(wide), null)
  assert.equal(isMet(wide), null)
})

test('a page tells of each finding whether its goal is met, and where it is missed why', () => {
  const [load = '', missed = ''] = ['read-one', loads.find(({ name }) => name === 'read-one')?.missed]
  const pageWith = (muster: number[]) => {
    const limit = { what: 'raw', values: [100, 100] }
    const finding = { what: 'read', unit: 'a second', muster, limit, goal: { of: 'ratio', least: 0.6 } as const }
    return pageOf(
      { at: '2026-01-01', machine: {}, quick: false, loads: [{ load, about: '', tookS: 1, findings: [finding] }] },
      { [load]: missed },
    )
  }
  assert.match(pageWith([70, 71]), /at least 0.6: met/)
  assert.ok(!pageWith([70, 71]).includes(missed))
  assert.match(pageWith([30, 31]), /at least 0.6: \*\*missed\*\*/)
  assert.ok(pageWith([30, 31]).includes(missed))
  assert.match(pageWith([30, 60]), /inconclusive: the rounds differ \| at least 0.6: inconclusive/)
})

test('the page of the last run and the table in the README say what was measured', () => {
  const run = keptRun()
  for (const [file, text] of Object.entries(run ? filesOf(run) : {})) {
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, text)
    assert.equal(readFileSync(file, 'utf8'), text, `${file} differs; npm run snapshots makes it anew`)
  }
})

test('a profile becomes a tree of times without what was idle', () => {
  const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 4 })
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2, 3] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('work', `file://${process.cwd()}/src/app.ts`), children: [4] },
    { id: 4, callFrame: frame('inner') },
  ]
  const tree = readProfile(JSON.stringify({ nodes, samples: [2, 3, 4, 4], timeDeltas: [9000, 1000, 2000, 1000] }))
  assert.equal(tree.ms, 4)
  assert.deepEqual(busiest(tree, 2), [
    { name: 'inner', share: 0.75 },
    { name: 'work src/app.ts:5', share: 0.25 },
  ])
})
