import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { verbs } from '#cli/verbs'
import { described, readConfig } from '#config'
import { features } from '#fields'
import { openBlobs } from '#store/open-blobs'
import { startBucket } from '#test/bucket-server'
import { newClient } from '#test/client'
import { removeFolder, temporaryFolder } from '#test/folders'
import { signIn } from '#test/people'
import { startServer } from '#test/server-process'

const root = resolve(import.meta.dirname, '../..')
const folder = temporaryFolder()
const data = join(folder, 'data')

// One server runs all the time, on the data that the commands work on.
const server = await startServer({ MUSTER_DATA_DIR: data })
after(() => server.kill('SIGKILL'))

interface Ran {
  code: number
  out: string
  err: string
  /** The answer of a verb with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they asked for
  readonly json: any
}

/** Runs `bin/muster` as a person does. */
function musterWith(settings: { [name: string]: string }, ...words: string[]): Promise<Ran> {
  // Compiled once and not by each of these processes: half the time.
  const NODE_COMPILE_CACHE = join(folder, 'compiled')
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, MUSTER_DATA_DIR: data, ...settings }
  return new Promise<Ran>((done) => {
    execFile(join(root, 'bin/muster'), words, { cwd: folder, env }, (error, out, err) =>
      done({
        code: error ? Number(error.code) : 0,
        out,
        err,
        get json() {
          assert.equal(error, null, err)
          assert.match(out, /^.+\n$/)
          return JSON.parse(out)
        },
      }),
    )
  })
}

const muster = (...words: string[]) => musterWith({}, ...words)
const newAccount = async (name = 'Acme Field Services') => (await muster('account', 'create', name, '--json')).json
const asking = (key: string) => newClient(server.base, key)

/** Each is refused with a code, and one sentence that says what was wrong. */
async function assertRefused(cases: [words: string[], code: 1 | 2, sentence: RegExp][], settings = {}) {
  await inPairs(cases, async ([words, code, sentence]) => {
    const ran = await musterWith(settings, ...words)
    assert.match(ran.err, sentence, words.join(' '))
    assert.equal(ran.code, code, words.join(' '))
    assert.equal(ran.out, '')
    assert.match(ran.err, /^muster: /)
    assert.doesNotMatch(ran.err, /\n +at /, 'no stack')
  })
}

/** Two at a time: a process takes a core for half a second. */
async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const rest = [...items]
  const next = async (): Promise<void> => {
    const item = rest.shift()
    if (item === undefined) return
    await work(item)
    await next()
  }
  await Promise.all([next(), next()])
}

describe('help', () => {
  test('may be cut short by who reads it, like every answer', async () => {
    const env = { PATH: process.env.PATH, MUSTER_DATA_DIR: data }
    const words = ['-c', '"$0" help | true', join(root, 'bin/muster')]
    const { stderr } = await promisify(execFile)('sh', words, { env })
    assert.equal(stderr, '')
  })

  test('muster --help lists every verb, and muster VERB --help tells its words and flags', async () => {
    const { out, code } = await muster('--help')
    assert.equal(code, 0)
    for (const name of Object.keys(verbs)) assert.match(out, new RegExp(`^  ${name} +[A-Z]`, 'm'))
    await inPairs(['serve', 'account feature', 'key create', 'doctor'], async (name) => {
      const { usage = '', options = {} } = verbs[name] ?? {}
      const help = await muster(...name.split(' '), '--help')
      assert.equal(help.code, 0)
      assert.ok(help.out.startsWith(['muster', name, usage].filter(Boolean).join(' ')), help.out)
      for (const flag of Object.keys(options)) assert.match(help.out, new RegExp(`^  --${flag}`, 'm'))
    })
  })

  test('a word that is no verb, half a verb, and a flag that is none are refused with what there is', () =>
    assertRefused([
      [['frobnicate'], 2, /there is no verb "frobnicate"[\s\S]*account create/],
      [['key'], 2, /say which: key create, key list, key revoke/],
      [['account', 'list', '--loud'], 2, /--loud[\s\S]*usage: muster account list/],
      [['account', 'create'], 2, /usage: muster account create NAME/],
      [['migrate', 'now'], 2, /usage: muster migrate/],
    ]))
})

describe('settings', () => {
  test('docs/operating.md lists every setting with its default', () => {
    const rows = readFileSync(join(root, 'docs/operating.md'), 'utf8').match(/^\| `MUSTER_.*$/gm)
    const cell = (text: string) => (text === '' ? ' ' : ` ${text} `)
    assert.deepEqual(
      rows,
      described.map(
        ({ name, fallback, about }) => `|${cell(`\`${name}\``)}|${cell(fallback && `\`${fallback}\``)}|${cell(about)}|`,
      ),
    )
  })

  test('an unknown MUSTER_* or a bad value stops every verb with a sentence', async () => {
    await assertRefused([[['account', 'list'], 2, /MUSTER_PROT is not a setting of Muster; there are MUSTER_HOST/]], {
      MUSTER_PROT: '8080',
    })
    await assertRefused([[['serve'], 2, /MUSTER_PORT must be a whole number from 0 to 65535, and is "80a"/]], {
      MUSTER_PORT: '80a',
    })
  })

  test('a folder that can not be made is told in a sentence, with the setting that names it', async () => {
    writeFileSync(join(folder, 'file'), '')
    const settings = { MUSTER_DATA_DIR: join(folder, 'file') }
    await assertRefused([[['account', 'list'], 1, /the data folder can't be made: .* is a file/]], settings)
    // A folder that is there and takes no other.
    const began = Date.now()
    await assertRefused([[['serve'], 1, /the data folder can't be made: .*; set MUSTER_DATA_DIR/]], {
      MUSTER_DATA_DIR: '/proc/muster',
    })
    const elsewhere = { MUSTER_DATA_DIR: join(folder, 'here'), MUSTER_DATABASE_URL: 'sqlite:/proc/muster/muster.db' }
    const told = /the folder of the database can't be made: .*; set MUSTER_DATABASE_URL/
    await assertRefused(
      [
        [['serve'], 1, told],
        [['account', 'list'], 1, told],
      ],
      elsewhere,
    )
    await assertRefused([[['backup'], 1, /the folder of backups can't be made: .*; set MUSTER_BACKUP_DIR/]], {
      MUSTER_DATA_DIR: join(folder, 'here'),
      MUSTER_BACKUP_DIR: '/proc/muster',
    })
    assert.ok(Date.now() - began < 60_000)
  })
})

describe('serve', () => {
  test('its first start makes an account, and prints address, sign-in, key and a curl to try; others read nothing of it', () => {
    const printed = server.printed()
    for (const piece of [server.base, 'admin@account-1.local', 'Admin password', `api_key=${server.key}`, 'curl'])
      assert.ok(printed.includes(piece), piece)
    assert.equal(statSync(data).mode & 0o777, 0o700)
  })

  test('a port in use is told in a sentence', async () => {
    const other = join(folder, 'other')
    const settings = { MUSTER_PORT: new URL(server.base).port, MUSTER_LOG_LEVEL: 'silent', MUSTER_DATA_DIR: other }
    await assertRefused([[['serve'], 1, /the address is in use: .*set MUSTER_PORT to another port/]], settings)
  })

  test('an address of nobody, and a PostgreSQL that is not there, are told with their settings', async () => {
    const settings = { MUSTER_PORT: '0', MUSTER_LOG_LEVEL: 'silent', MUSTER_DATA_DIR: join(folder, 'nowhere') }
    for (const MUSTER_HOST of ['bad.invalid', '192.0.2.1'])
      await assertRefused([[['serve'], 1, /can't listen there: .*; set MUSTER_HOST/]], { ...settings, MUSTER_HOST })
    const there = { ...settings, MUSTER_DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' }
    for (const verb of [['serve'], ['account', 'list']])
      await assertRefused([[verb, 1, /PostgreSQL can't be used: .*127\.0\.0\.1:1; see MUSTER_DATABASE_URL/]], there)
  })

  test('a second server on the same file of SQLite, or a command that replaces it, is refused as long as the first one lives', async () => {
    const settings = { MUSTER_DATA_DIR: join(folder, 'held'), MUSTER_PORT: '0', MUSTER_LOG_LEVEL: 'silent' }
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const first = await startServer(settings)
      await assertRefused(
        [[['serve'], 1, /another server runs on .*muster\.db, and SQLite is served by one/]],
        settings,
      )
      // Its database was moved away under it, say: nothing is put in its place.
      renameSync(join(folder, 'held/muster.db'), join(folder, 'held/aside'))
      const stop = /a server runs on .*muster\.db: stop it first\. Nothing was changed/
      await assertRefused([[['restore', join(folder, 'any.tar.zst')], 1, stop]], settings)
      renameSync(join(folder, 'held/aside'), join(folder, 'held/muster.db'))
      const [held, free] = [`sqlite:${join(folder, 'held/muster.db')}`, `sqlite:${join(folder, 'free.db')}`]
      await assertRefused(
        [
          [['migrate-data', '--from', held, '--to', free], 1, stop],
          [['migrate-data', '--from', free, '--to', held], 1, stop],
        ],
        {},
      )
      first.kill(signal)
      await first.ended
    }
    const next = await startServer(settings)
    next.kill('SIGTERM')
    assert.equal(await next.ended, 0)
  })

  test('a server that is killed leaves what it compiled to the next start', async () => {
    const NODE_COMPILE_CACHE = join(folder, 'compiled-by-a-server')
    const killed = await startServer({ MUSTER_DATA_DIR: join(folder, 'killed'), NODE_COMPILE_CACHE })
    killed.kill('SIGKILL')
    await killed.ended
    assert.ok(readdirSync(NODE_COMPILE_CACHE, { recursive: true }).length > 100)
  })

  test('a connection on which nothing was said does not hold up its end', async (t) => {
    const stopping = await startServer({ MUSTER_DATA_DIR: join(folder, 'stopping') })
    const { hostname, port } = new URL(stopping.base)
    const silent = connect(Number(port), hostname)
    t.after(() => silent.destroy())
    await once(silent, 'connect')
    // Accepted by then: connections are taken in their order.
    assert.equal((await fetch(`${stopping.base}/healthz`)).status, 200)
    const began = performance.now()
    stopping.kill('SIGTERM')
    assert.equal(await stopping.ended, 0)
    assert.ok(performance.now() - began < 15_000)
  })

  test('several processes are for PostgreSQL, and a number', async () => {
    await assertRefused([
      [['serve', '--processes', '2'], 2, /several processes need PostgreSQL: SQLite is served by one/],
      [['serve', '--processes', 'x'], 2, /--processes must be a whole number from 1 to 256/],
      [['serve', '--processes', '0'], 2, /--processes must be a whole number/],
    ])
  })
})

describe('account', () => {
  test('create prints account_id, api_key, admin_email, admin_password; the key works at once on a running server', async () => {
    const made = await newAccount('Åse & Sons')
    assert.deepEqual(Object.keys(made), ['account_id', 'api_key', 'admin_email', 'admin_password'])
    const users = (await asking(made.api_key)('GET', '/v5/users.json')).json.users
    assert.deepEqual(
      users.map(({ email, permissions }: { email: string; permissions: { admin: string } }) => [
        email,
        permissions.admin,
      ]),
      [[made.admin_email, 'full']],
    )
    assert.ok(made.admin_password.length >= 16)
  })

  test('create without --json says the same to a person, once', async () => {
    const { out } = await muster('account', 'create', 'Acme', '--time-zone', 'America/Lima')
    assert.match(out, /shown once[\s\S]*account_id +\d+\n +api_key +\S+\n +admin_email +\S+\n +admin_password +\S+\s*$/)
    const shown = (await muster('account', 'show', /account_id +(\d+)/.exec(out)?.[1] ?? '', '--json')).json
    assert.equal(shown.time_zone, 'America/Lima')
    assert.deepEqual(shown.features, Object.fromEntries(features.map((name) => [name, true])))
    assert.equal(JSON.stringify(shown).includes('key'), false)
  })

  test('list has every account, for people and for programs', async () => {
    const made = await newAccount('Listed Ltd')
    const listed = (await muster('account', 'list', '--json')).json
    assert.equal(listed[0].id, 1)
    assert.equal(listed.find(({ id }: { id: number }) => id === made.account_id).name, 'Listed Ltd')
    assert.match((await muster('account', 'list')).out, new RegExp(`^${made.account_id} +Listed Ltd +UTC +2`, 'm'))
  })

  test('feature off makes its routes 404 on a running server, and on brings them back', async () => {
    const made = await newAccount()
    const status = async () => (await asking(made.api_key)('GET', '/v5/assets.json')).status
    assert.equal(await status(), 200)
    const off = await muster('account', 'feature', String(made.account_id), 'assets', 'off', '--json')
    assert.deepEqual([off.json.features.assets, off.json.features.groups], [false, true])
    assert.equal(await status(), 404)
    const on = await muster('account', 'feature', String(made.account_id), 'assets', 'on')
    assert.match(on.out, /assets is on for account/)
    assert.equal(await status(), 200)
  })

  test('set changes what an account is and how it works, at once on a running server', async () => {
    const made = await newAccount()
    const id = String(made.account_id)
    const ask = asking(made.api_key)
    const publish = async () => {
      const worker = await ask('POST', '/v5/workers.json', {
        body: { worker: { name: 'Ana', email: 'ana@example.com' } },
      })
      const job = { customer_name: 'A', steps: [{ name: 'Go' }], worker_id: worker.json.worker.id }
      const published = { ...job, published_at: '2026-11-20T09:00:00Z' }
      return (await ask('POST', '/v5/jobs.json', { body: { job: published } })).json.job.confirmation
    }
    const set = await muster('account', 'set', id, 'settings.asks_acceptance', 'true', '--json')
    assert.equal(set.json.settings.asks_acceptance, true)
    assert.equal(await publish(), 'pending')
    for (const [name, ...values] of [
      ['name', 'Acme North'],
      ['time_zone', 'Pacific/Auckland'],
      ['units', 'miles'],
      ['currency', 'NZD'],
      ['settings.auto_decline_after', '3600'],
      ['settings.decline_reasons', 'Too far', 'No time'],
    ])
      assert.equal((await muster('account', 'set', id, name as string, ...values)).code, 0, name)
    const { json } = await muster('account', 'show', id, '--json')
    assert.deepEqual(
      [json.name, json.time_zone, json.units, json.currency],
      ['Acme North', 'Pacific/Auckland', 'miles', 'NZD'],
    )
    assert.deepEqual(
      [json.settings.asks_acceptance, json.settings.auto_decline_after, json.settings.decline_reasons],
      [true, 3600, ['Too far', 'No time']],
    )
    const cleared = await muster('account', 'set', id, 'settings.decline_reasons', '')
    assert.match(cleared.out, /^settings\.decline_reasons is none for account /)
  })

  test('what can not be set is refused with a sentence, and nothing changes', async () => {
    const id = String((await newAccount()).account_id)
    const before = (await muster('account', 'show', id, '--json')).out
    const set = (...words: string[]) => ['account', 'set', id, ...words]
    await assertRefused([
      [set('settings.no_such', '1'), 2, /there is no "settings.no_such" to set; there are name, time_zone, units/],
      [set('features.quotes', 'false'), 2, /there is no "features.quotes"/],
      [set('settings.asks_acceptance', 'perhaps'), 1, /Settings asks acceptance is invalid/],
      [set('settings.auto_accept_after', '1.5'), 1, /Settings auto accept after must be an integer/],
      [set('time_zone', 'Mars'), 1, /Time zone is invalid\. Give an IANA name/],
      [set('currency', 'nzd'), 1, /Currency is invalid\. Give an ISO 4217 code/],
      [set('name', ''), 1, /Name can't be blank/],
      [set('units', 'km', 'miles'), 2, /units takes one value/],
    ])
    assert.equal((await muster('account', 'show', id, '--json')).out, before)
  })

  test('delete asks for the name, writes an export first, and is final at once for a running server', async (t) => {
    const { account_id, api_key } = await newAccount('Leaving Ltd')
    const elsewhere = temporaryFolder()
    t.after(() => removeFolder(elsewhere))
    const file = join(elsewhere, 'leaving.tar.gz')
    const ask = asking(api_key)
    assert.equal((await ask('POST', '/v5/tags.json', { body: { tag: { name: 'Forklift' } } })).status, 201)
    const words = ['account', 'delete', String(account_id), file]
    await assertRefused([
      [words, 2, /say --name "Leaving Ltd"/],
      [[...words, '--name', 'Acme'], 2, /say --name "Leaving Ltd"/],
      [['account', 'delete', '999', file, '--name', 'x'], 1, /there is no account 999/],
    ])
    assert.equal((await ask('GET', '/v5/tags.json')).json.tags.length, 1)
    assert.match((await muster(...words, '--name', 'Leaving Ltd')).out, /Wrote account .*\nDeleted it with \d+ rows/)
    assert.equal((await ask('GET', '/v5/tags.json')).status, 401)
    await assertRefused([[['account', 'show', String(account_id)], 1, /there is no account/]])
    const into = await newAccount('Coming Ltd')
    assert.equal((await muster('import', String(into.account_id), file)).code, 0)
    assert.equal((await asking(into.api_key)('GET', '/v5/tags.json')).json.tags[0].name, 'Forklift')
  })

  test('what can not be is refused with a sentence, and nothing is made', async () => {
    const count = async () => (await muster('account', 'list', '--json')).json.length
    const before = await count()
    await assertRefused([
      [['account', 'create', ' '], 1, /Name can't be blank/],
      [['account', 'create', 'x'.repeat(256)], 1, /Name is too long \(maximum is 255 characters\)/],
      [['account', 'create', 'Acme', '--time-zone', 'Mars/Base'], 1, /Time zone is invalid. Give an IANA name/],
      [['account', 'show', '999'], 1, /there is no account 999 in .*muster account list/],
      [['account', 'show', 'Acme'], 2, /the account is given by its number, and not "Acme"/],
      [['account', 'feature', '1', 'teleport', 'on'], 2, /there is no feature "teleport"; there are groups, assets/],
      [['account', 'feature', '1', 'assets', 'maybe'], 2, /say on or off, and not "maybe"/],
      [['account', 'feature', '999', 'assets', 'on'], 1, /there is no account 999/],
    ])
    assert.equal(await count(), before)
  })
})

describe('key', () => {
  test('create prints a key that may what was said: read only, some groups, until an instant', async () => {
    const { account_id, api_key } = await newAccount()
    const ask = asking(api_key)
    const groups = []
    for (const name of ['North', 'South']) {
      const group = (await ask('POST', '/v5/groups.json', { body: { group: { name } } })).json.group
      await ask('POST', '/v5/equipment.json', { body: { equipment: { name: `Lift ${name}`, group_ids: [group.id] } } })
      groups.push(group.id)
    }
    const flags = [
      '--name',
      'Accounting',
      '--read-only',
      '--groups',
      String(groups[0]),
      '--expires',
      '2099-01-31T12:00Z',
    ]
    const made = (await muster('key', 'create', String(account_id), ...flags, '--json')).json
    assert.deepEqual(Object.keys(made), ['account_id', 'id', 'api_key'])

    const limited = asking(made.api_key)
    const seen = (await limited('GET', '/v5/equipment.json')).json.equipment
    assert.deepEqual(
      seen.map(({ name }: { name: string }) => name),
      ['Lift North'],
    )
    assert.equal((await limited('POST', '/v5/equipment.json', { body: { equipment: { name: 'Van' } } })).status, 403)

    const all = (await muster('key', 'list', String(account_id), '--json')).json
    const { created_at, last_used_at, ...listed } = all.find(({ id }: { id: number }) => id === made.id)
    assert.deepEqual(listed, {
      id: made.id,
      name: 'Accounting',
      prefix: made.api_key.slice(0, 6),
      read_only: true,
      gzip_optional: false,
      group_ids: [groups[0]],
      expires_at: '2099-01-31T12:00:00Z',
      revoked_at: null,
      updated_at: created_at,
    })
    assert.ok(last_used_at === null || last_used_at >= created_at)
  })

  test('revoke ends a key at once, also on a running server; the others go on', async () => {
    const { account_id, api_key } = await newAccount()
    const made = (await muster('key', 'create', String(account_id), '--json')).json
    const status = async (key: string) => (await asking(key)('GET', '/v5/tags.json')).status
    assert.deepEqual([await status(api_key), await status(made.api_key)], [200, 200])
    const revoked = (await muster('key', 'revoke', String(account_id), String(made.id), '--json')).json
    assert.match(revoked.revoked_at, /^2.*Z$/)
    assert.deepEqual([await status(api_key), await status(made.api_key)], [200, 401])

    const again = await muster('key', 'revoke', String(account_id), String(made.id))
    assert.match(again.out, /is revoked since/)
    const { out } = await muster('key', 'list', String(account_id))
    assert.match(out, /^ID +NAME +PREFIX +MAY +GROUPS +EXPIRES +REVOKED +LAST USED +CREATED\n/)
    for (const key of [api_key, made.api_key]) assert.equal(out.includes(key), false, 'no key is shown twice')
  })

  test('a key is kept nowhere: its text is in no file of the data folder', async () => {
    const api_key = server.key ?? ''
    assert.equal((await asking(api_key)('GET', '/v5/tags.json')).status, 200)
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { parentPath, name } of files)
      assert.equal(readFileSync(join(parentPath, name)).includes(api_key), false)
  })

  test('what can not be is refused with a sentence', async () => {
    const group = await asking(server.key ?? '')('POST', '/v5/groups.json', { body: { group: { name: 'Theirs' } } })
    const id = String((await newAccount()).account_id)
    await assertRefused([
      [['key', 'create', '999'], 1, /there is no account 999/],
      [['key', 'create', id, '--expires', 'tomorrow'], 2, /--expires takes an instant such as .*, and not "tomorrow"/],
      [['key', 'create', id, '--expires', '2001-01-01'], 2, /--expires lies in the past: 2001-01-01/],
      [['key', 'create', id, '--groups', 'north'], 2, /--groups takes ids of groups with commas, such as 1,2/],
      [['key', 'create', id, '--groups', '99999'], 1, /Group ids 99999 does not exist/],
      [['key', 'create', id, '--groups', String(group.json.group.id)], 1, /Group ids \d+ does not exist/],
      [['key', 'create', id, '--name', ''], 2, /--name takes 1 to 255 characters/],
      [['key', 'list', '0'], 2, /the account is given by its number/],
      [['key', 'revoke', id, '99999'], 1, /account \d+ has no key 99999; muster key list/],
    ])
  })
})

describe('demo', async () => {
  const ran = await muster('demo', '--json')
  const made = ran.json
  const ask = asking(made.api_key)
  // biome-ignore lint/suspicious/noExplicitAny: records of any type
  const all = async (plural: string, path = plural): Promise<any[]> =>
    (await ask('GET', `/v5/${path}.json?per_page=1000`)).json[plural]
  const [users, jobs, tags] = [await all('users'), await all('jobs'), await all('tags')]
  const now = new Date().toISOString()

  test('prints account_id, api_key, signature_id, attachment_id, admin_email, admin_password and people', () => {
    const names = ['account_id', 'api_key', 'signature_id', 'attachment_id', 'admin_email', 'admin_password', 'people']
    assert.deepEqual(Object.keys(made), names)
  })

  test('tells of everybody a password of their own, with which they sign in', async () => {
    const { people } = made as { people: { name: string; email: string; password: string }[] }
    assert.equal(people.length, users.length - 1, 'all but the admin')
    assert.equal(new Set([made.admin_password, ...people.map(({ password }) => password)]).size, users.length)
    const answers = await Promise.all(people.map(({ email, password }) => signIn(ask, email, password)))
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.session.user_name]),
      people.map(({ name }) => [201, name]),
    )
  })

  test('is what its people did: workers their jobs, the office the rest, each message its author', async () => {
    const worked = jobs.filter(({ progress_state }) => progress_state !== 'not_started')
    for (const { worker_id, steps, confirmation } of worked) {
      assert.equal(confirmation, 'accepted')
      for (const { completed_at, completed_by_user_id } of steps)
        assert.equal(completed_by_user_id, completed_at ? worker_id : null)
    }
    const { events } = (await ask('GET', `/v5/jobs/${worked[0].id}/history.json`)).json
    const did = events.map(({ actor }: { actor: { kind: string; id: number } }) => `${actor.kind} ${actor.id}`)
    assert.equal(did.at(-1), `user ${worked[0].worker_id}`)
    assert.ok(did.every((who: string) => who.startsWith('user ')) && did[0] !== did.at(-1), did.join())
    for (const { messages } of await all('threads', 'messaging'))
      for (const { from_user_id, read_by_user_ids } of messages) assert.ok(read_by_user_ids.includes(from_user_id))
    const moved = users.filter(({ latest_telemetry }) => Number(latest_telemetry?.speed) >= 0)
    assert.equal(moved.length, 12)
    const way = (await ask('GET', `/v5/users/${moved[0].id}/telemetry.json`)).json
    assert.equal(way.total_entries, 8)
  })

  test('has real images: a PNG for the signature, a JPEG for the photo, both in the custom fields of a job', async () => {
    const signature = await ask('GET', `/v5/signatures/${made.signature_id}.png`)
    const photo = await ask('GET', `/v5/attachments/${made.attachment_id}.jpeg`)
    assert.deepEqual([signature.status, photo.status], [200, 200])
    const [png, jpeg] = await Promise.all([sharp(signature.body).metadata(), sharp(photo.body).metadata()])
    assert.equal(png.format, 'png')
    assert.deepEqual([jpeg.format, jpeg.width, jpeg.height], ['jpeg', 1024, 768])
    const { entropy } = await sharp(photo.body).stats()
    assert.ok(entropy > 5, 'a photo has grain')
    const job = jobs.find(({ custom_fields }) =>
      custom_fields.some((field: { signature_id?: string }) => field.signature_id === made.signature_id),
    )
    assert.ok(job.custom_fields.some((field: { attachment_id?: string }) => field.attachment_id === made.attachment_id))
    assert.equal(job.progress_state, 'completed')
  })

  test('has three dispatchers and twelve workers with phones, places and tags, one expired and one about to', () => {
    const workers = users.filter(({ permissions }) => permissions.mobile === 'full')
    const dispatchers = users.filter(
      ({ email, permissions }) => permissions.schedule === 'full' && !email.startsWith('admin@'),
    )
    assert.deepEqual([workers.length, dispatchers.length], [12, 3])
    for (const { phone, start_location, group_ids } of workers)
      assert.ok(/^\+\d/.test(phone) && start_location.lat && group_ids.length === 1)
    const week = new Date(Date.parse(now) + 7 * 86_400_000).toISOString()
    const dates = workers.flatMap((worker) => worker.tags.map((tag: { expires_at: string | null }) => tag.expires_at))
    assert.ok(dates.some((date) => date !== null && date < now))
    assert.ok(dates.some((date) => date !== null && date > now && date < week))
    assert.ok(tags.length >= 6 && tags.some(({ expires }) => expires) && tags.some(({ expires }) => !expires))
  })

  test('has groups, equipment, assets, customers on the map, two pricebooks, templates', async () => {
    const [groups, equipment, assets] = [await all('groups'), await all('equipment'), await all('assets')]
    assert.equal(groups.length, 4)
    assert.ok(equipment.length >= 6 && equipment.some(({ tag_ids }) => tag_ids.length > 0))
    assert.ok(assets.every(({ customer_id, location }) => customer_id && location.lat))
    assert.equal(assets.filter(({ enabled }) => !enabled).length, 1)
    const customers = await all('customers')
    assert.ok(customers.length >= 20)
    for (const { delivery_contact } of customers)
      assert.ok(Math.abs(Number(delivery_contact.location.lat) + 36.9) < 0.25, 'one city')
    const books = await all('pricebooks')
    assert.deepEqual(
      books.map(({ pricebook_items }) => pricebook_items.length >= 30),
      [true, true],
    )
    assert.equal((await all('templates')).length, 3)
  })

  test('has a week of jobs around today: done, under way, to come, and waiting for somebody', () => {
    const count = (test: (job: (typeof jobs)[number]) => boolean) => jobs.filter(test).length
    assert.ok(count(({ progress_state }) => progress_state === 'completed') > 20)
    assert.ok(count(({ progress_state }) => progress_state === 'started') >= 3)
    for (const state of ['unallocated', 'allocated', 'assigned'])
      assert.ok(count((job) => job.state === state && job.progress_state === 'not_started') > 0, state)
    const types = new Set(jobs.flatMap((job) => job.custom_fields.map(({ type }: { type: string }) => type)))
    assert.ok(types.size >= 11, [...types].join(' '))
    for (const { completed_at, actual_start_at } of jobs)
      assert.ok((completed_at ?? actual_start_at ?? now) <= now, 'nothing is done before its time')
  })

  test('nobody is in two places at once, and everybody holds the tags of their jobs', () => {
    const end = ({ planned_start_at, planned_duration }: (typeof jobs)[number]) =>
      new Date(Date.parse(planned_start_at) + planned_duration * 1000).toISOString()
    const taken = jobs.filter(({ worker_id, planned_start_at }) => worker_id && planned_start_at)
    for (const job of taken) {
      const { tags: held } = users.find(({ id }) => id === job.worker_id)
      for (const id of job.tag_ids)
        assert.ok(held.some((tag: { id: number; expires_at: string }) => tag.id === id && tag.expires_at > end(job)))
      for (const other of taken)
        if (other.id !== job.id && other.worker_id === job.worker_id)
          assert.ok(end(other) <= job.planned_start_at || end(job) <= other.planned_start_at, `${job.id} ${other.id}`)
    }
  })

  test('has threads, some about a job and then for its worker too', async () => {
    const threads = await all('threads', 'messaging')
    assert.ok(threads.length >= 5)
    assert.ok(threads.every(({ messages }) => messages.length > 0))
    const about = threads.filter(({ job_id }) => job_id)
    assert.ok(about.length >= 2)
    for (const { job_id, user_ids } of about)
      assert.ok(user_ids.includes(jobs.find(({ id }) => id === job_id).worker_id))
  })

  test('makes another account each time', async () => {
    const { out } = await muster('demo')
    assert.match(
      out,
      /Made a demo[\s\S]*account_id +\d+\n[\s\S]*signature_id +\S{36}\n[\s\S]*admin_password[\s\S]*\n {2}Ana Reyes +\S+@\S+ +\S{16}\n/,
    )
    assert.notEqual(Number(/account_id +(\d+)/.exec(out)?.[1]), made.account_id)
  })
})

describe('migrate', () => {
  test('says what it did, and the next time that there is nothing to do', async () => {
    const settings = { MUSTER_DATA_DIR: join(folder, 'fresh') }
    const first = (await musterWith(settings, 'migrate', '--json')).json
    assert.deepEqual(Object.keys(first), ['migrated'])
    assert.equal(first.migrated[0], '0001-start')
    assert.equal((await musterWith(settings, 'migrate')).out, 'The database is up to date\n')
  })
})

describe('doctor', () => {
  interface Check {
    check: string
    state: string
    says: string
  }
  /** What isn't fine in some data folder, beside the exit code. */
  async function found(settings: { [name: string]: string }, ...flags: string[]): Promise<[number, string[]]> {
    const { code, out } = await musterWith(settings, 'doctor', '--json', ...flags)
    const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] }
    assert.equal(ok, code === 0)
    // How the machine is set up that the tests run on, is its own affair.
    const ours = checks.filter(({ check, state }) => state !== 'ok' && !['clock', 'open files'].includes(check))
    return [code, ours.map(({ check, state }) => `${state} ${check}`)]
  }

  test('finds nothing wrong with a running server, and says a line for each thing it looked at', async () => {
    const ran = await musterWith({ MUSTER_PORT: new URL(server.base).port }, 'doctor', '--all')
    assert.equal(ran.code, 0, ran.out)
    assert.match(ran.out, /^ok +port +a running Muster answers/m)
    assert.match(ran.out, /^ok +files +\d+ files/m)
    for (const check of ['node', 'zones', 'settings', 'folder', 'disk', 'database', 'migrations'])
      assert.match(ran.out, new RegExp(`^ok +${check} `, 'm'))
  })

  test('looks at a place where nothing is yet, and makes nothing there', async () => {
    const place = join(folder, 'nothing')
    assert.deepEqual(await found({ MUSTER_DATA_DIR: place, MUSTER_PORT: '0' }), [0, []])
    assert.equal(existsSync(place), false)
  })

  test('tells bad settings, a port that another program has, and an address that clients can not use', async () => {
    assert.deepEqual(await found({ MUSTER_PROT: '1' }), [1, ['bad settings']])
    const port = await otherProgram()
    assert.deepEqual(await found({ MUSTER_PORT: port.number }), [1, ['bad port']])
    await port.close()
    assert.deepEqual(await found({ MUSTER_HOST: '0.0.0.0', MUSTER_PORT: '0' }), [0, ['warn address', 'warn tls']])
  })

  test('tells a file that is missing, one that has other bytes, what is left over, and a folder that all may read', async () => {
    const settings = { MUSTER_PORT: '0' }
    const files = readdirSync(join(data, 'files'), { recursive: true, withFileTypes: true })
    const [first] = files.filter((entry) => entry.isFile())
    assert.ok(first)
    const path = join(first.parentPath, first.name)
    const bytes = readFileSync(path)
    rmSync(path)
    assert.deepEqual(await found(settings), [1, ['bad files']])
    writeFileSync(path, Buffer.alloc(bytes.length))
    assert.deepEqual(await found(settings, '--all'), [1, ['bad files']])
    writeFileSync(path, bytes)
    writeFileSync(join(data, 'notes.txt'), '')
    chmodSync(data, 0o755)
    assert.deepEqual(await found(settings), [0, ['warn folder', 'warn leftovers']])
  })

  test('tries a bucket of files, tells what is missing in it, and why it can not be used', async () => {
    await using bucket = await startBucket()
    const settings = { MUSTER_PORT: '0', ...bucket.settings }
    const bad = async (...flags: string[]) =>
      (await found(settings, ...flags))[1].filter((line) => line.startsWith('bad'))
    assert.deepEqual(await bad(), ['bad files'])
    const blobs = openBlobs(readConfig({ MUSTER_DATA_DIR: data, ...bucket.settings }))
    for (const entry of readdirSync(join(data, 'files'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await blobs.put(readFileSync(join(entry.parentPath, entry.name)))
    assert.deepEqual(
      (await found(settings, '--all'))[1].filter((line) => line.includes('files')),
      [],
    )
    bucket.instead = () => 403
    const { out } = await musterWith(settings, 'doctor')
    assert.match(out, /^bad +files +s3\+http:.*can't be used, it answers 403.*MUSTER_FILES/m)
    bucket.instead = null
    const refused = await musterWith({ ...settings, MUSTER_FILES_SECRET: 'wrong' }, 'doctor')
    assert.match(refused.out, /^bad +files +.*it answers 403 SignatureDoesNotMatch/m)
  })

  test('tells a database that is none, and stays calm', async () => {
    const place = join(folder, 'broken')
    mkdirSync(place, { mode: 0o700 })
    writeFileSync(join(place, 'muster.db'), 'this is no database, but it is long enough to look like a file with pages')
    const settings = { MUSTER_DATA_DIR: place, MUSTER_PORT: '0' }
    assert.deepEqual(await found(settings), [1, ['bad database']])
    await assertRefused([[['account', 'list'], 1, /the database says: .*muster doctor tells more/]], settings)
  })
})

describe('a stop', () => {
  test('by SIGTERM ends with exit code 0; the next start prints no secret', async () => {
    const settings = { MUSTER_DATA_DIR: join(folder, 'stopped') }
    const first = await startServer(settings)
    first.kill('SIGTERM')
    assert.equal(await first.ended, 0)
    const second = await startServer(settings)
    assert.equal(second.key, null)
    assert.doesNotMatch(second.printed(), /password|api_key/i)
    second.kill('SIGINT')
    assert.equal(await second.ended, 0)
  })
})

async function otherProgram() {
  const { createServer } = await import('node:http')
  const other = createServer((_, answer) => answer.end('hello'))
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const address = other.address()
  return {
    number: String(typeof address === 'object' ? address?.port : ''),
    close: () => new Promise((done) => other.close(done)),
  }
}
