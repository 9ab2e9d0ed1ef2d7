import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import type { RecordType } from '#fields'
import { subresources } from '#records/subresources'
import type { Route } from '#server/http/router'
import { bodyOf, draftOf, type WireDraft } from '#test/builders'
import type { Answered, Request } from '#test/client'
import { asking, inProcess } from '#test/in-process'
import { done, jobsIn, refused } from '#test/jobs'
import { formats } from '#test/loops'
import { hire, type Person, set } from '#test/people'
import { startApp, type TestAccount } from '#test/test-app'
import { make } from './support.ts'

/** Who may do what with a session: the contract's table of permissions. (docs/contract.md#users-and-permissions) */

const app = await startApp({ settings: { MUSTER_STRICT_GZIP: 'false' } })
const { server, request } = await inProcess(app.app)
after(async () => {
  await server.close()
  await app.close()
})

/** The contract's table: name and values. */
const table = {
  jobs: ['full', 'none', 'read'],
  schedule: ['full', 'none', 'read'],
  map: ['full', 'none', 'read'],
  reports: ['full', 'none'],
  customers: ['full', 'none', 'read'],
  equipment: ['full', 'none', 'read'],
  quotes: ['full', 'none', 'read'],
  messaging: ['full', 'none'],
  admin: ['full', 'none'],
  mobile: ['full', 'none'],
  mobile_jobs_create: ['full', 'none'],
  mobile_jobs_assign: ['full', 'none'],
  mobile_invoice: ['full', 'none', 'read'],
} as const
type Permission = keyof typeof table
type Permissions = { [name in Permission]?: string }

const tabs: Permission[] = [
  'jobs',
  'schedule',
  'map',
  'reports',
  'customers',
  'equipment',
  'quotes',
  'messaging',
  'admin',
]

/** What a permission means where the contract says that it brings another. */
function implied(given: Permissions): Permissions {
  const all = { ...given }
  if (all.mobile_jobs_assign === 'full') all.mobile_jobs_create = 'full'
  if (all.mobile_jobs_create === 'full' || !['none', undefined].includes(all.mobile_invoice)) all.mobile = 'full'
  return all
}

/**
 * Which tab a route belongs to: whoever has it reads or changes. `content` is administered, and read by whoever has any
 * tab. What has no line here fails: a new route must say whose it is.
 */
const areas: {
  [start: string]: { read: Permission | 'any tab' | 'signed in'; change: Permission | 'signed in'; seesOwn?: false }
} = {
  '/jobs': { read: 'jobs', change: 'jobs' },
  '/candidates': { read: 'jobs', change: 'jobs' },
  '/suggestions': { read: 'jobs', change: 'jobs' },
  '/places': { read: 'any tab', change: 'admin' },
  '/reports': { read: 'reports', change: 'admin', seesOwn: false },
  '/conflicts': { read: 'jobs', change: 'jobs' },
  '/notices': { read: 'jobs', change: 'jobs' },
  '/notices/{id}/receipt': { read: 'signed in', change: 'signed in' },
  '/notices/{id}/reading': { read: 'signed in', change: 'signed in' },
  // Also a worker says what they look at; who looks is told in the office.
  '/presences': { read: 'jobs', change: 'signed in', seesOwn: false },
  '/devices': { read: 'jobs', change: 'admin' },
  '/rescue_key': { read: 'signed in', change: 'signed in' },
  '/rescues': { read: 'signed in', change: 'signed in' },
  '/publications': { read: 'jobs', change: 'jobs' },
  '/push_key': { read: 'signed in', change: 'signed in' },
  '/push_subscriptions': { read: 'signed in', change: 'signed in' },
  '/signatures': { read: 'jobs', change: 'jobs' },
  '/attachments': { read: 'jobs', change: 'jobs' },
  '/templates': { read: 'jobs', change: 'admin' },
  '/customers': { read: 'customers', change: 'customers' },
  '/equipment': { read: 'equipment', change: 'equipment' },
  '/unread_threads': { read: 'messaging', change: 'messaging' },
  '/messaging': { read: 'messaging', change: 'messaging' },
  '/users': { read: 'any tab', change: 'admin' },
  '/workers': { read: 'any tab', change: 'admin' },
  '/groups': { read: 'any tab', change: 'admin' },
  '/tags': { read: 'any tab', change: 'admin' },
  '/assets': { read: 'any tab', change: 'admin' },
  '/pricebooks': { read: 'any tab', change: 'admin' },
  // A line of the journal is seen by whom its record is, here a job, and reversed by who may change that.
  '/events': { read: 'any tab', change: 'jobs' },
  '/calls': { read: 'any tab', change: 'jobs' },
  '/recurrences': { read: 'jobs', change: 'jobs', seesOwn: false },
  // One that a key made is shared with those who see its screen, here that of jobs.
  '/api_keys': { read: 'admin', change: 'admin', seesOwn: false },
  '/maps': { read: 'signed in', change: 'admin' },
  '/backups': { read: 'admin', change: 'admin', seesOwn: false },
  '/readiness': { read: 'admin', change: 'admin', seesOwn: false },
  '/views': { read: 'signed in', change: 'signed in' },
  '/sites': { read: 'customers', change: 'customers' },
  '/working_weeks': { read: 'schedule', change: 'admin' },
  '/absences': { read: 'schedule', change: 'schedule' },
  '/webhooks': { read: 'admin', change: 'admin', seesOwn: false },
  '/export': { read: 'admin', change: 'admin', seesOwn: false },
  '/import': { read: 'admin', change: 'admin', seesOwn: false },
  // Where somebody was all day is for the map.
  '/users/{id}/telemetry': { read: 'map', change: 'admin', seesOwn: false },
  '/workers/{id}/telemetry': { read: 'map', change: 'admin', seesOwn: false },
  // A worker's own, which no other permission opens.
  '/telemetry': { read: 'mobile', change: 'mobile' },
  '/telemetry/latest': { read: 'map', change: 'admin', seesOwn: false },
  '/telemetry/looks': { read: 'signed in', change: 'admin' },
  '/shift': { read: 'mobile', change: 'mobile' },
  '/sync': { read: 'signed in', change: 'admin' },
  '/account': { read: 'signed in', change: 'admin' },
  '/session': { read: 'signed in', change: 'signed in' },
  '/sessions': { read: 'signed in', change: 'signed in' },
  // What it holds is permitted write by write.
  '/batch': { read: 'signed in', change: 'signed in' },
  '/second_factor': { read: 'signed in', change: 'signed in' },
  '/preferences': { read: 'signed in', change: 'signed in' },
  '/password_reset': { read: 'signed in', change: 'signed in' },
  '/sign_in_link': { read: 'signed in', change: 'signed in' },
  '/users/{user_id}/sessions': { read: 'admin', change: 'admin', seesOwn: false },
  '/users/{user_id}/sessions/{id}': { read: 'admin', change: 'admin', seesOwn: false },
  '/users/{user_id}/second_factor': { read: 'admin', change: 'admin', seesOwn: false },
  '/users/{user_id}/invitation': { read: 'admin', change: 'admin', seesOwn: false },
  '/users/{user_id}/password_reset': { read: 'admin', change: 'admin', seesOwn: false },
  '/password': { read: 'signed in', change: 'signed in' },
}

/** What the mobile permissions open beside reading: changes of own jobs, and writing to people. */
const phoneWrites: { [methodAndPath: string]: Permission } = {
  'POST /jobs': 'mobile_jobs_create',
  'PUT /jobs/{id}': 'mobile',
  'PATCH /jobs/{id}': 'mobile',
  'POST /jobs/{id}/confirmation': 'mobile',
  'DELETE /jobs/{id}/confirmation': 'mobile',
  'POST /jobs/{id}/pause': 'mobile',
  'DELETE /jobs/{id}/pause': 'mobile',
  'POST /jobs/{id}/steps/{step_id}/completion': 'mobile',
  'DELETE /jobs/{id}/steps/{step_id}/completion': 'mobile',
  'POST /jobs/{id}/custom_fields/{field_id}/file': 'mobile',
  'DELETE /jobs/{id}/custom_fields/{field_id}/file': 'mobile',
  'POST /jobs/{id}/proof_of_delivery': 'mobile',
  'DELETE /jobs/{id}/proof_of_delivery': 'mobile',
  'PUT /jobs/{id}/custom_fields/{field_id}': 'mobile',
  'PATCH /jobs/{id}/custom_fields/{field_id}': 'mobile',
  'PUT /jobs/{id}/line_items/{item_id}': 'mobile',
  'PATCH /jobs/{id}/line_items/{item_id}': 'mobile',
  'POST /conflicts/{id}/decision': 'mobile',
  'POST /absences': 'mobile',
  'PUT /absences/{id}': 'mobile',
  'PATCH /absences/{id}': 'mobile',
  'POST /messaging': 'mobile',
  'POST /messaging/{id}/reading': 'mobile',
  'POST /messaging/{id}/receipt': 'mobile',
  'POST /messaging/{thread_id}/messages': 'mobile',
  'PUT /messaging/{thread_id}/messages/{id}': 'mobile',
  'PATCH /messaging/{thread_id}/messages/{id}': 'mobile',
  'DELETE /messaging/{thread_id}/messages/{id}': 'mobile',
  'POST /messaging/{thread_id}/messages/{id}/reading': 'mobile',
  'POST /messaging/{thread_id}/messages/{id}/receipt': 'mobile',
}

/** What these are told; whether it is heard from this person, they say only then. */
const bodies: { [path: string]: object } = {
  '/telemetry': { telemetry: [{ lat: '-36.8', lng: '174.7', recorded_at: '2026-01-01T00:00:00Z' }] },
  '/shift': { shift: { on: true } },
  '/api_keys': { api_key: { name: 'Accounting' } },
  '/import': [],
  '/batch': { batch: { requests: [{ method: 'POST', path: '/v5/nowhere.json' }] } },
  '/account': { account: {} },
  '/candidates': { candidates: { jobs: [{}] } },
  '/suggestions': { suggestions: { job_ids: [1] } },
  '/conflicts/{id}/decision': { decision: { choice: 'left' } },
  '/publications': { publication: { job_ids: [1] } },
  '/push_subscriptions': {
    push_subscription: {
      endpoint: 'https://push.example.com/1',
      keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    },
  },
}

/** They read, whatever their method. */
const readsByPost = ['/candidates', '/suggestions']

const image = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const uploads = /\/(file|proof_of_delivery|image)$/

/** Asked for here without what they need besides rights: somebody who reads, a file that is there, a delivery, a screen. */
const asksMore =
  /^POST \/(rescues|views)$|^DELETE .+\/(file|proof_of_delivery|image)$|\/(reading|receipt|replay)$|\/(api_keys|deliveries|presences|push_subscriptions)\/\{id\}(\/history)?$|^GET \/maps\/\{name\}|^\w+ \/users\/\{user_id\}\/(invitation|password_reset|second_factor|sessions\/\{id\})$/

/** Where nothing else makes sense to a key. */
const queries: { [path: string]: string } = { '/sync': '?set=board&from=2026-11-23T00:00:00Z&to=2026-11-24T00:00:00Z' }

type Expected = 'opens' | 'opens what is their own' | 'is not there' | 'forbidden'

function expected(given: Permissions, method: string, path: string): Expected {
  const area = areas[path] ?? areas[`/${path.split('/')[1]}`]
  assert.ok(area, `${path} belongs to no tab here`)
  const all = implied(given)
  const reads = (of: string) =>
    of === 'signed in' ||
    all.admin === 'full' ||
    (of === 'any tab'
      ? tabs.some((tab) => !['none', undefined].includes(all[tab]))
      : ['full', 'read'].includes(all[of as Permission] ?? ''))
  const changes = (of: string) => of === 'signed in' || all.admin === 'full' || all[of as Permission] === 'full'
  // Also an admin has no shift who is no worker.
  if (area.change === 'mobile') return all.mobile === 'full' ? 'opens' : 'forbidden'
  if (/^\/(events|calls)\/\{/.test(path) && !reads('jobs')) {
    const isLetIn = method === 'POST' || reads('any tab') || all.mobile === 'full'
    return isLetIn ? 'is not there' : 'forbidden'
  }
  if (path.startsWith('/views/{') && !reads('jobs')) return 'is not there'
  if (method === 'GET' || readsByPost.includes(path))
    return reads(area.read)
      ? 'opens'
      : all.mobile === 'full' && area.seesOwn !== false
        ? 'opens what is their own'
        : 'forbidden'
  // Whoever has messaging or the app writes, and changes what they wrote themselves.
  const isOthers = /\/messages\/\{id\}$|^\/views\/\{id\}$/.test(path) && all.admin !== 'full'
  if (changes(area.change)) return isOthers ? 'forbidden' : 'opens'
  const phone = phoneWrites[`${method} ${path}`]
  if (!phone || all[phone] !== 'full') return 'forbidden'
  // The records here are somebody else's: who sees them all is told so, to others they aren't there.
  return path.includes('{id}') && reads(area.read) ? 'forbidden' : 'opens what is their own'
}

const rows: { title: string; permissions: Permissions }[] = [
  ...Object.entries(table).flatMap(([name, values]) =>
    values.map((value) => ({ title: `${name}: ${value}`, permissions: { [name]: value } })),
  ),
  { title: 'nothing said', permissions: {} },
  { title: 'every tab to read', permissions: Object.fromEntries(tabs.map((tab) => [tab, 'read'])) },
  { title: 'jobs: read, mobile: full', permissions: { jobs: 'read', mobile: 'full' } },
  { title: 'jobs: read, mobile_jobs_create: full', permissions: { jobs: 'read', mobile_jobs_create: 'full' } },
  { title: 'jobs: full, mobile: full', permissions: { jobs: 'full', mobile: 'full' } },
  { title: 'customers: read, mobile: full', permissions: { customers: 'read', mobile: 'full' } },
  { title: 'messaging: full, mobile: full', permissions: { messaging: 'full', mobile: 'full' } },
].map((row) => {
  // Three tabs have no read.
  const { reports, messaging, admin } = row.permissions as Permissions
  const gates = { reports, messaging, admin }
  const fixed = Object.entries(gates).flatMap(([name, value]) => (value === 'read' ? [[name, 'none']] : []))
  return { ...row, permissions: { ...row.permissions, ...Object.fromEntries(fixed) } }
})

const asPerson = (person: Person) => asking(request, person)
const inHouse = (account: TestAccount): TestAccount => ({ ...account, request: asking(request, { key: account.key }) })

describe('every route, for every permission and value', () => {
  const account = inHouse(app)
  let group: WireDraft
  /** Ids for the parameters of paths, by the record or noun. */
  const ids: { [start: string]: { [parameter: string]: string } } = {}
  let drafts: { [record: string]: WireDraft }

  before(async () => {
    await set(app.app, account, { asks_acceptance: true })
    group = await make(account, 'group')
    const worker = await make(account, 'worker', { group_ids: [group.id] })
    const busy = {
      worker_id: worker.id,
      published_at: '2026-01-01T00:00:00Z',
      steps: [{ name: 'Arrive', completed_at: '2026-01-01T00:00:00Z' }, { name: 'Leave' }],
      paused_at: '2026-01-01T00:00:00Z',
      line_items: [{ code: 'OIL' }],
    }
    const job = await make(account, 'job', { ...busy, customer_name: 'Of the job' })
    const canceled = await make(account, 'job', { canceled_at: '2026-01-01T00:00:00Z', customer_name: 'Of the job' })
    const one = { group_ids: [group.id] }
    const thread = await make(account, 'thread')
    const made: { [plural: string]: WireDraft } = {
      users: await make(account, 'user', one),
      workers: await make(account, 'worker', one),
      groups: group,
      tags: await make(account, 'tag'),
      assets: await make(account, 'asset'),
      equipment: await make(account, 'equipment'),
      pricebooks: await make(account, 'pricebook'),
      customers: await make(account, 'customer'),
      sites: await make(account, 'site', { customer_name: 'Without a job' }),
      working_weeks: await make(account, 'working_week'),
      absences: await make(account, 'absence'),
      recurrences: await make(account, 'recurrence', { customer_name: 'Again' }),
      views: await make(account, 'view', { screen: 'jobs' }),
      templates: await make(account, 'template'),
      messaging: thread,
    }
    for (const [start, { id }] of Object.entries(made)) ids[start] = { id: String(id) }
    ids.jobs = { id: String(job.id), step_id: String(job.steps[0].id) }
    ids.cancellation = { id: String(canceled.id) }
    ids.messages = { thread_id: String(thread.id), id: String(thread.messages[0].id) }
    const { request } = account
    await request('PUT', `/v5/jobs/${job.id}.json`, { body: { job: { notes: 'Reversible' } } })
    const history = await request('GET', `/v5/jobs/${job.id}/history.json`)
    ids.events = { id: String(history.json.events.at(-1).id) }
    ids.reports = { name: 'jobs' }
    ids.presences = { id: '0199b8d0-5c1e-7c3a-9d52-3a1f5b7c9e01' }
    ids.calls = { call_id: String(history.json.events.at(-1).call_id) }
    const { notices } = (await request('GET', `/v5/notices.json?job_id=${job.id}`)).json
    ids.notices = { id: String(notices[0].id) }
    ids.lock = {
      id: String((await make(account, 'job', { locked_at: '2026-01-01T00:00:00Z', customer_name: 'Locked' })).id),
    }
    const webhook = await make(account, 'webhook')
    ids.webhooks = { id: String(webhook.id), webhook_id: String(webhook.id) }
    ids.users = { id: String(made.users?.id), user_id: String(made.users?.id) }
    const stale = { job: { notes: 'Other' }, base: { notes: 'Before' } }
    const { conflicts } = (await request('PATCH', `/v5/jobs/${job.id}.json`, { body: stale })).json
    ids.conflicts = { id: conflicts[0].id }
    const report = { body: { device: { device_id: '0199b8d0-5c1e-7c3a-9d52-3a1f5b7c9e01' } } }
    const byPhone = asPerson(await hire(account, { mobile: 'full' }))
    ids.devices = { id: (await byPhone('PUT', '/v5/session/current/device.json', report)).json.device.id }
    ids.jobs.item_id = String(job.line_items[0].id)
    ids.jobs.field_id = String(job.custom_fields[0].id)
    ids.signatures = ids.attachments = { id: '01890a5d-ac96-774b-bcce-b302099a8057' }
    drafts = Object.fromEntries(
      app.app.records.map((record: RecordType) => [record.name, record.path === null ? {} : draftOf(record)]),
    )
  })

  /** Asks for one method of a route; nothing is written, whatever is allowed. */
  async function ask(by: Request, route: Route, method: string, format: 'xml' | 'json'): Promise<Answered> {
    const [, start = '', ...rest] = route.path.split('/')
    const last = rest.at(-1) ?? ''
    const makes = app.app.records.some(({ path, alias }) => route.path === path || route.path === alias?.path)
    const known = ids[['cancellation', 'lock'].includes(last) ? last : rest.includes('messages') ? 'messages' : start]
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) => known?.[name] ?? '')
    const extension = route.extension ?? (route.docs?.[method]?.response ? 'json' : format)
    const writes = method === 'PUT' || method === 'PATCH' || (method === 'POST' && makes)
    const { name } = route.wireNames
    if (route.path === '/places') return by(method, '/v5/places.json?query=Acme')
    const own = method === 'POST' && bodies[route.path]
    if (own) return by(method, `/v5${path}.json?dry_run=true&record=tags`, { body: own })
    if (method === 'POST' && uploads.test(path))
      return by(method, `/v5${path}.json?dry_run=true`, { body: image, headers: { 'content-type': 'image/png' } })
    const said = method === 'POST' ? drafts[route.record.name] : changeOf(route.record)
    const body = writes ? bodyOf(format, name, route.record.fields, said ?? {}) : undefined
    const query = method === 'GET' ? (queries[path] ?? '') : '?dry_run=true'
    return by(method, `/v5${path}.${extension}${query}`, { body })
  }

  const changeOf = ({ fields, title, example }: RecordType): WireDraft =>
    fields.notes
      ? { notes: 'Changed' }
      : fields.note
        ? { note: 'Changed' }
        : fields[title]?.kind === 'text'
          ? { [title]: 'Changed' }
          : example

  for (const { title, permissions } of rows)
    test(title, async () => {
      const person = await hire(account, permissions, { group_ids: [group.id] })
      const by = asPerson(person)
      let turn = 0
      for (const route of app.app.routes)
        for (const method of Object.keys(route.methods)) {
          // What asks for a password, a code or a token beside the right.
          if (/^\/(session|second_factor|sign_in_link|password)/.test(route.path)) continue
          const expects = expected(permissions, method, route.path)
          const answer = await ask(by, route, method, formats[turn++ % 2] ?? 'xml')
          const shown = `${method} ${route.path} ${expects}, and is ${answer.status} ${answer.text.slice(0, 500)}`
          if (expects === 'forbidden')
            assert.ok(
              answer.status === 403 || (answer.status === 404 && asksMore.test(`${method} ${route.path}`)),
              shown,
            )
          else if (expects === 'is not there') assert.equal(answer.status, 404, shown)
          else if (expects === 'opens' && !asksMore.test(`${method} ${route.path}`))
            assert.ok(answer.status < 400 || (route.extension && answer.status === 404), shown)
          else assert.ok([200, 201, 400, 404, 415, 422].includes(answer.status), shown)
        }
      // Whoever has signed in may see so, change their password, and sign out.
      assert.equal((await by('GET', '/v5/session/current.json')).status, 200)
      const password = { current_password: 'wrong', password: 'another one' }
      assert.equal((await by('PUT', '/v5/password.json', { body: { password } })).status, 422)
      assert.equal((await by('DELETE', '/v5/sessions.json')).status, 200)
      assert.equal((await by('GET', '/v5/session/current.json')).status, 401)
    })

  test('a key for the whole account opens all, and one that is read only nothing but reading', async () => {
    const readOnly = asking(request, { key: await account.newKey({ read_only: true }) })
    for (const route of app.app.routes)
      for (const method of Object.keys(route.methods)) {
        // What asks for a password, a code or a token beside the right.
        if (/^\/(session|second_factor|sign_in_link|password)/.test(route.path)) continue
        const shown = `${method} ${route.path}`
        const all = await ask(account.request, route, method, 'json')
        const asks = route.extension || asksMore.test(shown)
        const isForPeople = route.userOnly || (route.path.startsWith('/api_keys') && method !== 'GET')
        if (isForPeople) assert.equal(all.status, 403, shown)
        else assert.ok(all.status < 400 || (asks && all.status !== 403), `${shown} ${all.text}`)
        const less = await ask(readOnly, route, method, 'json')
        assert.equal(less.status, method === 'GET' || readsByPost.includes(route.path) ? all.status : 403, shown)
      }
  })
})

describe('include=can', () => {
  let account: TestAccount
  let group: WireDraft

  before(async () => {
    account = inHouse(await app.newAccount())
    await set(app.app, account, { asks_acceptance: true })
    group = await make(account, 'group')
  })

  for (const { title, permissions } of rows.filter(({ title }) => !title.endsWith('none')))
    test(`tells the truth to ${title}`, async () => {
      const person = await hire(account, permissions, { group_ids: [group.id] })
      const by = asPerson(person)
      // One that can be their own, and one that is somebody else's.
      const isWorker = implied(permissions).mobile === 'full'
      const own = isWorker ? { worker_id: person.id, published_at: '2026-01-01T00:00:00Z' } : {}
      await make(account, 'job', own)
      await make(account, 'job')
      await make(account, 'thread', { user_ids: [person.id] })
      for (const name of ['customer', 'asset', 'equipment', 'template', 'pricebook', 'tag']) await make(account, name)

      let checked = 0
      for (const record of app.app.records) {
        if (record.path === null || record.path.includes('{')) continue
        const list = await by('GET', `/v5${record.path}.json?include=can&sort=-id&per_page=3`)
        const isClosed = expected(permissions, 'GET', record.path) === 'forbidden'
        assert.equal(list.status, isClosed ? 403 : 200, `${record.name}: ${list.text}`)
        if (isClosed) continue
        for (const row of list.json[record.plural]) {
          const path: string = `/v5${record.path}/${row.id}`
          assert.deepEqual((await by('GET', `${path}.json?include=can`)).json[record.name].can, row.can)
          for (const [ability, truth] of Object.entries(row.can)) {
            const answer = await attempt(by, record, row, path, ability)
            const shown = `${record.name}: can ${ability} ${truth}, and is ${answer.status} ${answer.text}`
            assert.equal(![403, 405].includes(answer.status), truth, shown)
            assert.ok(answer.status < 500 && answer.status !== 404, shown)
            checked++
          }
        }
      }
      assert.ok(checked > 0 || title === 'nothing said', 'something was seen')
    })

  function attempt(by: Request, record: RecordType, row: WireDraft, path: string, ability: string) {
    if (ability === 'delete') return by('DELETE', `${path}.json?dry_run=true`)
    if (ability === 'update')
      return by('PUT', `${path}.json?dry_run=true`, { body: { [record.name]: { [record.title]: row[record.title] } } })
    const noun = subresources.find(({ name }) => name === ability)
    // What marks a thread says up to which message; whether it may is known before.
    if (!noun) return by('POST', `${path}/${ability}.json?dry_run=true`, { body: { [ability]: {} } })
    const address = noun.path.replace('{id}', String(row.id)).replace('{step_id}', String(row.steps[0].id))
    return by('POST', `/v5${address}.json?dry_run=true`)
  }

  test('is in nothing that was not asked for, and in no XML', async () => {
    const job = await make(account, 'job')
    assert.equal(job.can, undefined)
    const answer = await account.request('GET', `/v5/jobs/${job.id}.xml?include=can`)
    assert.deepEqual(answer.xml.all('can'), [])
  })
})

for (const format of formats)
  describe(`a mobile worker, in ${format}`, () => {
    let account: TestAccount
    let group: WireDraft
    let worker: Person
    let stranger: Person
    let by: Request
    const published = { published_at: '2026-01-01T00:00:00Z' }

    before(async () => {
      account = inHouse(await app.newAccount())
      group = await make(account, 'group')
      worker = await hire(account, { mobile: 'full' }, { group_ids: [group.id] })
      stranger = await hire(account, { mobile: 'full' })
      by = asPerson(worker)
    })

    const status = async (path: string) => (await by('GET', `/v5${path}.${format}`)).status
    const listed = async (plural: string, path = `/${plural}`): Promise<(string | null)[]> => {
      const answer = await by('GET', `/v5${path}.${format}?per_page=1000`)
      assert.equal(answer.status, 200, answer.text)
      const all = format === 'json' ? answer.json[plural] : answer.xml.children
      return all.map((one: WireDraft) => String(format === 'json' ? one.id : one.value('id')))
    }

    test('sees own published jobs, and no others: they are 404 on every address', async () => {
      const mine = await make(account, 'job', { worker_id: worker.id, ...published })
      const unpublished = await make(account, 'job', { worker_id: worker.id })
      const theirs = await make(account, 'job', { worker_id: stranger.id, ...published })
      const nobodys = await make(account, 'job')
      assert.equal(await status(`/jobs/${mine.id}`), 200)
      assert.deepEqual(await listed('jobs'), [String(mine.id)])
      const jobs = jobsIn(format, by)
      for (const { id, steps } of [unpublished, theirs, nobodys]) {
        assert.equal((await jobs.show(id)).status, 404)
        assert.equal((await jobs.update(id, { confirmation: 'accepted' })).status, 404)
        for (const noun of ['confirmation', 'pause', 'completion']) {
          const at = jobs.on(id, noun, steps[0].id)
          assert.deepEqual(
            [(await at.get()).status, (await at.post()).status, (await at.delete()).status],
            [404, 404, 404],
          )
        }
        assert.equal(await status(`/jobs/${id}/publication`), 404)
        assert.equal((await by('GET', `/v5/jobs/${id}/candidates.json`)).status, 404)
      }
    })

    test('sees the customers, assets, equipment, pricebooks and templates of own jobs only', async () => {
      for (const name of ['customer', 'asset', 'equipment', 'pricebook', 'template']) {
        const [mine, theirs] = [await make(account, name), await make(account, name)]
        const plural = name === 'equipment' ? name : `${name}s`
        const of = ({ id }: WireDraft) =>
          ['asset', 'equipment'].includes(name) ? { [`${name}_ids`]: [id] } : { [`${name}_id`]: id }
        const job = await make(account, 'job', { worker_id: worker.id, ...published, ...of(mine) })
        await make(account, 'job', { worker_id: stranger.id, ...published, ...of(theirs) })
        await make(account, 'job', { worker_id: worker.id, ...of(theirs) })
        assert.deepEqual([await status(`/${plural}/${mine.id}`), await status(`/${plural}/${theirs.id}`)], [200, 404])
        const seen = await listed(plural)
        assert.ok(seen.includes(String(mine.id)) && !seen.includes(String(theirs.id)), `${name}: ${seen}`)
        // With the job goes what it needed.
        await account.request('PUT', `/v5/jobs/${job.id}.json`, { body: { job: { worker_id: stranger.id } } })
        assert.equal(await status(`/${plural}/${mine.id}`), 404)
      }
    })

    test('sees themselves, the people of own groups, those with messaging, own groups, and all tags', async () => {
      const mate = await make(account, 'worker', { group_ids: [group.id] })
      const office = await make(account, 'user', { permissions: { messaging: 'full' } })
      const elsewhere = await make(account, 'group')
      const other = await make(account, 'worker', { group_ids: [elsewhere.id] })
      for (const [id, expects] of [
        [worker.id, 200],
        [mate.id, 200],
        [office.id, 200],
        [other.id, 404],
        [stranger.id, 404],
      ])
        assert.equal(await status(`/users/${id}`), expects)
      const seen = await listed('users')
      assert.ok(!seen.includes(String(other.id)) && !seen.includes(String(stranger.id)))
      assert.deepEqual(await listed('groups'), [String(group.id)])
      assert.equal(await status(`/groups/${elsewhere.id}`), 404)
      const tag = await make(account, 'tag')
      assert.ok((await listed('tags')).includes(String(tag.id)))
    })

    test('sees own threads and those of all workers, and the messages in them', async () => {
      const mine = await make(account, 'thread', { user_ids: [worker.id] })
      const everybodys = await make(account, 'thread', { all_workers: true })
      const theirs = await make(account, 'thread', { user_ids: [stranger.id] })
      for (const [thread, expects] of [
        [mine, 200],
        [everybodys, 200],
        [theirs, 404],
      ] as const) {
        assert.equal(await status(`/messaging/${thread.id}`), expects)
        assert.equal(await status(`/messaging/${thread.id}/messages/${thread.messages[0].id}`), expects)
        assert.equal(await status(`/messaging/${thread.id}/messages`), expects)
      }
      assert.deepEqual((await listed('threads', '/messaging')).toSorted(), [mine.id, everybodys.id].toSorted())
    })

    test('never gets a hidden custom field, from any address, and leaves it as it is', async () => {
      const custom_fields = [
        { name: 'Margin', value: 'secret 42', permission: 'hidden' },
        { name: 'Colour', value: 'red' },
      ]
      const template = await make(account, 'template', { custom_fields })
      const job = await make(account, 'job', {
        worker_id: worker.id,
        ...published,
        template_id: template.id,
        custom_fields,
      })
      const jobs = jobsIn(format, by)
      const [hidden, colour] = job.custom_fields
      const answers = [
        await jobs.show(job.id),
        await jobs.update(job.id, { custom_fields: [{ id: colour.id, name: 'Colour', value: 'blue' }] }),
        await jobs.update(job.id, { custom_fields: [] }),
        await jobs.update(job.id, { custom_fields: [{ id: hidden.id, value: 'guess' }] }),
        await jobs.update(job.id, { custom_fields: [{ name: 'Margin', value: 'guess' }] }),
        await jobs.on(job.id, 'confirmation').post(),
      ].map(({ answer }) => answer)
      answers.push(await by('GET', `/v5/jobs.${format}`))
      answers.push(await by('GET', `/v5/jobs.${format}?include=can&search=secret`))
      answers.push(await by('GET', `/v5/templates/${template.id}.${format}`))
      answers.push(await by('GET', `/v5/templates.${format}`))
      const including = await by('GET', '/v5/jobs.json?include=template')
      assert.ok(including.json.jobs.some((row: WireDraft) => row.template?.id === template.id))
      answers.push(including)
      for (const path of [`jobs/${job.id}`, `templates/${template.id}`])
        answers.push(await by('GET', `/v5/${path}/history.${format}`))
      answers.push(await by('GET', '/v5/events.json?after_id=0&per_page=1000'))
      for (const { id, record } of answers.at(-1)?.json.events ?? [])
        if (record === 'job') answers.push(await by('GET', `/v5/events/${id}.${format}`))
      for (const { text, status } of answers) {
        assert.ok(!/Margin|secret 42|"hidden"|>hidden</.test(text), text)
        // A guess at what is hidden is refused like one at what is read only.
        assert.ok(status < 300 || (status === 422 && /is read only/.test(text)), text)
      }
      const kept = (await account.request('GET', `/v5/jobs/${job.id}.json`)).json.job.custom_fields
      assert.deepEqual(
        kept.map(({ name, value }: WireDraft) => [name, value]),
        [
          ['Margin', 'secret 42'],
          ['Colour', 'blue'],
        ],
      )
    })

    test('may not change what is read only, and may send it back', async () => {
      const job = await make(account, 'job', {
        worker_id: worker.id,
        ...published,
        custom_fields: [{ name: 'Contract', value: 'A', permission: 'read_only' }],
      })
      const jobs = jobsIn(format, by)
      const { id } = job.custom_fields[0]
      await refused(
        jobs.update(job.id, { custom_fields: [{ id, value: 'B' }] }),
        'Custom fields 1 (Contract) is read only',
      )
      assert.equal(
        (await done(jobs.update(job.id, { custom_fields: [{ id, value: 'A' }] }))).custom_fields[0].value,
        'A',
      )
    })

    test('changes nothing but what a phone may, and may send back all that was read', async () => {
      const { id } = await make(account, 'job', { worker_id: worker.id, customer_name: 'A' })
      // At no whole second, as it happens.
      await account.request('POST', `/v5/jobs/${id}/publication.json`)
      const jobs = jobsIn(format, by)
      const { row } = await jobs.show(id)
      assert.equal((await done(jobs.update(id, row))).published_at, row.published_at)
      const changes = {
        planned_duration: 5,
        worker_id: stranger.id,
        customer_name: 'B',
        published_at: '2026-05-05T00:00:00Z',
        canceled_at: '2026-05-05T00:00:00Z',
        tag_ids: [1],
        time_windows: [{ from: '2026-05-05T00:00:00Z', to: '2026-05-06T00:00:00Z' }],
      }
      for (const [name, value] of Object.entries(changes)) {
        const doc = await jobs.update(id, { [name]: value })
        assert.equal(doc.status, 422, `${name} ${doc.answer.text}`)
        assert.match(doc.errors[0] ?? '', / may not be changed on a phone$/)
      }
      assert.equal((await jobs.remove(id)).status, 403)
    })

    test('is refused what it changes or adds in items beside what it may, with the name of the field', async () => {
      const place = { address1: '1 Quay Street', city: 'Auckland', lat: '-36.8', lng: '174.70' }
      const { id } = await make(account, 'job', {
        ...{ worker_id: worker.id, ...published },
        steps: [{ name: 'Arrive', location: place }, { name: 'Work' }],
        custom_fields: [
          { name: 'Plan', permission: 'hidden', type: 'checkbox', value: 'true' },
          { name: 'Gas', type: 'pick_list', options: ['on', 'off'], value: 'on' },
          { name: 'Why', show_when: { field: 'Gas', value: 'off' } },
          { name: 'Meter', type: 'number', show_when: { field: 'Plan', value: 'true' } },
          { name: 'Seal', show_when: { field: 'Plan', value: 'false' } },
        ],
        line_items: [
          { code: 'X', description: 'Pipe', quantity: '2.50', price: '85.00' },
          { description: 'Glue', quantity: '1' },
          { description: 'Tape', quantity: '1' },
        ],
      })
      const jobs = jobsIn(format, by)
      const row = await done(jobs.show(id))
      const names = row.custom_fields.map((one: WireDraft) => [one.name, one.show_when?.field ?? null])
      // What a hidden field reveals is decided here: its name doesn't leave either.
      assert.deepEqual(names, [
        ['Gas', null],
        ['Why', 'Gas'],
        ['Meter', null],
      ])
      const kept = (await account.request('GET', `/v5/jobs/${id}.json`)).json.job
      await done(jobs.update(id, row))
      const again = (await account.request('GET', `/v5/jobs/${id}.json`)).json.job
      assert.deepEqual(again, kept)

      const [arrive, work] = row.steps
      const [gas] = row.custom_fields
      const added = (what: string) => `${what} is read only: nothing is added on a phone`
      const fixed = (what: string) => `${what} may not be changed on a phone`
      await refused(jobs.update(id, { line_items: [{ code: 'Y', actual_quantity: '5' }] }), added('Line items 1'))
      await refused(jobs.update(id, { line_items: [{ code: 'X', price: '1.00' }] }), fixed('Line items 1 (X) price'))
      await refused(jobs.update(id, { steps: [{ id: arrive.id, name: 'Leave' }] }), fixed('Steps 1 (Arrive) name'))
      await refused(jobs.update(id, { steps: [...row.steps, { name: 'Rest' }] }), added('Steps 3'))
      const moved = [{ id: arrive.id, location: { ...arrive.location, city: 'Napier' } }]
      await refused(jobs.update(id, { steps: moved }), fixed('Steps 1 (Arrive) location'))
      for (const custom_field of [{ name: 'Own' }, { name: 'Plan', value: 'x' }, { name: 'Seal', value: 'x' }])
        await refused(jobs.update(id, { custom_fields: [custom_field] }), added('Custom fields 1'))
      const open = { id: gas.id, permission: 'required' }
      await refused(jobs.update(id, { custom_fields: [open] }), fixed('Custom fields 1 (Gas) permission'))

      // Counted as the phone sees them, whatever is hidden before.
      const doc = await refused(
        jobs.update(id, { custom_fields: [{ name: 'Meter', value: 'much' }] }),
        'Custom fields 3 (Meter) value is not a number',
      )
      if (format === 'json') assert.equal(doc.answer.json.errors[0].field, 'custom_fields[2].value')

      const used = [...row.line_items]
      used[2] = { ...used[2], actual_quantity: '4' }
      const changed = await done(
        jobs.update(id, { line_items: used, steps: [{ ...work, completed_at: '2026-05-05T00:00:00Z' }] }),
      )
      assert.deepEqual(
        changed.line_items.map((one: WireDraft) => one.actual_quantity),
        [null, null, '4'],
      )
      assert.equal(changed.progress_state, 'started')
    })

    test('fills what is required before the last step', async () => {
      const custom_fields = [
        { name: 'Leak', type: 'checkbox' },
        { name: 'Where', permission: 'required', show_when: { field: 'Leak', value: 'true' } },
        { name: 'Meter', type: 'number', permission: 'required' },
      ]
      const draft = { worker_id: worker.id, ...published, custom_fields }
      const job = await make(account, 'job', draft)
      const jobs = jobsIn(format, by)
      const [first, last] = job.steps
      await done(jobs.on(job.id, 'completion', first.id).post())
      const blank = (called: string) => `Custom fields ${called} value can't be blank`
      const doc = await refused(jobs.on(job.id, 'completion', last.id).post(), blank('3 (Meter)'))
      if (format === 'json') {
        const { field, remedy, ...more } = doc.answer.json.errors[0]
        assert.deepEqual([field, remedy], ['custom_fields[2].value', 'Fill in Meter before the last step'])
        assert.deepEqual(Object.keys(more), ['code', 'message'])
      }
      const steps = [{ id: first.id }, { id: last.id, completed_at: '2026-05-05T00:00:00Z' }]
      await refused(jobs.update(job.id, { steps }), blank('3 (Meter)'))
      await done(
        jobs.update(job.id, {
          custom_fields: [
            { name: 'Leak', value: 'true' },
            { name: 'Meter', value: '7' },
          ],
        }),
      )
      await refused(jobs.on(job.id, 'completion', last.id).post(), blank('2 (Where)'))
      // Filled and ended in one request.
      const filled = await done(
        jobs.update(job.id, { steps, custom_fields: [{ name: 'Where', value: 'Under the sink' }] }),
      )
      assert.equal(filled.progress_state, 'completed')
      // The office may end it without.
      const other = await make(account, 'job', draft)
      const office = jobsIn(format, account.request)
      for (const { id } of other.steps) await done(office.on(other.id, 'completion', id).post())
    })

    test('can fill an image or a signature with a file only', async () => {
      const [image, signature] = [
        { name: 'Photo', type: 'image', permission: 'required' },
        { name: 'Sign', type: 'signature', permission: 'required' },
      ]
      const draft = { worker_id: worker.id, ...published, custom_fields: [image, signature] }
      const job = await make(account, 'job', draft)
      const jobs = jobsIn(format, by)
      const custom_fields = job.custom_fields.map(({ id }: WireDraft) => ({ id, value: 'x' }))
      for (const there of [jobsIn(format, account.request), jobs])
        assert.deepEqual((await there.update(job.id, { custom_fields })).errors, [
          'Custom fields 1 (Photo) value is filled by a photo only',
          'Custom fields 2 (Sign) value is filled by a signature only',
        ])
      const [first, last] = job.steps
      await done(jobs.on(job.id, 'completion', first.id).post())
      const doc = await jobs.on(job.id, 'completion', last.id).post()
      assert.deepEqual(doc.errors, [
        "Custom fields 1 (Photo) value can't be blank",
        "Custom fields 2 (Sign) value can't be blank",
      ])
    })

    test('a checkbox reveals what is required by any of its words', async () => {
      const custom_fields = (says: string) => [
        { name: 'Leak', type: 'checkbox' },
        { name: 'Where', permission: 'required', show_when: { field: 'Leak', value: says } },
      ]
      for (const [word, says] of [
        ['yes', 'true'],
        ['1', 'true'],
        ['TRUE', 'on'],
        ['on', 'yes'],
        ['n', 'false'],
      ] as const) {
        const draft = { worker_id: worker.id, ...published, custom_fields: custom_fields(says) }
        const job = await make(account, 'job', draft)
        const jobs = jobsIn(format, by)
        const said = await done(jobs.update(job.id, { custom_fields: [{ name: 'Leak', value: word }] }))
        assert.equal(said.custom_fields[0].value, word === 'n' ? 'false' : 'true')
        const [first, last] = job.steps
        await done(jobs.on(job.id, 'completion', first.id).post())
        await refused(jobs.on(job.id, 'completion', last.id).post(), "Custom fields 2 (Where) value can't be blank")
        const maybe = jobs.update(job.id, { custom_fields: [{ name: 'Leak', value: 'maybe' }] })
        await refused(maybe, 'Custom fields 1 (Leak) value is invalid')
      }
    })

    test('makes jobs with mobile_jobs_create, for themselves or nobody; for others with mobile_jobs_assign', async () => {
      const draft = { customer_name: 'A', steps: [{ name: 'One' }] }
      for (const more of [{}, { jobs: 'read' }]) {
        const maker = await hire(account, { mobile_jobs_create: 'full', ...more }, { group_ids: [group.id] })
        const jobs = jobsIn(format, asPerson(maker))
        assert.equal((await done(jobs.create(draft))).worker_id, null)
        assert.equal((await done(jobs.create({ ...draft, worker_id: maker.id }))).worker_id, maker.id)
        await refused(jobs.create({ ...draft, worker_id: worker.id }), 'Worker may be nobody but you')

        const foreman = await hire(account, { mobile_jobs_assign: 'full', ...more }, { group_ids: [group.id] })
        const theirs = jobsIn(format, asPerson(foreman))
        assert.equal((await done(theirs.create({ ...draft, worker_id: worker.id }))).worker_id, worker.id)
        const own = await make(account, 'job', { worker_id: foreman.id, ...published })
        const plan = { worker_id: worker.id, planned_start_at: '2031-01-01T00:00:00Z' }
        assert.equal((await done(theirs.update(own.id, plan))).worker_id, worker.id)
      }
      assert.equal((await jobsIn(format, by).create(draft)).status, 403)
    })

    test('has what it made for itself, and finds it at its Location; what is left open is for the office', async () => {
      const draft = { customer_name: 'A', steps: [{ name: 'One' }] }
      const maker = await hire(account, { mobile_jobs_create: 'full' })
      const jobs = jobsIn(format, asPerson(maker))
      const doc = await jobs.create({ ...draft, worker_id: maker.id })
      assert.equal((await done(doc)).state, 'assigned')
      const { pathname } = new URL(String(doc.answer.headers.location))
      assert.equal((await asPerson(maker)('GET', `${pathname}.${format}`)).status, 200)
      assert.equal((await jobs.show((await done(jobs.create(draft))).id)).status, 404)
    })

    test('who assigns sees and gives jobs to the workers of their groups and those in none, and to no others', async () => {
      const draft = { customer_name: 'A', steps: [{ name: 'One' }] }
      const elsewhere = await make(account, 'worker', { group_ids: [(await make(account, 'group')).id] })
      const office = await make(account, 'user', { permissions: { jobs: 'full' } })
      for (const more of [{}, { group_ids: [group.id] }]) {
        const foreman = await hire(account, { mobile_jobs_assign: 'full' }, more)
        const ask = asPerson(foreman)
        const jobs = jobsIn(format, ask)
        assert.equal((await done(jobs.create({ ...draft, worker_id: stranger.id }))).worker_id, stranger.id)
        const own = await make(account, 'job', { worker_id: foreman.id, ...published })
        assert.equal((await done(jobs.update(own.id, { worker_id: stranger.id }))).worker_id, stranger.id)
        const sees = async (id: number) => (await ask('GET', `/v5/users/${id}.${format}`)).status
        assert.deepEqual([await sees(stranger.id), await sees(elsewhere.id), await sees(office.id)], [200, 404, 404])
        await refused(jobs.create({ ...draft, worker_id: elsewhere.id }), `Worker ${elsewhere.id} does not exist`)
      }
    })

    test('who also reads jobs on the web does their own as every worker, and changes no others', async () => {
      const both = await hire(account, { mobile: 'full', jobs: 'read' })
      const jobs = jobsIn(format, asPerson(both))
      const custom_fields = [{ name: 'Margin', value: '42', permission: 'hidden' }, { name: 'Colour' }]
      const mine = await make(account, 'job', { worker_id: both.id, ...published, custom_fields })
      const seen = await done(jobs.show(mine.id))
      assert.equal(seen.custom_fields.length, 2)
      await done(jobs.update(mine.id, seen))
      await done(jobs.on(mine.id, 'confirmation').post())
      await done(jobs.on(mine.id, 'completion', mine.steps[0].id).post())
      await done(jobs.update(mine.id, { paused_at: '2026-05-05T00:00:00Z' }))
      await refused(jobs.update(mine.id, { planned_duration: 5 }), 'Planned duration may not be changed on a phone')
      const theirs = await make(account, 'job', { worker_id: stranger.id, ...published })
      const unpublished = await make(account, 'job', { worker_id: both.id })
      for (const { id, steps } of [theirs, unpublished]) {
        assert.equal((await jobs.show(id)).status, 200)
        assert.equal((await jobs.update(id, { confirmation: 'accepted' })).status, 403)
        assert.equal((await jobs.on(id, 'confirmation').post()).status, 403)
        assert.equal((await jobs.on(id, 'completion', steps[0].id).post()).status, 403)
      }
    })
  })

describe('a dispatcher', () => {
  let account: TestAccount
  let a: WireDraft
  let b: WireDraft
  const made: { [plural: string]: { [where in 'a' | 'b' | 'none']: WireDraft } } = {}
  const full = { jobs: 'full', customers: 'full', equipment: 'full', messaging: 'full' }

  before(async () => {
    account = inHouse(await app.newAccount())
    a = await make(account, 'group')
    b = await make(account, 'group')
    for (const [plural, name] of [
      ['jobs', 'job'],
      ['customers', 'customer'],
      ['users', 'user'],
      ['equipment', 'equipment'],
      ['assets', 'asset'],
      ['templates', 'template'],
    ] as const)
      made[plural] = {
        a: await make(account, name, { group_ids: [a.id] }),
        b: await make(account, name, { group_ids: [b.id] }),
        none: await make(account, name),
      }
    const threadOf = async (where: 'a' | 'b' | 'none') => make(account, 'thread', { job_id: made.jobs?.[where].id })
    made.messaging = { a: await threadOf('a'), b: await threadOf('b'), none: await threadOf('none') }
  })

  const sees = async (person: Person): Promise<{ [plural: string]: string[] }> => {
    const by = asPerson(person)
    const seen: { [plural: string]: string[] } = {}
    for (const [plural, where] of Object.entries(made)) {
      seen[plural] = []
      const list = await by('GET', `/v5/${plural}.json?per_page=1000`)
      const root = plural === 'messaging' ? 'threads' : plural
      const ids = list.json[root].map(({ id }: WireDraft) => id)
      for (const [name, { id }] of Object.entries(where)) {
        const one = (await by('GET', `/v5/${plural}/${id}.json`)).status
        assert.equal(ids.includes(id), one === 200, `${plural} ${name} in the list and by itself`)
        if (one === 200) seen[plural].push(name)
        // What isn't seen isn't there for a change either.
        else {
          assert.equal(one, 404)
          const change = await by('PUT', `/v5/${plural}/${id}.json?dry_run=true`, {
            body: { [root.replace(/s$/, '')]: {} },
          })
          assert.ok([403, 404].includes(change.status), change.text)
        }
      }
    }
    return seen
  }

  const everywhere = (...where: string[]) => Object.fromEntries(Object.keys(made).map((plural) => [plural, where]))

  test('in a group sees what is in it, and what is in none', async () => {
    assert.deepEqual(await sees(await hire(account, full, { group_ids: [a.id] })), everywhere('a', 'none'))
  })

  test('in two groups sees both', async () => {
    assert.deepEqual(await sees(await hire(account, full, { group_ids: [a.id, b.id] })), everywhere('a', 'b', 'none'))
  })

  test('in no group sees what is in none', async () => {
    assert.deepEqual(await sees(await hire(account, full)), everywhere('none'))
  })

  test('who is an admin sees all, in whatever groups', async () => {
    for (const group_ids of [[], [a.id]])
      assert.deepEqual(await sees(await hire(account, { admin: 'full' }, { group_ids })), everywhere('a', 'b', 'none'))
  })

  test('sees something else as soon as their groups change', async () => {
    const person = await hire(account, full, { group_ids: [a.id] })
    const body = { user: { group_ids: [b.id] } }
    assert.equal((await account.request('PUT', `/v5/users/${person.id}.json`, { body })).status, 200)
    assert.deepEqual(await sees(person), everywhere('b', 'none'))
  })

  test('may move a job that is also in a group they do not see', async () => {
    const worker = await make(account, 'worker', { group_ids: [b.id] })
    const job = await make(account, 'job', { group_ids: [a.id, b.id], worker_id: worker.id })
    const by = asPerson(await hire(account, full, { group_ids: [a.id] }))
    const body = { job: { planned_start_at: '2031-01-01T00:00:00Z' } }
    const answer = await by('PUT', `/v5/jobs/${job.id}.json`, { body })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual((await account.request('GET', `/v5/jobs/${job.id}.json`)).json.job.group_ids, [a.id, b.id])
  })
})
