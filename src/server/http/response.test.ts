import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { compress } from './response.ts'

test('a small answer that is remembered takes the memory of its bytes alone', async () => {
  for (const body of ['', '<tag><name>Größe</name></tag>', '<tag><id>1</id></tag>'.repeat(100)]) {
    const bytes = await compress(body)
    assert.equal(bytes.buffer.byteLength, bytes.length)
    assert.equal(gunzipSync(bytes).toString(), body)
  }
})
