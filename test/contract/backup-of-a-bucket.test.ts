import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { makeDemo } from '#cli/demo/make'
import { readConfig } from '#config'
import { openBlobs } from '#store/open-blobs'
import { startBucket } from '#test/bucket-server'
import { newClient } from '#test/client'
import { temporaryFolder } from '#test/folders'
import { startServer } from '#test/server-process'
import { startApp } from '#test/test-app'

const root = resolve(import.meta.dirname, '../..')

/** Photos and signatures lie in a bucket; a backup of the server has them nonetheless. */
describe('a backup of a server with its files in a bucket', async () => {
  const bucket = await startBucket()
  const app = await startApp({ settings: { ...bucket.settings, MUSTER_LOG_LEVEL: 'silent' } })
  after(async () => {
    await app.close()
    await bucket.close()
  })
  const demo = await makeDemo(app.app)
  const settings = {
    ...bucket.settings,
    MUSTER_DATA_DIR: app.folder,
    MUSTER_DATABASE_URL: app.app.config.MUSTER_DATABASE_URL ?? '',
  }
  const archive = join(temporaryFolder(), 'one.tar.zst')
  const inBucket = (place: string) => ({
    ...bucket.settings,
    MUSTER_FILES_URL: `${bucket.settings.MUSTER_FILES_URL}-${place}`,
  })

  test('holds every file, is proven without the bucket, and is restored into another bucket or a folder', async (t) => {
    const made = await muster(settings, 'backup', archive, '--verify', '--json')
    assert.equal(made.code, 0, made.err)
    const kept = (await Array.fromAsync(openBlobs(app.app.config).list())).length
    assert.ok(kept > 20)
    assert.deepEqual([JSON.parse(made.out).files, JSON.parse(made.out).missing], [kept, []])
    bucket.instead = () => 503
    const proven = await muster({}, 'backup', 'verify', archive)
    bucket.instead = null
    assert.equal(proven.code, 0, proven.err)

    for (const place of [inBucket('restored'), {}]) {
      const data = join(temporaryFolder(), 'data')
      const restored = { MUSTER_DATA_DIR: data, ...place }
      const ran = await muster(restored, 'restore', archive)
      assert.equal(ran.code, 0, ran.err)
      assert.equal(existsSync(join(data, 'files')), !('MUSTER_FILES_URL' in place))
      assert.equal((await Array.fromAsync(openBlobs(readConfig(restored)).list())).length, kept)
      const server = await startServer(restored)
      t.after(() => server.kill('SIGKILL'))
      const [there, here] = [newClient(server.base, demo.api_key), newClient(app.base, demo.api_key)]
      const photo = `/v5/attachments/${demo.attachment_id}.jpeg`
      assert.deepEqual((await there('GET', photo)).body, (await here('GET', photo)).body)
      server.kill('SIGTERM')
      await server.ended
      const doctor = await muster(restored, 'doctor', '--all')
      assert.equal(doctor.code, 0, doctor.out)
    }
  })

  test('goes on when the store stumbles, notes a file that it has lost, and is not made while it is away', async () => {
    const blobs = openBlobs(app.app.config)
    const [lost] = await Array.fromAsync(blobs.list())
    const bytes = await blobs.read(lost?.name ?? '')
    await blobs.remove(lost?.name ?? '', Date.now() + 1000)
    let asked = 0
    bucket.instead = () => (asked++ % 5 === 0 ? 500 : null)
    const folder = temporaryFolder()
    const made = await muster(settings, 'backup', join(folder, 'lost.tar.zst'), '--verify', '--json')
    assert.equal(made.code, 0, made.err)
    assert.deepEqual(JSON.parse(made.out).missing, [lost?.name])
    await blobs.put(bytes)

    bucket.instead = () => 403
    const refused = await muster(settings, 'backup', join(folder, 'away.tar.zst'))
    bucket.instead = null
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^muster: The store of files is not available; try again \(it answers 403\)\n$/)
    assert.deepEqual(readdirSync(folder), ['lost.tar.zst'])
  })

  test('is not restored halfway: while the store is away there is no database, and the same can be done again', async () => {
    const restored = { MUSTER_DATA_DIR: join(temporaryFolder(), 'data'), ...inBucket('again') }
    let puts = 0
    bucket.instead = () => (puts++ > 5 ? 403 : null)
    const refused = await muster(restored, 'restore', archive)
    bucket.instead = null
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^muster: The store of files is not available; try again \(it answers 403\)\n$/)
    assert.deepEqual(
      readdirSync(restored.MUSTER_DATA_DIR).filter((name) => !name.startsWith('.')),
      // The lock by which no server starts meanwhile.
      ['muster.db.serving'],
    )
    const ran = await muster(restored, 'restore', archive)
    assert.equal(ran.code, 0, ran.err)
  })
})

async function muster(settings: { [name: string]: string }, ...words: string[]) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'src/cli/main.ts'), ...words],
    { cwd: root, env: { PATH: process.env.PATH, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: (await ended)[0] as number, out, err }
}
