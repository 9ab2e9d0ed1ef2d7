import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsOf } from './search-terms.ts'

const read = (text: string) => termsOf(text).map(({ field, value }) => (field === null ? value : [field, value]))

test('terms have commas between; those of a field begin with @, and blanks around a term are none of it', () => {
  assert.deepEqual(read('@name:Ana, crane ,@planned-start-at = 2026-01-01 10:00,x:y'), [
    ['name', 'Ana'],
    'crane',
    ['planned-start-at', '2026-01-01 10:00'],
    'x:y',
  ])
  assert.deepEqual(read(' , ,,'), [])
  assert.deepEqual(read('@name:,x'), [['name', ''], 'x'])
})

test('a value in quotes may hold commas, keeps its blanks, and a doubled quote in it is one', () => {
  assert.deepEqual(read('@name:"Smith, John",x'), [['name', 'Smith, John'], 'x'])
  assert.deepEqual(read('"a, b" , @n= " c "'), ['a, b', ['n', ' c ']])
  assert.deepEqual(read('@n:"5"" pipe, long"'), [['n', '5" pipe, long']])
  assert.deepEqual(read('""'), [])
})

test('a quote that closes nothing is a sign like any other', () => {
  assert.deepEqual(read('5" pipe,"open'), ['5" pipe', '"open'])
  assert.deepEqual(read('"a"b,c'), ['"a"b', 'c'])
})

test('an @ without a name is text', () => {
  assert.deepEqual(read('@,@:x,a@b:c'), ['@', '@:x', 'a@b:c'])
})
