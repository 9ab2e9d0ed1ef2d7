import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tag } from '#records/tag'
import { forEachDue } from '#tasks/due'
import { importRows } from '#test/archives'
import { startApp } from '#test/test-app'

const app = await startApp()
after(() => app.close())

test('what is due is done in one round, however much of it can not be', async () => {
  const names = Array.from({ length: 250 }, (_, i) => `Tag ${i}`)
  await importRows(app, app, tag, ['name', ...names].join('\n'))
  const done: number[] = []
  const now = new Date(Date.now() + 1000).toISOString()
  const round = forEachDue(app.app, { record: tag, field: 'created_at', name: 'test', now }, async (_, id) => {
    done.push(id)
    if (done.length <= 200) throw new Error('not this one')
  })
  await assert.rejects(round, ({ errors }: AggregateError) => errors.length === 200)
  assert.equal(new Set(done).size, 250)
})
