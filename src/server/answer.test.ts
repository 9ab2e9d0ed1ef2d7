import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { compress } from './answer.ts'

test('a small answer that is remembered takes the memory of its bytes alone', async () => {
  const bytes = await compress('<tag><id>1</id></tag>')
  assert.equal(bytes.buffer.byteLength, bytes.length)
  assert.equal(gunzipSync(bytes).toString(), '<tag><id>1</id></tag>')
})
