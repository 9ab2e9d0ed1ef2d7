import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { backUp } from '#cli/backup/daily'
import { makeBackup } from '#cli/backup/make'
import { restoreBackup } from '#cli/backup/restore'
import { verifyBackup } from '#cli/backup/verify'
import { makeDemo } from '#cli/demo/make'
import { type Config, readConfig } from '#config'
import { lockFile } from '#store/file-lock'
import { digests } from '#store/integrity'
import { migrations } from '#store/migrations/index'
import { openDatabase } from '#store/open'
import { openBlobs } from '#store/open-blobs'
import { lastDue } from '#tasks/back-up'
import { newClient } from '#test/client'
import { databases } from '#test/databases'
import { temporaryFolder } from '#test/folders'
import { type ServerProcess, startServer } from '#test/server-process'
import { startApp, type TestApp } from '#test/test-app'

const root = resolve(import.meta.dirname, '../..')

for (const database of databases)
  describe(database.name, async () => {
    const app = await startApp({ database })
    after(app.close)
    const demo = await makeDemo(app.app)
    // When a key was last used, and who was told, is noted later: rows that would differ from the backup's.
    await app.app.keyUsage.stop()
    await app.app.notices.stop()
    const folder = temporaryFolder()
    const archive = join(folder, 'one.tar.zst')
    const manifest = await makeBackup(app.app.config, archive)
    const trial = () => temporaryFolder()

    test('a backup has every row of the moment that it names, and every file that they name', async () => {
      const { tables, migrations: had } = await contentOf(app)
      assert.deepEqual(manifest.tables, tables)
      assert.deepEqual(manifest.migrations, had)
      assert.ok(manifest.files.count > 20)
      assert.equal(manifest.database, database.name)
      assert.deepEqual(await verifyBackup(archive).then(({ troubles }) => troubles), [])
    })

    test('it is restored into the other database, and keys, records and images are as they were', async (t) => {
      for (const other of databases.filter(({ name }) => name !== database.name)) {
        const fresh = await other.empty(join(trial(), 'data'))
        t.after(fresh.drop)
        const data = join(trial(), 'data')
        const settings = {
          MUSTER_DATA_DIR: data,
          MUSTER_DATABASE_URL: other.name === 'sqlite' ? '' : (fresh.settings.MUSTER_DATABASE_URL ?? ''),
        }
        const ran = await muster(settings, 'restore', archive)
        assert.equal(ran.code, 0, ran.err)
        assert.deepEqual(
          readdirSync(data).filter((name) => name === 'restoring'),
          [],
        )
        const server = await startServer(settings)
        t.after(() => server.kill('SIGKILL'))
        assert.equal(server.key, null, 'it is no first start')
        const [there, here] = [newClient(server.base, demo.api_key), newClient(app.base, demo.api_key)]
        for (const path of ['/v5/jobs.json', '/v5/users.json', `/v5/attachments/${demo.attachment_id}.jpeg`])
          assert.deepEqual((await there('GET', path)).body, (await here('GET', path)).body, path)
        const made = await there('POST', '/v5/tags.json', { body: { tag: { name: 'After the restore' } } })
        assert.equal(made.status, 201, made.text)
        server.kill('SIGTERM')
        await server.ended
      }
    })

    test('it is refused where a database is, and nothing there is changed', async () => {
      const before = await contentOf(app)
      await assert.rejects(restoreBackup(app.app.config, archive), /is there already|is not empty/)
      assert.deepEqual(await contentOf(app), before)
    })

    test('writes go on while it is made, and it holds what was acknowledged before it began', async () => {
      const acknowledged: string[] = []
      let on = true
      let slowest = 0
      const writer = (async () => {
        for (let i = 0; on; i++) {
          const began = performance.now()
          const answer = await app.request('POST', '/v5/tags.json', { body: { tag: { name: `Tag ${i}` } } })
          slowest = Math.max(slowest, performance.now() - began)
          assert.equal(answer.status, 201, answer.text)
          acknowledged.push(`Tag ${i}`)
        }
      })()
      while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 5))
      const before = [...acknowledged]
      const path = join(trial(), 'busy.tar.zst')
      const ran = await muster(settingsOf(app), 'backup', path, '--verify', '--json')
      on = false
      await writer
      assert.equal(ran.code, 0, ran.err)
      assert.equal(JSON.parse(ran.out).ok, true)
      assert.ok(acknowledged.length > before.length)
      const restored = readConfig({ MUSTER_DATA_DIR: join(trial(), 'data') })
      mkdirSync(restored.MUSTER_DATA_DIR)
      await restoreBackup(restored, path)
      const copy = openDatabase(restored, { readOnly: true })
      const names = (await copy.all({ sql: 'select name from tags', parameters: [] })).map(({ name }) => name)
      await copy.close()
      for (const name of before) assert.ok(names.includes(name), name)
    })

    test('it is proven, noted for /readyz, and older ones go only after a newer one is proven', async () => {
      const config: Config = { ...app.app.config, MUSTER_BACKUP_KEEP: 2 }
      const folder = join(app.folder, 'backups')
      mkdirSync(folder, { recursive: true })
      const old = ['muster-2026-01-01T00-00-00-000Z.tar.zst', 'muster-2026-01-02T00-00-00-000Z.tar.zst']
      for (const name of [...old, 'mine.tar.zst']) writeFileSync(join(folder, name), '')
      const made = await backUp(config)
      assert.deepEqual(made?.removed, [old[0]])
      assert.deepEqual(visible(folder).sort(), ['mine.tar.zst', old[1], made?.path.split('/').at(-1)].sort())
      const ready = await app.request('GET', '/readyz', { raw: true })
      assert.equal(ready.json.last_proven_backup, made?.manifest.made_at)
      assert.equal((await app.app.lastVerifiedBackup())?.file, made?.path)
    })

    test('of two that begin at once, one is made', async () => {
      const made = await Promise.all([backUp(app.app.config), backUp(app.app.config)])
      assert.equal(made.filter((one) => one === null).length, 1)
      const at = made.find((one) => one !== null)?.manifest.made_at ?? ''
      assert.equal(await backUp(app.app.config, at), null, 'and a third has no need to, where that one will do')
    })

    test('a file that is lost is noted, and everything else is saved', async () => {
      const lost = [...(await sha256sOf(app))][0] as string
      const path = join(app.folder, 'files', lost.slice(0, 2), lost)
      const bytes = readFileSync(path)
      const backup = join(trial(), 'lost.tar.zst')
      for (const spoil of [() => rmSync(path), () => writeFileSync(path, Buffer.from('other bytes'))]) {
        spoil()
        try {
          const { missing, files } = await makeBackup(app.app.config, backup)
          assert.deepEqual(missing, [lost])
          assert.equal(files.count, manifest.files.count - 1)
          const proof = await verifyBackup(backup)
          assert.deepEqual(proof.troubles, [])
          assert.match(proof.notes.join(), new RegExp(`1 files were lost before.*${lost}`))
        } finally {
          writeFileSync(path, bytes)
          rmSync(backup)
        }
      }
    })

    if (database.name === 'sqlite') {
      test('an archive that was cut off or has one other byte, anywhere, is found out', async () => {
        const whole = readFileSync(archive)
        const bad = join(folder, 'bad.tar.zst')
        const found = async (what: string) => {
          const { troubles, passed } = await verifyBackup(bad)
          assert.ok(troubles.length > 0, `${what} was not found; ${passed}`)
          assert.match(troubles[0] ?? '', /^The backup is damaged, or is not a backup: /)
        }
        await fc.assert(
          fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
            const bytes = Buffer.from(whole)
            bytes[at] = (bytes[at] as number) ^ flip
            writeFileSync(bad, bytes)
            await found(`byte ${at} changed by ${flip}`)
          }),
          {
            numRuns: 60,
            examples: [
              [0, 1],
              [5, 255],
              [whole.length - 1, 1],
              [whole.length - 5, 128],
            ],
          },
        )
        for (const length of [
          0,
          1,
          39,
          40,
          41,
          100,
          whole.length >> 1,
          whole.length - 1,
          whole.length - 40,
          whole.length - 600,
        ]) {
          copyFileSync(archive, bad)
          truncateSync(bad, length)
          await found(`cut off after ${length} bytes`)
        }
        const ran = await muster({}, 'backup', 'verify', bad)
        assert.equal(ran.code, 1)
        assert.match(ran.err, /^muster: The backup is damaged/)
        const data = join(trial(), 'data')
        assert.equal((await muster({ MUSTER_DATA_DIR: data }, 'restore', bad)).code, 1)
        assert.equal(existsSync(join(data, 'muster.db')), false)
      })

      test('a backup that is killed leaves nothing by its name, and the next one cleans up', async () => {
        const backups = join(trial(), 'backups')
        for (const after of [5, 60, 150, 300]) {
          const child = start({ ...settingsOf(app), MUSTER_BACKUP_DIR: backups }, 'backup')
          while (!existsSync(backups) || readdirSync(backups).length === 0)
            await new Promise((resolve) => setTimeout(resolve, 2))
          await new Promise((resolve) => setTimeout(resolve, after))
          child.kill('SIGKILL')
          await once(child, 'close')
          for (const name of visible(backups)) assert.deepEqual((await verifyBackup(join(backups, name))).troubles, [])
        }
        await backUp({ ...app.app.config, MUSTER_BACKUP_DIR: backups })
        assert.deepEqual(
          readdirSync(backups).filter((name) => name.startsWith('.') && name !== '.lock'),
          [],
        )
      })

      test('a restore that is killed can be done again, and no server starts on the half of it', async () => {
        const data = join(trial(), 'data')
        const child = start({ MUSTER_DATA_DIR: data }, 'restore', archive)
        while (!existsSync(join(data, 'files'))) await new Promise((resolve) => setTimeout(resolve, 2))
        child.kill('SIGKILL')
        await once(child, 'close')
        assert.equal(existsSync(join(data, 'muster.db')), false)
        assert.equal((await muster({ MUSTER_DATA_DIR: data }, 'restore', archive)).code, 0)
        assert.equal((await muster({ MUSTER_DATA_DIR: data }, 'doctor', '--all')).code, 0)
      })

      test('what an older database logged is not written into a restored one', async () => {
        const data = join(trial(), 'data')
        mkdirSync(data)
        writeFileSync(join(data, 'muster.db-wal'), 'of another')
        await assert.rejects(
          restoreBackup(readConfig({ MUSTER_DATA_DIR: data }), archive),
          /muster\.db-wal is there already/,
        )
      })
    }
  })

test('settings are in a backup without what is secret', async (t) => {
  const { app } = await startApp({ t })
  const path = join(temporaryFolder(), 'one.tar.zst')
  await makeBackup(
    { ...app.config, MUSTER_METRICS_TOKEN: 'hush-hush-hush-hush', MUSTER_BASE_URL: 'https://u:hush@h' },
    path,
  )
  const bytes = zstdDecompressSync(readFileSync(path)).toString('latin1')
  assert.match(bytes, /"MUSTER_METRICS_TOKEN": "\[hidden\]"/)
  assert.match(bytes, /"MUSTER_BASE_URL": "https:\/\/u:\[hidden\]@h"/)
  assert.doesNotMatch(bytes, /hush/)
})

test('a server with MUSTER_BACKUP_AT makes the backup that was missed, and several servers make one', async (t) => {
  const data = join(temporaryFolder(), 'data')
  // SQLite has one server, and PostgreSQL as many as one likes.
  const postgres = await databases.find(({ name }) => name === 'postgres')?.empty(data)
  const settings = {
    MUSTER_DATA_DIR: data,
    MUSTER_BACKUP_AT: '02:30',
    MUSTER_LOG_LEVEL: 'info',
    ...postgres?.settings,
  }
  const servers: ServerProcess[] = []
  t.after(() => servers.map((server) => server.kill('SIGKILL')))
  for (const _ of postgres ? [1, 2] : [1]) servers.push(await startServer(settings))
  const readied = async (base: string) => (await newClient(base, null)('GET', '/readyz')).json.last_proven_backup
  while (!(await readied(servers[0]?.base ?? ''))) await new Promise((resolve) => setTimeout(resolve, 50))
  await new Promise((resolve) => setTimeout(resolve, 1500))
  for (const { base } of servers) assert.match(await readied(base), /^\d{4}-/)
  assert.equal(visible(join(data, 'backups')).length, 1)
  assert.match(servers.map((server) => server.printed()).join(), /"msg":"made a backup and proved it"/)
})

test('a backup that fails is logged, and the one before it stays', async (t) => {
  const data = join(temporaryFolder(), 'data')
  const backups = join(temporaryFolder(), 'a file')
  writeFileSync(backups, '')
  const server = await startServer({ MUSTER_DATA_DIR: data, MUSTER_BACKUP_AT: '02:30', MUSTER_BACKUP_DIR: backups })
  t.after(() => server.kill('SIGKILL'))
  while (!server.printed().includes('the backup failed')) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.match(server.printed(), /the folder of backups can't be made: .* is a file; set MUSTER_BACKUP_DIR/)
})

test('a backup is due at its time of the day, on the clock of the machine', () => {
  const at = (text: string) => new Date(`2026-11-21T${text}`)
  assert.equal(lastDue('02:30', at('02:29:59')), new Date('2026-11-20T02:30').getTime())
  assert.equal(lastDue('02:30', at('02:30:00')), new Date('2026-11-21T02:30').getTime())
  assert.equal(lastDue('23:59', at('00:00:00')), new Date('2026-11-20T23:59').getTime())
})

test('a file that is held is free again when its process dies', async () => {
  const path = join(temporaryFolder(), 'lock')
  const code = `import { lockFile } from '#store/file-lock'; lockFile(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  assert.equal(lockFile(path), null)
  child.kill('SIGKILL')
  await once(child, 'close')
  const release = lockFile(path)
  assert.ok(release)
  release()
})

const visible = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('.'))

async function contentOf({ app }: TestApp) {
  return digests(app.store.database, migrations)
}

async function sha256sOf({ app }: TestApp): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const { name } of openBlobs(app.config).list()) names.add(name)
  return names
}

const settingsOf = ({ app: { config } }: TestApp) => ({
  MUSTER_DATA_DIR: config.MUSTER_DATA_DIR,
  MUSTER_DATABASE_URL: config.MUSTER_DATABASE_URL ?? '',
})

function start(settings: { [name: string]: string }, ...words: string[]) {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'src/cli/main.ts'), ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function muster(settings: { [name: string]: string }, ...words: string[]) {
  const child = start(settings, ...words)
  const ended = once(child, 'close')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: (await ended)[0] as number, out, err }
}
