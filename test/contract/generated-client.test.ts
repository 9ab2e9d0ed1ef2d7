import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { startApp } from '#test/test-app'

/** Its tools need TypeScript 5, so they have a folder and a lock of their own; npm fetches them when they are missing. */
const folder = join(import.meta.dirname, '../generated')
const timeout = 120_000

before(() => {
  if (existsSync(join(folder, 'node_modules/openapi-fetch'))) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, timeout, stdio: 'pipe' })
})

const tool = (path: string, ...words: string[]) =>
  execFileSync(process.execPath, [join(folder, 'node_modules', path), ...words], {
    cwd: folder,
    timeout,
    encoding: 'utf8',
    stdio: 'pipe',
  })

test('a client that openapi-typescript makes of the document type checks, and does a whole day', async (t) => {
  const app = await startApp({ t })
  writeFileSync(join(folder, 'openapi.json'), (await app.request('GET', '/v5/openapi.json', { key: null })).text)
  tool('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'api.ts')
  try {
    tool('typescript/bin/tsc', '-p', '.')
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout)
  }
  const { drive } = (await import(join(folder, 'drive.ts'))) as {
    drive(base: string, key: string): Promise<string[]>
  }
  assert.deepEqual(await drive(app.base, app.key), [
    '201 Gas fitting',
    '422 taken',
    '201',
    '201 unallocated 2',
    '422 tag_missing Gas fitting',
    '200 allocated Ana',
    '201 string',
    '201',
    '201',
    '200 1 false',
    '200 create,update,update,update,update',
    '201 whsec_',
  ])
})
