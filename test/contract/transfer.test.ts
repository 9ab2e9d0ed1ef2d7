import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { records } from '#records'
import { exportOf, importInto, contentOf as linesOf, packed } from '#test/archives'
import { addresses, collectionOf, fullDraftOf, make } from '#test/builders'
import { contentOf } from '#test/database-content'
import { databases } from '#test/databases'
import { hire } from '#test/people'
import { startApp, type TestAccount, type TestApp } from '#test/test-app'
import { dependencyOrder, exportable, importable, isSettable } from '#transfer/selection'

test('each record comes in after all that it refers to, but for the other end of a relation', () => {
  const order = dependencyOrder(records)
  for (const [i, record] of order.entries())
    for (const [name, field] of Object.entries(record.fields)) {
      const place = order.findIndex(({ name }) => name === field.target)
      if (place <= i || !isSettable(record, name, field)) continue
      const back = Object.values(order[place]?.fields ?? {}).some(({ through }) => through && through === field.through)
      assert.ok(back, `${record.name}.${name}`)
    }
})

for (const database of databases)
  describe(`an account that leaves one place for another, on ${database.name}`, () => {
    let app: TestApp
    let full: TestAccount
    before(async () => {
      app = await startApp({ database })
      full = await app.newAccount()
      await fill(full)
    })
    after(() => app.close())

    for (const format of ['json', 'csv'] as const)
      test(`says there, in ${format}, what it said here: but for ids, for times and for what the server finds out`, async () => {
        const here = await exportOf(app, full)
        const archive = await exportOf(app, full, format)
        for (const { plural } of exportable(app.app.records))
          assert.ok((here.manifest.records[plural] ?? 0) > 0, plural)
        assert.equal(here.manifest.files, 3)
        const other = await app.newAccount()

        const before = await contentOf(app.app)
        const rehearsed = await importInto(app, other, archive.path, true)
        assert.deepEqual(rehearsed.errors, [])
        assert.deepEqual(await contentOf(app.app), before, 'a dry run changes nothing')

        const report = await importInto(app, other, archive.path)
        assert.deepEqual({ ...report, dry_run: true }, rehearsed, 'and tells what will be')
        for (const { plural } of importable(app.app.records)) {
          const { created = 0, updated = 0, ...rest } = report.records[plural] ?? {}
          // The admin that every account begins with is found by their name.
          assert.equal(updated, plural === 'users' ? 1 : 0)
          assert.equal(created + updated, here.manifest.records[plural], plural)
          assert.deepEqual(rest, { unchanged: 0, refused: 0 })
        }
        const { webhooks: _, ...said } = linesOf(app.app.records, here)
        const there = await exportOf(app, other)
        const { webhooks, ...found } = linesOf(app.app.records, there)
        assert.deepEqual(found, said)
        assert.deepEqual(webhooks, [], 'their secrets stay behind')

        const kept = await contentOf(app.app)
        for (const { path } of [archive, here, there]) {
          const again = await importInto(app, other, path)
          assert.deepEqual(again.errors, [])
          for (const [plural, { unchanged, ...counts }] of Object.entries(again.records))
            assert.deepEqual(counts, { created: 0, updated: 0, refused: 0 }, plural)
        }
        assert.deepEqual(withoutKeys(await contentOf(app.app)), withoutKeys(kept), 'a repeat changes nothing')
      })

    test('may be unpacked and packed again in any order', async () => {
      const archive = await exportOf(app, full)
      const files = [...archive.files].map(([name, bytes]): [string, Buffer] => [`./${name}`, bytes])
      const path = await packed(join(app.folder, `${database.name}-reversed.tar.gz`), files.toReversed())
      const report = await importInto(app, await app.newAccount(), path)
      assert.deepEqual(report.errors, [])
      assert.equal(report.files, 3)
    })

    test('comes back into itself with what was deleted since, and with what refers to it', async () => {
      const account = await app.newAccount()
      const group = await make(account, address('group'))
      const customer = await make(account, address('customer'), { group_ids: [group.id], third_party_id: null })
      const archive = await exportOf(app, account)
      for (const { path } of [customer, group])
        assert.equal((await account.request('DELETE', `${path}.json`)).status, 200)
      const report = await importInto(app, account, archive.path)
      assert.deepEqual(report.errors, [])
      const [back] = (await account.request('GET', '/v5/customers.json')).json.customers
      const [again] = (await account.request('GET', '/v5/groups.json')).json.groups
      assert.notEqual(back.id, customer.id)
      assert.deepEqual(back.group_ids, [again.id])
      assert.equal((await importInto(app, account, archive.path)).records.customers?.unchanged, 1)
    })

    async function fill(account: TestAccount) {
      for (const one of addresses) {
        const draft = await fullDraftOf(account, one.record)
        await make(account, one, draft, { collection: await collectionOf(account, one) })
      }
      const admin = await hire(account, { admin: 'full' })
      const job = await make(account, address('job'), {
        customer_name: 'Of the images',
        steps: [
          { name: 'Arrive', completed_at: '2026-01-01T00:00:00Z' },
          { name: 'Leave', completed_at: '2026-01-01T01:00:00Z' },
        ],
        custom_fields: [
          { name: 'Photo', type: 'image' },
          { name: 'Signature', type: 'signature' },
        ],
      })
      await make(account, address('job'), { canceled_at: '2026-01-01T00:00:00Z', cancel_reason: 'Rain' })
      const asset = await make(account, address('asset'))
      const colours = ['red', 'green', 'blue', 'blue']
      for (const [i, path] of [
        `${job.path}/custom_fields/${job.row.custom_fields[0].id}/file`,
        `${job.path}/custom_fields/${job.row.custom_fields[1].id}/file`,
        `${asset.path}/image`,
        `${job.path}/proof_of_delivery`,
      ].entries()) {
        const image = sharp({ create: { width: 9, height: 9, channels: 3, background: colours[i] ?? '' } })
        // The same bytes for two signatures are one file.
        const body = await (i === 3
          ? sharp({ create: { width: 9, height: 9, channels: 3, background: 'green' } })
          : image
        )
          .png()
          .toBuffer()
        const answer = await admin.request('POST', `${path}.json?name=Mia`, {
          body,
          headers: { 'content-type': 'image/png' },
        })
        assert.equal(answer.status, 201, answer.text)
      }
    }
  })

const address = (name: string) => addresses.find((one) => one.name === name) as (typeof addresses)[number]

/** Which rows of files are known may grow; what was made of them may not. */
const withoutKeys = ({ imports: _, ...content }: Awaited<ReturnType<typeof contentOf>>) => content
