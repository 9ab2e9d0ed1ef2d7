import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Collection } from './collection.ts'

interface Job {
  id: number
  worker: number | null
  start: number
}

const jobs = (...rows: Job[]) => {
  const made = new Collection<Job, 'worker'>({
    worker: { key: ({ worker }) => worker, order: (a, b) => a.start - b.start },
  })
  made.put(rows)
  return made
}

test('rows are found by their key, in order, and where there is none by null', () => {
  const rows = jobs({ id: 1, worker: 7, start: 9 }, { id: 2, worker: 7, start: 8 }, { id: 3, worker: null, start: 1 })
  assert.deepEqual(
    rows.where('worker', 7).map(({ id }) => id),
    [2, 1],
  )
  assert.deepEqual(
    rows.where('worker', null).map(({ id }) => id),
    [3],
  )
  assert.deepEqual(rows.where('worker', 8), [])
})

test('what is answered is the same object until a row of that key changes', () => {
  const rows = jobs({ id: 1, worker: 7, start: 9 }, { id: 2, worker: 8, start: 8 })
  const [seven, eight] = [rows.where('worker', 7), rows.where('worker', 8)]
  rows.put([{ id: 2, worker: 8, start: 10 }])
  assert.equal(rows.where('worker', 7), seven)
  assert.notEqual(rows.where('worker', 8), eight)
})

test('a row that moves wakes the key that it left and the one it came to, once, and no other', () => {
  const rows = jobs({ id: 1, worker: 7, start: 9 }, { id: 2, worker: 7, start: 10 })
  const woken: string[] = []
  for (const key of [7, 8, 9]) rows.onKey('worker', key, () => woken.push(`worker ${key}`))
  rows.onRow(1, () => woken.push('row 1'))
  const end = rows.onAny(() => woken.push('any'))
  rows.batch(() => {
    rows.put([{ id: 1, worker: 8, start: 9 }])
    rows.put([{ id: 2, worker: 8, start: 10 }])
  })
  assert.deepEqual(woken.toSorted(), ['any', 'row 1', 'worker 7', 'worker 8'])
  end()
  rows.remove([1])
  assert.deepEqual(woken.filter((one) => one === 'any').length, 1)
  assert.equal(rows.get(1), undefined)
})

test('a patch lies over what the server has said, also when that changes, until it is taken back', () => {
  const rows = jobs({ id: 1, worker: 7, start: 9 })
  rows.patch('first', 1, { worker: 8 })
  rows.patch('second', 1, { start: 12 })
  assert.deepEqual(rows.get(1), { id: 1, worker: 8, start: 12 })
  assert.deepEqual(rows.where('worker', 7), [])
  rows.put([{ id: 1, worker: 9, start: 10 }])
  assert.deepEqual(rows.get(1), { id: 1, worker: 8, start: 12 })
  assert.deepEqual(rows.known(1), { id: 1, worker: 9, start: 10 })
  rows.unpatch('first')
  assert.deepEqual(rows.get(1), { id: 1, worker: 9, start: 12 })
  assert.deepEqual(rows.waiting(1), ['second'])
  rows.unpatch('second')
  assert.deepEqual(rows.where('worker', 9), [{ id: 1, worker: 9, start: 10 }])
})

test('a row that is gone is gone under a patch too', () => {
  const rows = jobs({ id: 1, worker: 7, start: 9 })
  rows.patch('move', 1, { worker: 8 })
  rows.remove([1])
  assert.deepEqual(rows.where('worker', 8), [])
  assert.equal(rows.size, 0)
})

test('rows that replace all take the place of those that are not among them', () => {
  const rows = jobs({ id: 1, worker: 7, start: 9 }, { id: 2, worker: 7, start: 10 })
  rows.replace([{ id: 2, worker: 7, start: 11 }])
  assert.deepEqual(rows.where('worker', 7), [{ id: 2, worker: 7, start: 11 }])
})
