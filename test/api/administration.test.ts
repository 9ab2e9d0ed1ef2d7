import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { apiKey } from '#records/api-key'
import { backupName } from '#store/backup-folder'
import { saveVerifiedBackup } from '#store/verified-backup'
import type { WireDraft } from '#test/builders'
import { contentOf } from '#test/database-content'
import { databases } from '#test/databases'
import { hire, type Person } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { assertRefused, assertStatus, make, writeAt } from './support.ts'

/** What admins keep over the API: keys, backups, and what breaks planning in silence. */

const makeKey = async (admin: Person, draft: WireDraft = {}, status = 201) =>
  assertStatus(
    await admin.request('POST', '/v5/api_keys.json', { body: { api_key: { name: 'Accounting', ...draft } } }),
    status,
  )
const tagsWith = ({ request }: TestAccount, key: string, method = 'GET') =>
  request(method, '/v5/tags.json', { key, ...(method === 'POST' && { body: { tag: { name: 'Crane' } } }) })

for (const database of databases) {
  describe(`keys, ${database.name}`, () => {
    test('a key that an admin makes is shown once, and works until it is revoked', async (t) => {
      const app = await startApp({ t, database })
      const admin = await hire(app, { admin: 'full' })
      const { json, text } = await makeKey(admin)
      const { id, key, prefix } = json.api_key
      assert.ok(key.startsWith(prefix))
      assert.ok(text.includes(key))
      assertStatus(await tagsWith(app, key), 200)
      for (const path of [`/v5/api_keys/${id}.json`, '/v5/api_keys.json', '/v5/events.json?after_id=0'])
        assert.ok(!(await admin.request('GET', path)).text.includes(key), path)
      const revoked = assertStatus(await admin.request('DELETE', `/v5/api_keys/${id}.json`), 200).json.api_key
      assert.notEqual(revoked.revoked_at, null)
      assertStatus(await tagsWith(app, key), 401)
      const again = assertStatus(await admin.request('DELETE', `/v5/api_keys/${id}.json`), 200).json.api_key
      assert.equal(again.revoked_at, revoked.revoked_at)
    })

    test('its text is nowhere in the database, whatever key of a repeat it was made with', async (t) => {
      const app = await startApp({ t, database })
      const admin = await hire(app, { admin: 'full' })
      const asked = { body: { api_key: { name: 'Accounting' } }, headers: { 'Idempotency-Key': 'once' } }
      const [first, second] = [
        await admin.request('POST', '/v5/api_keys.json', asked),
        await admin.request('POST', '/v5/api_keys.json', asked),
      ].map((answer) => assertStatus(answer, 201).json.api_key)
      assert.notEqual(first.key, second.key)
      const content = JSON.stringify(await contentOf(app.app))
      for (const { key } of [first, second]) assert.ok(!content.includes(key))
    })

    test('it is limited as the admin says', async (t) => {
      const app = await startApp({ t, database })
      const admin = await hire(app, { admin: 'full' })
      const [mine, other] = [await make(app, 'group'), await make(app, 'group', { name: 'Other' })]
      const { key } = (await makeKey(admin, { read_only: true, group_ids: [mine.id] })).json.api_key
      assertStatus(await tagsWith(app, key), 200)
      assertStatus(await tagsWith(app, key, 'POST'), 403)
      const groups = assertStatus(await app.request('GET', '/v5/groups.json', { key }), 200).json.groups
      assert.deepEqual(
        groups.map(({ id }: WireDraft) => id),
        [mine.id],
      )
      assert.notEqual(other.id, mine.id)
      // What is the admins' is not for one that is limited.
      for (const path of ['/v5/api_keys.json', '/v5/backups.json', '/v5/readiness.json'])
        assertStatus(await app.request('GET', path, { key }), 403)
    })

    test('a dry run makes none and shows none; an end in the past is refused', async (t) => {
      const app = await startApp({ t, database })
      const admin = await hire(app, { admin: 'full' })
      const count = async () => (await admin.request('GET', '/v5/api_keys.json')).json.total_entries
      const before = await count()
      const body = { api_key: { name: 'Tried' } }
      const tried = await admin.request('POST', '/v5/api_keys.json?dry_run=true', { body })
      assert.equal(assertStatus(tried, 201).json.api_key.key, null)
      const late = { api_key: { name: 'Late', expires_at: '2020-01-01T00:00:00Z' } }
      const refused = await admin.request('POST', '/v5/api_keys.json', { body: late })
      assertRefused(refused, 422, 'Expires at must lie in the future')
      assert.equal(await count(), before)
    })

    test('no key makes, changes or revokes one, and nobody without the permission sees any', async (t) => {
      const app = await startApp({ t, database })
      const admin = await hire(app, { admin: 'full' })
      const planner = await hire(app, { jobs: 'full', schedule: 'full' })
      const { id } = (await makeKey(admin)).json.api_key
      const body = { api_key: { name: 'Mine' } }
      for (const [method, path] of [
        ['POST', '/v5/api_keys.json'],
        ['PUT', `/v5/api_keys/${id}.json`],
        ['DELETE', `/v5/api_keys/${id}.json`],
      ] as const) {
        assertStatus(await app.request(method, path, { body }), 403)
        assertStatus(await planner.request(method, path, { body }), 403)
      }
      assertStatus(await planner.request('GET', '/v5/api_keys.json'), 403)
      const other = await app.newAccount()
      const stranger = await hire(other, { admin: 'full' })
      assertStatus(await stranger.request('GET', `/v5/api_keys/${id}.json`), 404)
      assertStatus(await stranger.request('DELETE', `/v5/api_keys/${id}.json`), 404)
    })
  })

  describe(`readiness, ${database.name}`, () => {
    const findings = async ({ request }: Pick<TestAccount, 'request'>): Promise<{ [name: string]: WireDraft }> =>
      Object.fromEntries(
        assertStatus(await request('GET', '/v5/readiness.json'), 200).json.findings.map((one: WireDraft) => [
          one.name,
          one,
        ]),
      )

    /** What is so, and what mends it. */
    async function assertFound(account: TestAccount, name: string, id: unknown, mend: () => Promise<unknown>) {
      const found = (await findings(account))[name]
      assert.equal(found?.count, 1, `${name}: ${JSON.stringify(found)}`)
      assert.deepEqual(found.ids, [String(id)])
      assert.ok(found.method && found.path.startsWith('/v5/'))
      await mend()
      assert.equal((await findings(account))[name]?.count, 0, name)
    }
    const change = async (account: TestAccount, name: string, path: string, draft: WireDraft) =>
      assertStatus(await account.request('PATCH', `/v5/${path}.json`, { body: { [name]: draft } }), 200)

    test('each thing that breaks planning in silence is found, and not once it is mended', async (t) => {
      const app = await startApp({ t, database })
      const place = { formatted_address: '1 Queen Street', lat: '-36.8', lng: '174.7' }
      const group = await make(app, 'group')
      await assertFound(app, 'groups_unseen', group.id, () => hire(app, { jobs: 'full' }, { group_ids: [group.id] }))
      const worker = await make(app, 'worker', { start_location: undefined })
      await assertFound(app, 'workers_without_place', worker.id, () =>
        change(app, 'user', `users/${worker.id}`, { start_location: place }),
      )
      await assertFound(app, 'workers_without_week', worker.id, () => make(app, 'working_week', { user_id: worker.id }))
      const tag = await make(app, 'tag', { expires: true })
      const hold = (expires_at: string) =>
        change(app, 'user', `users/${worker.id}`, { tags: [{ id: tag.id, expires_at }] })
      await hold('2026-01-01T00:00:00Z')
      await assertFound(app, 'tags_expiring', worker.id, () => hold('2999-01-01T00:00:00Z'))

      const custom_fields = [
        { name: 'Swapped', type: 'checkbox', permission: 'hidden' },
        { name: 'Serial', permission: 'required', show_when: { field: 'Swapped', value: 'true' } },
      ]
      const template = await make(app, 'template', { custom_fields, planned_duration: null })
      await assertFound(app, 'templates_without_duration', template.id, () =>
        change(app, 'template', `templates/${template.id}`, { planned_duration: 3600 }),
      )
      const [first, second] = template.custom_fields
      await assertFound(app, 'fields_never_shown', template.id, () =>
        change(app, 'template', `templates/${template.id}`, {
          custom_fields: [{ ...first, permission: 'optional' }, second],
        }),
      )
      const planned = { planned_start_at: '2998-01-01T09:00:00Z', customer_name: 'Nowhere' }
      const job = await make(app, 'job', { ...planned, planned_duration: 0 })
      await assertFound(app, 'jobs_without_duration', job.id, () =>
        change(app, 'job', `jobs/${job.id}`, { planned_duration: 3600 }),
      )
      await assertFound(app, 'jobs_without_place', job.id, () =>
        change(app, 'job', `jobs/${job.id}`, { contact: { location: place } }),
      )
      const old = '2020-01-01T00:00:00.000Z'
      const draft = { name: 'Wall tablet', prefix: 'x', digest: 'y', created_at: old, last_used_at: old }
      const key = await writeAt(app.app, app.account, apiKey as never, draft)
      const admin = await hire(app, { admin: 'full' })
      await assertFound(app, 'keys_unused', key.id, () => admin.request('DELETE', `/v5/api_keys/${key.id}.json`))
    })

    test('a field that is shown from the start, or by what the worker fills in, is fine', async (t) => {
      const app = await startApp({ t, database })
      const shown = { name: 'Serial', permission: 'required', show_when: { field: 'Unit', value: 'true' } }
      for (const unit of [
        { permission: 'hidden', value: 'true' },
        { permission: 'optional', value: null },
      ])
        await make(app, 'template', {
          name: `Unit ${unit.permission}`,
          custom_fields: [{ name: 'Unit', type: 'checkbox', ...unit }, shown],
        })
      assert.equal((await findings(app)).fields_never_shown?.count, 0)
    })

    test('another account’s troubles are its own', async (t) => {
      const app = await startApp({ t, database })
      const other = await app.newAccount()
      await make(other, 'worker')
      assert.equal((await findings(app)).workers_without_week?.count, 0)
      assert.equal((await findings(other)).workers_without_week?.count, 1)
    })
  })
}

test('backups are listed newest first, with the last that was proven wherever it is, and nothing else of them', async (t) => {
  const app = await startApp({ t })
  const folder = join(app.folder, 'backups')
  await mkdir(folder)
  const names = ['2026-01-01T02:30:00.123Z', '2026-01-02T02:30:00.456Z'].map((at) => backupName(new Date(at)))
  for (const name of [...names, 'notes.txt', '.muster-trial-1']) await writeFile(join(folder, name), 'x')
  const proven = { made_at: '2026-01-03T00:00:00.000Z', proven_at: '2026-01-03T00:05:00.000Z', bytes: 1 }
  await saveVerifiedBackup(app.folder, { file: '/elsewhere/last.tar.zst', ...proven })
  assert.deepEqual(assertStatus(await app.request('GET', '/v5/backups.json'), 200).json.backups, [
    { name: 'last.tar.zst', made_at: '2026-01-03T00:00:00Z', proven_at: '2026-01-03T00:05:00Z' },
    { name: names[1], made_at: '2026-01-02T02:30:00Z', proven_at: null },
    { name: names[0], made_at: '2026-01-01T02:30:00Z', proven_at: null },
  ])
})
