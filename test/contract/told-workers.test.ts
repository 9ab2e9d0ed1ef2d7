import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { records } from '#records'
import { job } from '#records/job'
import { addresses, addressOf, make, type WireDraft } from '#test/builders'
import type { Request } from '#test/client'
import { databases } from '#test/databases'
import { type LimitedField, limitedFields, markedDraft, withValue } from '#test/limited-fields'
import { formats } from '#test/loops'
import { hire, type Person } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'

const marked = limitedFields.filter(({ text }) => text !== null)
const limitedOf = (name: string) => limitedFields.filter(({ record }) => record.name === name)

test('the marks are in users, jobs, pricebooks and assets at least', () => {
  const paths = marked.map(({ record, path }) => `${record.name}.${path}`)
  const known = ['user.email', 'user.notes', 'job.line_items.price', 'pricebook.pricebook_items.price', 'asset.cost']
  assert.deepEqual(
    known.filter((path) => !paths.includes(path)),
    [],
  )
})

test('what people are told of themselves stands at the top of a record, which says whose it is', () => {
  for (const { record, path, to } of limitedFields)
    assert.ok(to !== 'self' || !path.includes('.'), `${record.name}.${path}`)
})

test('what is looked up of a field is told to nobody who is not told the field', () => {
  for (const { name, fields } of records)
    for (const [field, { lookup, workerReadable }] of Object.entries(fields)) {
      const target = records.find((one) => one.name === fields[lookup?.[0] ?? '']?.target)
      const source = target?.fields[lookup?.[1] ?? '']
      if (source) assert.equal(workerReadable, source.workerReadable, `${name}.${field}`)
    }
})

for (const database of databases)
  describe(`a worker (${database.name})`, () => {
    let app: TestApp
    /** One of each record that has such fields; the user is a colleague. */
    const rows: { [record: string]: WireDraft } = {}
    let worker: Person
    let invoicing: Person
    /** Each id that the account's key finds, by the name that addresses have for it. */
    let ids: { [name: string]: unknown[] }

    before(async () => {
      app = await startApp({ database, settings: { MUSTER_STRICT_GZIP: 'false' } })
      const { id: group } = await make(app, addressOf('group'))
      for (const name of new Set(limitedFields.map(({ record }) => record.name))) {
        if (name === 'job') continue
        const { record } = addressOf(name)
        const grouped = record.fields.group_ids && { group_ids: [group] }
        rows[name] = (await make(app, addressOf(name), { ...markedDraft(record), ...grouped })).row
      }
      const more = { group_ids: [group] }
      worker = await hire(app, { mobile_jobs_assign: 'full' }, { ...more, third_party_id: 'own-1' })
      invoicing = await hire(app, { mobile_jobs_create: 'full', mobile_invoice: 'read' }, more)
      for (const { id } of [invoicing, worker]) rows.job = await jobOf(id)
      ids = await idsIn(app.request)
    })
    after(() => app.close())

    async function jobOf(worker_id: number): Promise<WireDraft> {
      const leadsTo = { asset_ids: [rows.asset?.id], pricebook_id: rows.pricebook?.id }
      const draft = { ...markedDraft(job), ...leadsTo, worker_id, published_at: '2026-01-05T08:00:00Z' }
      const { id } = await make(app, addressOf('job'), draft)
      return (await app.request('PATCH', `/v5/jobs/${id}.json`, { body: { job: { notes: 'Changed' } } })).json.job
    }

    async function idsIn(ask: Request): Promise<typeof ids> {
      const found: typeof ids = {}
      for (const { name, path, plural } of addresses.filter((one) => !one.path.includes('{')))
        found[name] = (await ask('GET', `/v5${path}.json`)).json[plural].map((row: WireDraft) => row.id)
      const { events } = (await ask('GET', '/v5/events.json?after_id=0&per_page=1000')).json
      found.event = events.map((one: WireDraft) => one.id)
      found.call = [...new Set(events.map((one: WireDraft) => one.call_id))]
      for (const list of ['line_item', 'step', 'custom_field'])
        found[list] = rows.job?.[`${list}s`].map((one: WireDraft) => one.id)
      return { ...found, field: found.custom_field ?? [], item: found.line_item ?? [] }
    }

    /** Every address that can be read, with each id that is known, and with all that can be asked for beside. */
    function* readable(): Generator<string> {
      for (const { path, record, methods, extension } of app.app.routes) {
        if (!methods.GET || extension) continue
        const shown = Object.entries(record.fields).filter(([, field]) => !field.internal && !field.writeOnly)
        const references = shown.filter(([, { target, shape }]) => target && shape === 'leaf')
        const names = references.map(([name]) => name.replace(/_ids$/, 's').replace(/_id$/, ''))
        for (const address of filled(path, record.name)) {
          for (const format of formats) yield `/v5${address}.${format}`
          yield `/v5${address}.json?after_id=0&per_page=1000&include=record`
          yield `/v5${address}.json?fields=${shown.map(([name]) => name)}`
          for (const name of names) yield `/v5${address}.json?include=${name},revision,can`
        }
      }
    }

    function* filled(path: string, record: string): Generator<string> {
      const name = /\{(\w+)\}/.exec(path)?.[1]
      if (!name) return yield path
      for (const id of ids[name === 'id' ? record : name.replace(/_id$/, '')] ?? [])
        yield* filled(path.replace(`{${name}}`, String(id)), record)
    }

    /** The marks that some answer has, and the addresses that answered. */
    async function told(ask: Request) {
      const found = new Map<string, string>()
      let answered = 0
      for (const address of readable()) {
        const { status, text } = await ask('GET', address)
        answered += Number(status === 200)
        for (const { record, path, text: mark } of marked)
          if (text.includes(mark as string)) found.set(`${record.name}.${path}`, address)
      }
      return { found: [...found].map(([path, address]) => `${path} at ${address}`), paths: [...found.keys()], answered }
    }

    const pathsTo = (...to: LimitedField['to'][]) =>
      marked.filter((one) => to.includes(one.to)).map(({ record, path }) => `${record.name}.${path}`)

    test('is told it at no address, in no format, with nothing that can be asked for; a key is told all', async () => {
      const { found, answered } = await told(worker.request)
      assert.deepEqual(found, [])
      assert.ok(answered > 100, `${answered} answers`)
      assert.deepEqual((await told(app.request)).paths.toSorted(), pathsTo('self', 'mobile_invoice').toSorted())
    })

    test('who has the permission is told what goes with it, and no more', async () => {
      assert.deepEqual((await told(invoicing.request)).paths.toSorted(), pathsTo('mobile_invoice').toSorted())
    })

    test('sees of a colleague id, name, phone, groups and shift, and all of themselves', async () => {
      const known = ['group_ids', 'id', 'name', 'phone', 'shift_on']
      const { users } = (await worker.request('GET', '/v5/users.json')).json
      for (const row of users) {
        if (row.id !== worker.id) assert.deepEqual(Object.keys(row).toSorted(), known)
        else
          for (const { path, to } of limitedOf('user')) assert.equal(to === 'self' && isShown(path), path in row, path)
      }
      assert.ok(users.length > 2)
      const sync = (await worker.request('GET', '/v5/sync.json')).json.records.users
      for (const row of sync)
        if (row.id !== worker.id)
          assert.deepEqual(Object.keys(row).toSorted(), [...known, 'can_message', 'is_worker', 'revision'].toSorted())
      const own = await worker.request('GET', `/v5/users/${worker.id}/history.json`)
      assert.equal(own.json.events[0].changes.email.to, worker.email)
      const theirs = await worker.request('GET', `/v5/users/${rows.user?.id}/history.json`)
      for (const { changes } of theirs.json.events)
        assert.deepEqual(
          Object.keys(changes ?? {}).filter((name) => !known.includes(name)),
          [],
        )
    })

    const isShown = (path: string) => !addressOf('user').record.fields[path]?.writeOnly

    /** Asks the same with the right value and with a wrong one. */
    async function assertNoOracle(one: LimitedField, ask: (value: unknown) => ReturnType<Request>) {
      const [right, wrong] = [await ask(one.mark), await ask(one.wrong)]
      const anonymous = ({ status, text, headers }: typeof right) => [
        ...[status, headers['muster-event'], headers['x-muster-warnings']],
        text.replaceAll(String(one.text), '?').replaceAll(String(one.wrong), '?'),
      ]
      assert.deepEqual(anonymous(right), anonymous(wrong), `${one.record.name}.${one.path}`)
      assert.ok(right.status >= 400, `${one.record.name}.${one.path} ${right.status}`)
    }

    test('finds nothing out by filters, order, search or addresses', async () => {
      for (const one of limitedFields.filter(({ path }) => !path.includes('.'))) {
        const { record, path } = one
        const list = `/v5${record.path}.json`
        const said = (value: unknown) => encodeURIComponent(String(value))
        for (const ask of [
          (value: unknown) => `${list}?${path}=${said(value)}`,
          (value: unknown) => `${list}?${path}[]=${said(value)}`,
          (value: unknown) => `${list}?search=@${path}:${said(value)}`,
          () => `${list}?sort=${path}`,
          () => `${list}?sort=-${path}`,
          () => `${list}?${path.replace(/_at$/, '_since')}=2020-01-01`,
        ])
          await assertNoOracle(one, (value) => worker.request('GET', ask(value)))
        if (record.search.includes(path)) {
          const { json } = await worker.request('GET', `${list}?search=${said(one.mark)}`)
          assert.equal(json.total_entries, 0, `${record.name}.${path}`)
          assert.notEqual((await app.request('GET', `${list}?search=${said(one.mark)}`)).json.total_entries, 0)
        }
        if (path === 'third_party_id')
          await assertNoOracle(one, (value) =>
            worker.request('GET', `/v5${record.path}/${said(value)}.json?use_third_party_id=true`),
          )
      }
    })

    test('finds nothing out by drafts: what they are not told is refused whatever they say of it', async () => {
      for (const one of marked) {
        const { record } = one
        const { id } = rows[record.name] as WireDraft
        for (const method of ['PUT', 'PATCH']) {
          const body = (value: unknown) => ({ [record.name]: withValue(one, {}, value) })
          await assertNoOracle(one, (value) =>
            worker.request(method, `/v5${record.path}/${id}.json`, { body: body(value) }),
          )
          await assertNoOracle(one, (value) =>
            worker.request(method, `/v5${record.path}/${id}.json`, { body: { ...body(value), base: body(one.mark) } }),
          )
        }
      }
      const price = marked.find(({ path }) => path === 'line_items.price') as LimitedField
      const [item] = rows.job?.line_items ?? []
      for (const known of [{ id: item.id }, { code: item.code }])
        await assertNoOracle(price, (value) =>
          worker.request('PUT', `/v5/jobs/${rows.job?.id}.json`, {
            body: { job: { line_items: [{ ...known, price: value }] } },
          }),
        )
      const theirs = marked.find(({ path }) => path === 'third_party_id') as LimitedField
      const draft = { customer_name: 'Bakery', steps: [{ name: 'Arrive' }] }
      await assertNoOracle(theirs, (value) =>
        worker.request('POST', '/v5/jobs.json', { body: { job: { ...draft, worker_third_party_id: value } } }),
      )
    })

    test('is not told it in the answers to what they write', async () => {
      const { id } = rows.job as WireDraft
      const answers = [
        await worker.request('PUT', `/v5/jobs/${id}.json`, { body: { job: { notes: 'Mine' } } }),
        await worker.request('PUT', `/v5/jobs/${id}.json`, {
          body: { job: { notes: 'Stale' } },
          headers: { 'If-Match': '"1"' },
        }),
        await worker.request('PUT', `/v5/jobs/${id}/line_items/${rows.job?.line_items[0].id}.json`, {
          body: { line_item: { actual_quantity: '2' } },
        }),
        // With the job its owner's names go to another.
        await worker.request('PUT', `/v5/jobs/${id}.json`, { body: { job: { worker_id: rows.user?.id } } }),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 412, 200, 200],
      )
      for (const { text } of answers) for (const { text: mark } of marked) assert.ok(!text.includes(String(mark)), text)
    })

    test('sends a job back as they read it, and changes nothing', async () => {
      const id = (await jobOf(worker.id)).id
      const { job: read } = (await worker.request('GET', `/v5/jobs/${id}.json`)).json
      assert.equal(read.worker_third_party_id, 'own-1')
      const { jobs } = (await worker.request('GET', `/v5/jobs.json?ids[]=${id}&fields=worker_third_party_id`)).json
      assert.deepEqual(jobs, [{ worker_third_party_id: 'own-1' }])
      const answer = await worker.request('PUT', `/v5/jobs/${id}.json`, { body: { job: read } })
      assert.deepEqual([answer.status, answer.headers['muster-event']], [200, undefined])
      const { line_items } = (await app.request('GET', `/v5/jobs/${id}.json`)).json.job
      assert.equal(line_items[0].price, marked.find(({ path }) => path === 'line_items.price')?.mark)
    })
  })
