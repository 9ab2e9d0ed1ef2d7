import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeDemo } from '#cli/demo/make'
import type { RawRow } from '#fields'
import type { Route } from '#server/http/router'
import type { Request } from '#test/client'
import { asking, inProcess } from '#test/in-process'
import { type FormatName, formats } from '#test/loops'
import { startApp, type TestApp } from '#test/test-app'

/** Old clients change one field of what they read, and send all of it. (docs/contract.md#verbs) */
describe('a whole record that is sent back as it was read', () => {
  let app: TestApp
  let close: () => Promise<void>
  let account: number
  let ask: Request

  before(async () => {
    app = await startApp({ settings: { MUSTER_STRICT_GZIP: 'false' } })
    const demo = await makeDemo(app.app)
    account = demo.account_id
    const { server, request } = await inProcess(app.app)
    ask = asking(request, { key: demo.api_key })
    await makeMore(ask)
    close = async () => {
      await server.close()
      await app.close()
    }
  })
  after(() => close())

  const newest = () => app.app.store.as({ account, groups: null }).journal.head()

  /** How clients write what they read. */
  const writers: { name: string; format: FormatName; write(text: string): string }[] = [
    ...formats.map((format) => ({ name: format, format, write: (text: string) => text })),
    {
      name: 'xml with dashes and without types',
      format: 'xml',
      write: (text) => text.replace(/ (type|readonly)="\w+"/g, '').replace(/<[^>]+>/g, (tag) => tag.replace(/_/g, '-')),
    },
  ]

  /** What is only ever written, as a phone writes of itself, can't be sent back; and no key writes keys. */
  const isReadAndWritten = ({ methods, responseSchema, record }: Route) =>
    methods.GET && methods.PUT && !responseSchema && record.name !== 'api_key'

  for (const { name, format, write } of writers)
    test(`changes nothing of any record of the demo, in ${name}`, async () => {
      const changed: string[] = []
      let sent = 0
      for (const route of app.app.routes.filter(isReadAndWritten)) {
        for (const address of await addressesUnder(route.path.replace('/{id}', ''), route.wireNames.plural)) {
          const path = `${address}.${format}`
          const read = await ask('GET', path)
          const before = await newest()
          const answer = await ask('PUT', path, { body: write(read.text) })
          assert.equal(answer.status, 200, `${path} ${answer.text}`)
          sent++
          if (answer.text !== read.text || (await newest()) !== before) changed.push(path)
        }
      }
      assert.deepEqual(changed, [])
      assert.ok(sent > 200, `${sent} were sent`)
    })

  test('takes no answer away where the planned start is sent for the publication, as one old client does', async () => {
    const { jobs } = (await ask('GET', '/v5/jobs.json?per_page=1000')).json
    const answered = jobs.filter(({ confirmation }: RawRow) => confirmation && confirmation !== 'pending')
    assert.ok(answered.some(({ confirmation }: RawRow) => confirmation === 'declined') && answered.length > 20)
    for (const job of answered) {
      const said = { ...job, published_at: job.planned_start_at ?? job.published_at }
      const { json } = await ask('PUT', `/v5/jobs/${job.id}.json`, { body: { job: said } })
      const { updated_at: _, last_action_at: __, ...rest } = json.job
      const { updated_at: ___, last_action_at: ____, ...expected } = said
      assert.deepEqual(rest, expected)
    }
  })

  /** The addresses of all there are, of children under each of their parents. */
  async function addressesUnder(path: string, plural: string): Promise<string[]> {
    const [above, below] = path.split(/\/\{\w+\}/)
    if (below !== undefined) {
      const parents = await addressesUnder(above ?? '', 'threads')
      return (await Promise.all(parents.map((parent) => addressesUnder(`${parent.slice(3)}${below}`, plural)))).flat()
    }
    const list = await ask('GET', `/v5${path}.json?per_page=1000`)
    assert.equal(list.status, 200, `${path} ${list.text}`)
    return list.json[plural].map(({ id }: RawRow) => `/v5${path}/${id}`)
  }
})

/** What a week at work leaves out. */
async function makeMore(ask: Request): Promise<void> {
  const [first] = (await ask('GET', '/v5/jobs.json?state=assigned&per_page=1')).json.jobs
  const steps = [{ name: 'Arrive', location: { lat: '1.5', lng: '2.50' } }, { name: 'Leave' }]
  const line_items = [
    { code: 'A', quantity: '1.50', price: '85.00' },
    { code: 'A', quantity: '2', price: '0' },
  ]
  const drafts: RawRow[] = [
    { published_at: '2031-01-01T08:00:00Z', planned_start_at: '2031-01-01T08:00:00Z' },
    { canceled_at: '2026-01-01T08:00:00Z', cancel_reason: 'Rain' },
    {
      notes: ' A & B\r\n\t<é> ',
      line_items,
      time_windows: [{ from: '2031-01-01T08:00:00Z', to: '2031-01-01T09:00:00Z' }],
    },
    { contact: { first_name: 'Mia' }, template_id: first.template_id, custom_fields: [{ name: 'Extra', value: 'x' }] },
  ]
  for (const draft of drafts) {
    const made = await ask('POST', '/v5/jobs.json', { body: { job: { customer_name: 'Sent back', steps, ...draft } } })
    assert.equal(made.status, 201, made.text)
  }
  const hook = await ask('POST', '/v5/webhooks.json', {
    body: { webhook: { url: 'https://example.com/x', events: ['job.*', 'tag.create'] } },
  })
  assert.equal(hook.status, 201, hook.text)
}
