import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '#app/create'
import { readConfig } from '#config'
import { temporaryFolder } from '#test/folders'

const root = resolve(import.meta.dirname, '../..')
const serve = [process.execPath, '--disable-warning=ExperimentalWarning', 'src/cli/main.ts', 'serve'] as const
const linux = process.platform === 'linux'
/** A mount that only its own processes see takes a user namespace, which some systems forbid. */
const mounts = linux && spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0

test('a log that can not be written keeps nobody from being served', { skip: !linux }, async (t) => {
  const full = openSync('/dev/full', 'w')
  const { server, base } = await started(t, [...serve], temporaryFolder(), full)
  closeSync(full)
  for (let i = 0; i < 6; i++) {
    assert.equal((await fetch(`${base}/v5/tags.json`)).status, 401)
    await sleep(100)
  }
  server.kill('SIGTERM')
  assert.deepEqual(await once(server, 'exit'), [0, null])
})

test('a file is refused with 507 on a full disk, and kept once there is room', { skip: !mounts }, async (t) => {
  const folder = temporaryFolder()
  const script = `mount -t tmpfs -o size=80m tmpfs '${folder}' && exec "$@"`
  const { server } = await started(
    t,
    ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', ...serve],
    folder,
    'ignore',
  )
  // What the server has mounted is seen through it.
  const inside = `/proc/${server.pid}/root${folder}`
  const config = readConfig({
    MUSTER_DATA_DIR: inside,
    MUSTER_DATABASE_URL: `sqlite:${join(temporaryFolder(), 'other.db')}`,
  })
  const { blobs, close } = await createApp(config)
  const filler = join(inside, 'filler')
  assert.throws(() => writeFileSync(filler, Buffer.alloc(100 << 20)), { code: 'ENOSPC' })
  await assert.rejects(blobs.put(Buffer.alloc(100_000, 1)), { kind: 'full' })
  rmSync(filler)
  assert.match(await blobs.put(Buffer.alloc(100_000, 1)), /^[0-9a-f]{64}$/)
  assert.equal((await Array.fromAsync(blobs.list())).length, 1, 'nothing is left of the one that was refused')
  await close()
  server.kill('SIGTERM')
  await once(server, 'exit')
})

/** A server that says nothing, so that its port is picked here; once it answers. */
async function started(t: TestContext, [command = '', ...words]: string[], folder: string, stdout: number | 'ignore') {
  const MUSTER_PORT = await freePort()
  const server: ChildProcess = spawn(command, words, {
    cwd: root,
    env: { PATH: process.env.PATH, MUSTER_DATA_DIR: folder, MUSTER_PORT },
    stdio: ['ignore', stdout, 'inherit'],
  })
  t.after(() => void server.kill('SIGKILL'))
  const base = `http://127.0.0.1:${MUSTER_PORT}`
  while (!(await fetch(`${base}/healthz`).catch(() => null))) {
    assert.equal(server.exitCode, null, 'the server ended')
    await sleep(20)
  }
  return { server, base }
}

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return String(port)
}
