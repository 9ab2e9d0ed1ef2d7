import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkData } from '#cli/doctor/data'
import type { Finding } from '#cli/doctor/finding'
import { checkFolder, network } from '#cli/doctor/folder'
import { clock, openFiles } from '#cli/doctor/machine'
import { checkSettings } from '#cli/doctor/settings'
import { readConfig } from '#config'
import { signature } from '#records/file'
import { webhook } from '#records/webhook'
import { saveVerifiedBackup } from '#store/verified-backup'
import { startApp } from '#test/test-app'
import { make, writeAt } from './support.ts'

/** What isn't fine, but that the tests' own PostgreSQL doesn't sync. */
const notFine = (findings: Finding[]) => findings.filter(({ state, check }) => state !== 'ok' && check !== 'durable')
const told = (findings: Finding[]) => notFine(findings).map(({ state, check }) => `${state} ${check}`)

test('settings that do not go together are told, each with the setting that mends it', () => {
  const bucket = { MUSTER_FILES_KEY: 'id', MUSTER_FILES_SECRET: 'secret' }
  for (const [settings, expected, says] of [
    [{}, [], /^/],
    [{ MUSTER_BASE_URL: 'https://a.example', MUSTER_TRUST_PROXY: 'true' }, [], /^/],
    [{ MUSTER_BASE_URL: 'http://localhost:8080' }, [], /^/],
    [{ MUSTER_BASE_URL: 'http://a.example' }, ['warn tls'], /put TLS in front/],
    [{ MUSTER_BASE_URL: 'https://a.example' }, ['warn proxy'], /MUSTER_TRUST_PROXY off/],
    [{ MUSTER_HOST: '0.0.0.0' }, ['warn address'], /MUSTER_BASE_URL/],
    [{ MUSTER_HOST: '0.0.0.0', MUSTER_TRUST_PROXY: 'true' }, ['warn proxy'], /only the proxy reaches the port/],
    [bucket, ['warn settings'], /no MUSTER_FILES_URL/],
    [{ ...bucket, MUSTER_FILES_URL: 's3+http://10.0.0.3/files' }, ['warn settings'], /not encrypted/],
    [{ ...bucket, MUSTER_FILES_URL: 's3+http://127.0.0.1/files' }, [], /^/],
    [{ MUSTER_LOG_LEVEL: 'silent' }, ['warn settings'], /nobody is told/],
  ] as [{ [name: string]: string }, string[], RegExp][]) {
    const found = checkSettings(readConfig(settings))
    assert.deepEqual(told(found), expected, JSON.stringify(settings))
    for (const { says: sentence } of notFine(found)) assert.match(sentence, says)
  }
})

test('a limit of open files that is less than the server takes connections is told', () => {
  const limits = (most: number | string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files   ${most}   1048576   files\n`
  assert.deepEqual(told(openFiles(limits(1024))), ['warn open files'])
  assert.deepEqual(told(openFiles(limits(65536))), [])
  assert.deepEqual(openFiles(''), [])
  const here = execFileSync('sh', ['-c', 'ulimit -n 500; cat /proc/self/limits || true'], { encoding: 'utf8' })
  if (here) assert.match(openFiles(here)[0]?.says ?? '', /^500 at most/)
})

test('a database on a network file system is told, and one on a disk is not', () => {
  const [nfs, cifs, ext4, tmpfs] = [0x6969, -11317950, 0xef53, 0x01021994]
  for (const type of [nfs, cifs]) assert.deepEqual(told(network('/data', type)), ['bad folder'])
  for (const type of [ext4, tmpfs]) assert.deepEqual(network('/data', type), [])
})

test('a daily backup that was not proven for more than a day is told', async (t) => {
  const { app, folder } = await startApp({ t })
  const backup = async (settings: object) =>
    (await checkFolder({ ...app.config, ...settings })).filter(({ check }) => check === 'backup')
  const daily = { MUSTER_BACKUP_AT: '02:30' }
  assert.deepEqual(told(await backup({})), [])
  assert.deepEqual(told(await backup(daily)), ['warn backup'])
  for (const [hours, expected] of [
    [27, ['warn backup']],
    [2, []],
  ] as const) {
    const made_at = new Date(Date.now() - hours * 3600_000).toISOString()
    await saveVerifiedBackup(folder, { file: 'x', made_at, proven_at: made_at, bytes: 1 })
    const [found] = await backup(daily)
    assert.deepEqual(told(found ? [found] : []), expected)
    assert.match(found?.says ?? '', new RegExp(made_at))
  }
})

test('what an export left behind is told when it is a day old, and what is not ours at once', async (t) => {
  const { app, folder } = await startApp({ t })
  const leftovers = async () => (await checkFolder(app.config)).filter(({ check }) => check === 'leftovers')
  for (const name of ['export-now', 'export-then.x', 'strange.txt']) writeFileSync(join(folder, name), '')
  const then = new Date(Date.now() - 25 * 3600_000)
  utimesSync(join(folder, 'export-then.x'), then, then)
  assert.deepEqual(
    (await leftovers()).map(({ says }) => says.replace(folder, 'here')),
    ['export-then.x in here are of exports that broke off: remove them', "strange.txt in here are not Muster's"],
  )
})

test('a file that can not be read is told as such, and not as the database', async (t) => {
  const own = await startApp({ t })
  const { app, account, folder } = own
  const job = await make(own, 'job')
  const sha256 = 'ab'.repeat(32)
  await writeAt(app, account, signature, { sha256, size: 0, job_id: job.id })
  mkdirSync(join(folder, 'files', 'ab'), { recursive: true })
  // It opens, and says EIO to who reads its start.
  symlinkSync('/proc/self/mem', join(folder, 'files', 'ab', sha256))
  const found = notFine(await checkData(app.config, { all: true, sweep: false }))
  assert.deepEqual(told(found), ['bad files'])
  assert.match(found[0]?.says ?? '', new RegExp(`${sha256} can't be read \\(EIO`))
})

test('a clock that fell back or that nobody sets is told', () => {
  assert.deepEqual(told([clock('2025-12-31T23:59:59Z', true)]), ['bad clock'])
  assert.deepEqual(told([clock('2026-11-21T10:00:00Z', false)]), ['warn clock'])
  for (const synchronised of [true, null]) assert.deepEqual(told([clock('2026-11-21T10:00:00Z', synchronised)]), [])
})

test('webhooks that fail for an hour or were switched off for it are told, without their addresses', async (t) => {
  const app = await startApp({ t })
  await app.app.webhooks.stop()
  const url = 'https://hooks.example.com/hush-hush'
  const states = [
    { failing_since: new Date(Date.now() - 7200_000).toISOString() },
    { failing_since: new Date(Date.now() - 60_000).toISOString() },
    { enabled: false, disabled_reason: 'The receiver answered 410 Gone' },
    { enabled: false },
  ]
  for (const state of states) {
    const { id } = await make(app, 'webhook', { url })
    const before = await app.app.store.asSystem(app.account.id, 'a test').find(webhook, Number(id))
    assert.ok(before)
    await app.app.store.writeAsSystem(app.account.id, 'a test', (tx) => tx.update(webhook, before, state))
  }
  const found = notFine(await checkData(app.app.config, { all: false, sweep: false }))
  assert.deepEqual(told(found), ['warn webhooks'])
  const [{ says } = { says: '' }] = found
  assert.match(
    says,
    /account 1, webhook 1 fails since 20.*; account 1, webhook 3 is off: The receiver answered 410 Gone\./,
  )
  assert.doesNotMatch(says, /hush-hush|webhook [24]/)
})
