import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Answered, Asked } from '#test/client'
import { growthOf } from '#test/cost'
import { hire } from '#test/people'
import { startApp } from '#test/test-app'
import { assertRefused, assertStatus, make } from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

describe('a thread takes up to 100 new messages in a request', () => {
  const messages = (n: number) => times(n, (i) => ({ from_user_name: 'Front desk', body: `Message ${i}` }))
  const post = (n: number) => request('POST', '/v5/messaging.json', { body: { thread: { messages: messages(n) } } })

  test('and refuses the 101st, naming the list', async () => {
    const answer = await post(101)
    assertRefused(answer, 422, 'Messages has too many new items (maximum is 100)')
    assert.equal(answer.json.errors[0].field, 'messages')
  })

  test('its journal tells the thread once made and once summed up, however many messages come with it', async () => {
    const { id } = assertStatus(await post(100), 201).json.thread
    const history = (await request('GET', `/v5/messaging/${id}/history.json`)).json.events
    assert.deepEqual(
      history.map(({ action }: { action: string }) => action),
      ['create', 'update'],
    )
  })

  test('others are answered while they are written', async () => {
    let isWritten = false
    const writing = post(100).then((answer) => {
      isWritten = true
      return answer
    })
    let answered = 0
    while (!isWritten) {
      await request('GET', '/healthz', { key: null })
      answered++
    }
    assertStatus(await writing, 201)
    assert.ok(answered > 1, `${answered} were answered meanwhile`)
  })

  test('one that has more of them already is sent back whole, and stays as it is', async () => {
    const { id } = assertStatus(await post(100), 201).json.thread
    assertStatus(
      await request('PUT', `/v5/messaging/${id}.json`, { body: { thread: { messages: messages(50) } } }),
      200,
    )
    const shown = await request('GET', `/v5/messaging/${id}.json`)
    const again = assertStatus(await request('PUT', `/v5/messaging/${id}.json`, { body: shown.json }), 200)
    assert.deepEqual(again.json, shown.json)
    assert.equal(again.json.thread.messages.length, 150)
  })
})

describe('a list is refused by its length before its items are read', () => {
  const cases: { [field: string]: { path: string; body: (items: unknown[]) => object; most: number } } = {
    messages: { path: '/v5/messaging', body: (messages) => ({ thread: { messages } }), most: 10_000 },
    user_ids: { path: '/v5/messaging', body: (user_ids) => ({ thread: { user_ids } }), most: 10_000 },
    tag_ids: { path: '/v5/templates', body: (tag_ids) => ({ template: { name: 'T', tag_ids } }), most: 1000 },
    tags: { path: '/v5/users', body: (tags) => ({ user: { tags } }), most: 1000 },
    steps: { path: '/v5/jobs', body: (steps) => ({ job: { steps } }), most: 200 },
    line_items: { path: '/v5/jobs', body: (line_items) => ({ job: { line_items } }), most: 2000 },
    pricebook_items: {
      path: '/v5/pricebooks',
      body: (items) => ({ pricebook: { pricebook_items: items } }),
      most: 2000,
    },
    'custom_fields[0].options': {
      path: '/v5/templates',
      body: (options) => ({ template: { name: 'T', custom_fields: [{ name: 'Size', type: 'pick_list', options }] } }),
      most: 1000,
    },
    events: { path: '/v5/webhooks', body: (events) => ({ webhook: { url: 'https://a.example', events } }), most: 1000 },
  }

  for (const [field, { path, body, most }] of Object.entries(cases))
    test(`${field}: ${most}`, async () => {
      const answer = await request('POST', `${path}.json`, { body: body(times(most + 1, () => ({}))) })
      assert.equal(answer.status, 422, answer.text)
      const faults = (answer.json.errors as { field: string; code: string; message: string }[]).filter((fault) =>
        fault.field.startsWith(field.replace(/\[.*/, '')),
      )
      assert.deepEqual(
        faults.map((fault) => [fault.code, fault.message.replace(/^.* has/, 'has')]),
        [['too_many', `has too many items (maximum is ${most})`]],
      )
    })

  test('ids in one text count as items', async () => {
    const list = times(1001, (i) => i + 1).join(',')
    const answer = await request('POST', '/v5/templates.xml', {
      body: `<template><name>T</name><tag_ids>${list}</tag_ids></template>`,
    })
    assertRefused(answer, 422, 'Tag ids has too many items (maximum is 1000)')
  })
})

describe('a request head costs what its length is worth', () => {
  const blanks = (n: number) => ' '.repeat(n)
  const heads: { [what: string]: (n: number) => Asked & { path?: string } } = {
    'an address of marks and keys': (n) => ({ path: `/x?${'?'.repeat(n / 4)}${'key'.repeat(n / 4)}` }),
    'an address of percent signs': (n) => ({ path: `/v5/tags.json?${'%3Fkey%3D'.repeat(n / 9)}` }),
    'Accept-Encoding of blanks': (n) => ({ headers: { 'Accept-Encoding': `gzip${blanks(n)}x` } }),
    'If-None-Match of quotes': (n) => ({ headers: { 'If-None-Match': 'W/"'.repeat(n / 3) } }),
  }

  for (const [what, head] of Object.entries(heads))
    test(what, async () => {
      const ask = async (n: number) => {
        const { path = '/v5/tags.json', ...asked } = head(n)
        for (let i = 0; i < 5; i++) await request('GET', path, asked)
      }
      assert.equal(await growthOf(ask, 12_000), null)
    })
})

test('signing in, and what else a session has, takes 4 KB', async () => {
  const { request: person } = await hire(app, { jobs: 'full' })
  const long = { email: 'a@example.com', password: 'x'.repeat(4096), current_password: '' }
  for (const [method, path, ask] of [
    ['POST', '/v5/session.json', request],
    ['PUT', '/v5/password.json', person],
  ] as const)
    assertRefused(await ask(method, path, { body: long }), 413, 'The body is too large: at most 4096 bytes')
})

describe('a Host that is no host is 400', () => {
  for (const host of ['x:99999', '[', 'a:b:c', 'a/b', 'a b', `${'x'.repeat(300)}`])
    test(host.slice(0, 20), async () => {
      const { request: person } = await hire(app, { jobs: 'full' })
      for (const ask of [request, person])
        assertRefused(
          await ask('POST', '/v5/customers.json', { body: { customer: {} }, headers: { Host: host } }),
          400,
          'The Host of the request is not a valid host',
        )
    })
})

describe('the end of time', () => {
  const end = '9999-12-31T23:59:59Z'

  test('is a filter like any other instant', async () => {
    const tag = await make(app, 'tag')
    await make(app, 'user', { tags: [{ id: tag.id, expires_at: end }] })
    for (const at of [end, '0001-01-01T00:00:00Z'])
      for (const name of ['created_at', 'planned_start_at', 'updated_since', 'start_at'])
        assertStatus(await request('GET', `/v5/jobs.json?${name}=${at}`), 200)
  })

  test('is too late to plan for, and the first day is not too early', async () => {
    const { id: customer_id } = await make(app, 'customer')
    const { id: worker_id } = await make(app, 'worker')
    const plan = (planned_start_at: string) =>
      request('POST', '/v5/jobs.json', {
        body: { job: { customer_id, worker_id, steps: [{ name: 'Service' }], planned_start_at } },
      })
    assertRefused(await plan(end), 422, 'Planned start at must let the job end before the year 10000')
    assertStatus(await plan('9999-12-31T22:00:00Z'), 201)
    const { id } = assertStatus(await plan('0001-01-01T00:00:00Z'), 201).json.job
    assertStatus(await request('GET', `/v5/jobs/${id}/candidates.json`), 200)
  })

  test('no answer is waited for longer than a year', async () => {
    for (const name of ['auto_accept_after', 'auto_decline_after'])
      assertRefused(
        await request('PATCH', '/v5/account.json', { body: { account: { settings: { [name]: 2 ** 53 - 1 } } } }),
        422,
        `Settings ${name.replaceAll('_', ' ')} must be less than or equal to 31536000`,
      )
  })
})

describe('of many faults a hundred are told', () => {
  const sent = (n: number) => ({ pricebook: { name: 'Many', pricebook_items: times(n, () => 1) } })
  const codes = ({ json }: Answered) => (json.errors as { code: string }[]).map(({ code }) => code)

  test('and the last sentence says how many more there are', async () => {
    const answer = await request('POST', '/v5/pricebooks.json', { body: sent(2000) })
    assert.equal(answer.status, 422)
    assert.equal(answer.errors.length, 101)
    assert.equal(answer.errors.at(-1), 'There are 1900 more errors like these')
    assert.equal(codes(answer).at(-1), 'more')
    assert.ok(answer.body.length < 32_000, `${answer.body.length} bytes`)
  })

  test('a hundred are told without such a sentence', async () => {
    const answer = await request('POST', '/v5/pricebooks.json', { body: sent(100) })
    assert.equal(answer.errors.length, 100)
    assert.ok(!codes(answer).includes('more'))
  })
})

describe('a page ends before its bytes pass 8 MB', () => {
  const MOST = 8 * 1024 * 1024
  const steps = [{ name: 'Service' }]
  // What a description may hold: a job of 3 MB.
  const line_items = times(50, (i) => ({ code: `L${i}`, description: 'x'.repeat(60_000) }))

  test('a list says how many it has, and a walk goes on after them', async () => {
    const other = await app.newAccount()
    const { id: customer_id } = await make(other, 'customer')
    const ids = []
    for (let i = 0; i < 5; i++) ids.push((await make(other, 'job', { customer_id, steps, line_items })).id)
    for (const format of ['json', 'xml']) {
      const { body } = await other.request('GET', `/v5/jobs.${format}?per_page=1000`)
      assert.ok(body.length <= MOST, `${body.length} bytes of ${format}`)
    }
    const first = (await other.request('GET', '/v5/jobs.json?per_page=1000')).json
    assert.deepEqual([first.per_page, first.total_pages, first.total_entries, first.jobs.length], [2, 3, 5, 2])
    const second = (await other.request('GET', '/v5/jobs.json?per_page=2&page=2')).json
    assert.deepEqual(
      second.jobs.map(({ id }: { id: number }) => id),
      ids.slice(2, 4),
    )
    const walked = []
    for (let after = 0, isMore = true; isMore; ) {
      const { jobs, more } = (await other.request('GET', `/v5/jobs.json?per_page=1000&after_id=${after}`)).json
      walked.push(...jobs.map(({ id }: { id: number }) => id))
      after = walked.at(-1)
      isMore = more
    }
    assert.deepEqual(walked, ids)
  })

  test('of the journal too', async () => {
    const other = await app.newAccount()
    const { id: customer_id } = await make(other, 'customer')
    for (let i = 0; i < 5; i++) await make(other, 'job', { customer_id, steps, line_items })
    const told = []
    for (let after = 0, isMore = true; isMore; ) {
      const answer = await other.request('GET', `/v5/events.json?record=job&per_page=1000&after_id=${after}`)
      assert.ok(answer.body.length <= MOST + 1000, `${answer.body.length} bytes`)
      told.push(...answer.json.events.map(({ record_id }: { record_id: string }) => record_id))
      after = answer.json.after_id
      isMore = answer.json.more
    }
    assert.equal(new Set(told).size, 5)
    assert.equal(told.length, 5)
  })

  test('a record that is larger than that has a page of its own', async () => {
    const other = await app.newAccount()
    const { id: customer_id } = await make(other, 'customer')
    const large = [...line_items, ...line_items, ...line_items].map((item, i) => ({ ...item, code: `L${i}` }))
    for (let i = 0; i < 2; i++) await make(other, 'job', { customer_id, steps, line_items: large })
    const { jobs, per_page } = (await other.request('GET', '/v5/jobs.json')).json
    assert.deepEqual([jobs.length, per_page], [1, 1])
  })
})
