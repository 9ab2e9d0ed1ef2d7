import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, openSync, readFileSync, statSync, truncateSync, utimesSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { createApp } from '#app/create'
import { makeDemo } from '#cli/demo/make'
import { readConfig } from '#config'
import { openBlobs } from '#store/open-blobs'
import { startBucket } from '#test/bucket-server'
import { temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'

const root = resolve(import.meta.dirname, '../..')
const whole = join(temporaryFolder(), 'data')

before(async () => {
  const app = await createApp(readConfig({ MUSTER_DATA_DIR: whole, MUSTER_LOG_LEVEL: 'silent' }))
  await makeDemo(app)
  await app.close()
})

describe('a damaged file of SQLite', () => {
  const damages: { [what: string]: (file: string) => void } = {
    'its first page overwritten': (file) => overwrite(file, 0, 4096),
    'its header overwritten': (file) => overwrite(file, 0, 16),
    'pages in its middle overwritten': (file) => overwrite(file, (statSync(file).size >> 13) << 12, 3 * 4096),
    'cut off in its middle': (file) => truncateSync(file, (statSync(file).size >> 13) << 12),
  }
  for (const [what, damage] of Object.entries(damages))
    test(`${what}: the server refuses to start, says how to restore, and changes nothing`, () => {
      const folder = copied()
      const file = join(folder, 'muster.db')
      damage(file)
      const bytes = readFileSync(file)
      const { status, stderr, stdout } = muster(folder, 'serve')
      assert.equal(status, 1, stdout)
      assert.match(
        stderr,
        /^muster: .*muster\.db is damaged: .*restore a backup with muster restore FILE; no proven backup is known/s,
      )
      assert.deepEqual(readFileSync(file), bytes)
    })

  test('the sentence names the last proven backup, and restoring it brings a server back', async () => {
    const folder = copied()
    assert.equal(muster(folder, 'backup').status, 0)
    overwrite(join(folder, 'muster.db'), 8192, 8192)
    const refused = muster(folder, 'serve').stderr
    const backup = /the last proven backup is (\S+), of 2/.exec(refused)?.[1] ?? ''
    assert.ok(existsSync(backup), refused)
    const fresh = join(temporaryFolder(), 'data')
    assert.equal(muster(fresh, 'restore', backup).status, 0)
    const server = await startServer({ MUSTER_DATA_DIR: fresh })
    server.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
})

describe('files that no record names', async () => {
  const bucket = await startBucket()
  for (const [place, settings] of [
    ['a folder', {}],
    ['a bucket', bucket.settings],
  ] as const)
    test(`of ${place} go with doctor --sweep when they lay for a day, and no others`, async (t) => {
      if (place === 'a bucket') t.after(bucket.close)
      const folder = copied()
      const blobs = openBlobs(readConfig({ MUSTER_DATA_DIR: folder, ...settings }))
      const named = openBlobs(readConfig({ MUSTER_DATA_DIR: whole }))
      if (place === 'a bucket') for await (const { name } of named.list()) await blobs.put(await named.read(name))
      const names = async () => (await Array.fromAsync(blobs.list())).map(({ name }) => name).sort()
      const before = await names()
      const young = await blobs.put(Buffer.from('an upload whose transaction may yet commit'))
      const lost = await blobs.put(Buffer.from('an upload whose transaction failed'))
      const again = await blobs.put(Buffer.from('one that is uploaded again just now'))
      if (place === 'a folder') {
        const old = new Date(Date.now() - 25 * 3600_000)
        for (const name of await names())
          if (name !== young) utimesSync(join(folder, 'files', name.slice(0, 2), name), old, old)
        await blobs.put(Buffer.from('one that is uploaded again just now'))
        const said = muster(folder, 'doctor', '--sweep')
        assert.match(said.stdout, /1 file that no record names were removed/)
        assert.deepEqual(await names(), [...before, young, again].sort())
      } else {
        assert.equal(await blobs.remove(young, Date.now() - 24 * 3600_000), false)
        assert.equal(await blobs.remove('0'.repeat(64), Date.now()), false)
        assert.equal(await blobs.remove(lost, Date.now() + 60_000), true)
        assert.deepEqual(
          (await names()).filter((name) => name.length === 64),
          [...before, young, again].sort(),
        )
      }
    })
})

function copied(): string {
  const folder = join(temporaryFolder(), 'data')
  cpSync(whole, folder, { recursive: true })
  return folder
}

function overwrite(path: string, at: number, count: number) {
  writeSync(openSync(path, 'r+'), Buffer.alloc(count, 0xab), 0, count, at)
}

function muster(folder: string, ...words: string[]) {
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, MUSTER_DATA_DIR: folder, MUSTER_PORT: '0' },
    encoding: 'utf8',
    timeout: 30_000,
  })
}
