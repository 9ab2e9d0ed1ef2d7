import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startApp } from '#test/test-app'
import {
  assertBody,
  assertHeaders,
  assertNothingWritten,
  assertRefused,
  assertStatus,
  make,
  onCreated,
  xml,
} from './support.ts'

const app = await startApp()
after(() => app.close())
const { request } = app

const steps = '<steps type="array"><step><name>Arrive</name></step></steps>'
const create = (inside: string) => request('POST', '/v5/jobs.xml', { body: `<job>${inside}</job>` })
const update = (id: unknown, inside: string) => request('PUT', `/v5/jobs/${id}.xml`, { body: `<job>${inside}</job>` })
const customersOf = async (name: string) =>
  (await request('GET', `/v5/customers.json?name=${encodeURIComponent(name)}`)).json.customers

describe('POST /v5/jobs.xml', () => {
  test('answers 201 with the whole job', async () => {
    const answer = await create(
      '<customer_name>Harbour Bakery</customer_name><template_name>Boiler service</template_name><notes>Ring twice</notes>' +
        '<planned_start_at>2030-11-23T09:00:00+13:00</planned_start_at><planned_duration>5400</planned_duration>' +
        '<steps type="array"><step><name>Arrive</name></step><step><name>Service</name></step></steps>' +
        '<custom_fields><custom_field><name>Photo</name><type>image</type></custom_field></custom_fields>' +
        '<line_items><line_item><code>LAB1</code><quantity>1.50</quantity><price>85.00</price></line_item></line_items>',
    )
    const { xml: made } = assertStatus(answer, 201)
    const [first, second] = made.get('steps').children
    const id = made.value('id')
    const fixed = answer.text.replaceAll('2030-11-22T20:00:00Z', 'PLANNED')
    assertBody(
      { text: fixed },
      xml`
        <job>
          <id type="integer">${id}</id>
          <third_party_id nil="true"/>
          <group_ids nil="true"/>
          <customer_id type="integer">${made.value('customer_id')}</customer_id>
          <customer_name>Harbour Bakery</customer_name>
          <template_id type="integer" nil="true"/>
          <template_name>Boiler service</template_name>
          <state>unallocated</state>
          <progress_state>not_started</progress_state>
          <confirmation nil="true"/>
          <decline_reason nil="true"/>
          <worker_id type="integer" nil="true"/>
          <worker_name nil="true"/>
          <worker_third_party_id nil="true"/>
          <planned_start_at type="datetime">PLANNED</planned_start_at>
          <planned_duration type="integer">5400</planned_duration>
          <published_at type="datetime" nil="true"/>
          <actual_start_at type="datetime" nil="true"/>
          <actual_duration type="integer" nil="true"/>
          <completed_at type="datetime" nil="true"/>
          <canceled_at type="datetime" nil="true"/>
          <cancel_reason nil="true"/>
          <paused_at type="datetime" nil="true"/>
          <last_action_at type="datetime">ZULU</last_action_at>
          <asset_ids nil="true"/>
          <equipment_ids nil="true"/>
          <tag_ids nil="true"/>
          <pricebook_id type="integer" nil="true"/>
          <notes>Ring twice</notes>
          <contact nil="true"/>
          <steps type="array">
            <step>
              <id type="integer">${first?.value('id')}</id>
              <name>Arrive</name>
              <location nil="true"/>
              <completed_at type="datetime" nil="true"/>
              <completed_by_user_id type="integer" nil="true"/>
            </step>
            <step>
              <id type="integer">${second?.value('id')}</id>
              <name>Service</name>
              <location nil="true"/>
              <completed_at type="datetime" nil="true"/>
              <completed_by_user_id type="integer" nil="true"/>
            </step>
          </steps>
          <custom_fields type="array">
            <custom_field>
              <id type="integer">${made.value('custom_fields.custom_field.id')}</id>
              <name>Photo</name>
              <type>image</type>
              <value nil="true"/>
              <permission>optional</permission>
              <show_when nil="true"/>
              <attachment_id nil="true"/>
            </custom_field>
          </custom_fields>
          <line_items type="array">
            <line_item>
              <id type="integer">${made.get('line_items').children[0]?.value('id')}</id>
              <code>LAB1</code>
              <description nil="true"/>
              <quantity>1.50</quantity>
              <actual_quantity nil="true"/>
              <price>85.00</price>
            </line_item>
          </line_items>
          <time_windows type="array"/>
          <proof_of_delivery nil="true"/>
          <site_id type="integer" nil="true"/>
          <recurrence_id type="integer" nil="true"/>
          <recurrence_date type="date" nil="true"/>
          <due_from type="datetime" nil="true"/>
          <due_by type="datetime" nil="true"/>
          <priority>normal</priority>
          <locked_at type="datetime" nil="true"/>
          <locked_by_user_id type="integer" nil="true"/>
          <pause_reason nil="true"/>
          <published_plan nil="true"/>
          <created_at type="datetime">ZULU</created_at>
          <updated_at type="datetime">ZULU</updated_at>
        </job>`,
    )
    assertHeaders(answer, { ...onCreated, Location: `${app.base}/v5/jobs/${id}` })
    assert.equal((await request('GET', `/v5/jobs/${id}.xml`)).text, answer.text)
  })

  test('nothing of a job is marked readonly: one common reader makes a map of such an integer', async () => {
    const job = await make(app, 'job', { steps: [{ name: 'Go', location: { city: 'Levin' } }] })
    assert.doesNotMatch((await request('GET', `/v5/jobs/${job.id}.xml`)).text, /readonly/)
  })

  test('a customer and at least one step are required, and both are told', async () => {
    assertRefused(await create('<notes>x</notes>'), 422, "Customer can't be blank", "Steps can't be blank")
    const nil = await create('<customer_id/><customer_name/><steps type="array"/>')
    assertRefused(nil, 422, "Customer can't be blank", "Steps can't be blank")
    const unnamed = await create('<customer_name>C</customer_name><steps><step><name/></step></steps>')
    assertRefused(unnamed, 422, "Steps 1 name can't be blank")
  })

  test('a customer_name that is too long is one fault, and not also a customer that is missing', async () => {
    const answer = await create(`<customer_name>${'x'.repeat(256)}</customer_name>${steps}`)
    assertRefused(answer, 422, 'Customer name is too long (maximum is 255 characters)')
  })

  test('planned_duration is 3600 unless somebody says otherwise', async () => {
    const answer = await create(`<customer_name>C</customer_name>${steps}`)
    assert.equal(answer.xml.value('planned_duration'), '3600')
    assert.equal((await update(answer.xml.value('id'), '<planned_duration/>')).xml.value('planned_duration'), '3600')
  })

  test('state, progress and what the server sets are ignored', async () => {
    const answer = await create(
      `<id>99</id><customer_name>C</customer_name><state>assigned</state><progress_state>completed</progress_state>` +
        `<completed_at>2020-01-01T00:00:00Z</completed_at><actual_duration>5</actual_duration>${steps}`,
    )
    const { xml: made } = assertStatus(answer, 201)
    assert.notEqual(made.value('id'), '99')
    assert.deepEqual([made.value('state'), made.value('progress_state')], ['unallocated', 'not_started'])
    assert.deepEqual([made.value('completed_at'), made.value('actual_duration')], [null, null])
  })
})

describe('customer_name', () => {
  test('makes a customer where there is none of that name, and customer_id reads back', async () => {
    const answer = await create(`<customer_name>New Cafe</customer_name>${steps}`)
    const [made] = await customersOf('New Cafe')
    assert.equal(answer.xml.value('customer_id'), String(made.id))
    assert.equal(answer.xml.value('customer_name'), 'New Cafe')
  })

  test('finds the oldest customer of that name', async () => {
    const [oldest] = [await make(app, 'customer', { name: 'Twins' }), await make(app, 'customer', { name: 'Twins' })]
    const answer = await create(`<customer_name>Twins</customer_name>${steps}`)
    assert.equal(answer.xml.value('customer_id'), String(oldest.id))
    assert.equal((await customersOf('Twins')).length, 2)
  })

  test('white space around the name does not make another customer', async () => {
    await create(`<customer_name>Spacious</customer_name>${steps}`)
    await create(`<customer_name>  Spacious\n</customer_name>${steps}`)
    assert.equal((await customersOf('Spacious')).length, 1)
  })

  test('gives way to a customer_id, and a warning says so', async () => {
    const { id, name } = await make(app, 'customer')
    const answer = await create(`<customer_id>${id}</customer_id><customer_name>Somebody else</customer_name>${steps}`)
    assert.deepEqual([answer.xml.value('customer_id'), answer.xml.value('customer_name')], [String(id), name])
    assert.deepEqual(await customersOf('Somebody else'), [])
    assert.equal(answer.headers['x-muster-warnings'], 'contradicts')
    const job = `/v5/jobs/${answer.xml.value('id')}.json`
    const { json, headers } = await request('PUT', job, { body: { job: { customer_id: id, customer_name: 'Else' } } })
    assert.deepEqual([json.job.customer_name, json.warnings[0].field], [name, 'customer_name'])
    const back = await request('PUT', job, { body: { job: { customer_id: id, customer_name: name } } })
    assert.deepEqual([headers['x-muster-warnings'], back.headers['x-muster-warnings']], ['contradicts', undefined])
  })

  test('nil beside a customer_id is no name', async () => {
    const { id, name } = await make(app, 'customer')
    const answer = await create(`<customer_id>${id}</customer_id><customer_name nil="true"/>${steps}`)
    assert.equal(assertStatus(answer, 201).xml.value('customer_name'), name)
  })

  test('makes no customer when the job is refused', async () => {
    await assertNothingWritten(app.app, async () => {
      assertRefused(await create('<customer_name>Never</customer_name>'), 422, "Steps can't be blank")
    })
  })

  test('of another name on update moves the job to another customer', async () => {
    const { id } = await make(app, 'job', { customer_name: 'Before' })
    const answer = await update(id, '<customer_name>After</customer_name>')
    assert.equal(answer.xml.value('customer_id'), String((await customersOf('After'))[0].id))
    assert.equal((await customersOf('Before')).length, 1)
  })
})

describe('references', () => {
  test('an unknown id of any kind is 422 and named, all at once', async () => {
    const answer = await assertNothingWritten(app.app, () =>
      create(
        '<group_ids>999991</group_ids><customer_id>999992</customer_id><template_id>999993</template_id>' +
          '<worker_id>999994</worker_id><asset_ids>999995</asset_ids><equipment_ids>999996,999997</equipment_ids>' +
          `<tag_ids>999998</tag_ids><pricebook_id>999999</pricebook_id>${steps}`,
      ),
    )
    assertRefused(
      answer,
      422,
      'Group ids 999991 does not exist',
      'Customer 999992 does not exist',
      'Template 999993 does not exist',
      'Worker 999994 does not exist',
      'Asset ids 999995 does not exist',
      'Equipment ids 999996 does not exist',
      'Equipment ids 999997 does not exist',
      'Tag ids 999998 does not exist',
      'Pricebook 999999 does not exist',
    )
  })

  test('a worker is named by id or by third-party id, and reads back by name', async () => {
    const worker = await make(app, 'worker', { third_party_id: 'emp-1' })
    const job = await make(app, 'job', { worker_third_party_id: 'emp-1' })
    assert.deepEqual([job.worker_id, job.worker_name, job.worker_third_party_id], [worker.id, worker.name, 'emp-1'])
    const unknown = await create(
      `<customer_name>C</customer_name><worker_third_party_id>emp-0</worker_third_party_id>${steps}`,
    )
    assertRefused(unknown, 422, 'Worker third party emp-0 does not exist')
  })

  test('of a worker named twice, what differs from before is meant; what contradicts is refused', async () => {
    const [ana, ben, cas] = [
      await make(app, 'worker', { third_party_id: 'emp-ana' }),
      await make(app, 'worker', { third_party_id: 'emp-ben' }),
      await make(app, 'worker'),
    ]
    const { id } = await make(app, 'job', { worker_id: ana.id, worker_third_party_id: 'emp-ana' })
    const put = async (change: { [field: string]: unknown }) => {
      const { job } = (await request('GET', `/v5/jobs/${id}.json`)).json
      return request('PUT', `/v5/jobs/${id}.json`, { body: { job: { ...job, ...change } } })
    }
    const changes: [{ [field: string]: unknown }, number | null][] = [
      [{}, ana.id],
      [{ worker_third_party_id: 'emp-ben' }, ben.id],
      [{ worker_id: ana.id }, ana.id],
      [{ worker_id: ben.id, worker_third_party_id: 'emp-ben' }, ben.id],
      [{ worker_id: cas.id, worker_third_party_id: null }, cas.id],
      [{ worker_id: ana.id }, ana.id],
      [{ worker_third_party_id: null }, null],
      [{ worker_third_party_id: 'emp-ana' }, ana.id],
    ]
    for (const [change, worker] of changes)
      assert.equal(assertStatus(await put(change), 200).json.job.worker_id, worker, JSON.stringify(change))
    const sentence = 'Worker third party is of another worker than worker_id'
    assertRefused(await put({ worker_id: cas.id, worker_third_party_id: 'emp-ben' }), 422, sentence)
    assertRefused(await put({ worker_id: ben.id, worker_third_party_id: 'nobody' }), 422)
    const job = (more: object) => ({ body: { job: { customer_name: 'C', steps: [{ name: 'One' }], ...more } } })
    for (const worker_third_party_id of ['nobody', 'emp-ben']) {
      const body = job({ worker_id: ana.id, worker_third_party_id })
      assertRefused(await request('POST', '/v5/jobs.json', body), 422)
    }
  })

  test('what a job refers to keeps its name when it is deleted, and the job can be sent back whole', async () => {
    const worker = await make(app, 'worker')
    const job = await make(app, 'job', { worker_id: worker.id })
    const [step] = job.steps
    const done = { steps: [{ ...step, completed_at: '2026-01-05T10:00:00Z' }] }
    const more = job.steps.slice(1).map((other: object) => ({ ...other, completed_at: '2026-01-05T11:00:00Z' }))
    await request('PUT', `/v5/jobs/${job.id}.json`, { body: { job: { steps: [...done.steps, ...more] } } })
    assertStatus(await request('DELETE', `/v5/users/${worker.id}.xml`), 200)
    const read = await request('GET', `/v5/jobs/${job.id}.xml`)
    assert.equal(read.xml.value('worker_name'), worker.name)
    assert.equal(assertStatus(await request('PUT', `/v5/jobs/${job.id}.xml`, { body: read.text }), 200).text, read.text)
  })
})

describe('a template', () => {
  test('gives what the job does not say itself', async () => {
    const [customer, other] = [await make(app, 'customer'), await make(app, 'customer')]
    const tag = await make(app, 'tag')
    const pricebook = await make(app, 'pricebook')
    const template = await make(app, 'template', {
      planned_duration: 1234,
      customer_id: customer.id,
      tag_ids: [tag.id],
      pricebook_id: pricebook.id,
      steps: [{ name: 'One' }, { name: 'Two' }],
      custom_fields: [{ name: 'Meter', type: 'number' }],
    })
    const all = await make(app, 'job', {
      template_id: template.id,
      ...{ template_name: undefined, customer_name: undefined, planned_duration: undefined, steps: undefined },
      custom_fields: undefined,
    })
    assert.deepEqual(
      [all.template_name, all.customer_id, all.planned_duration, all.tag_ids, all.pricebook_id],
      [template.name, customer.id, 1234, [tag.id], pricebook.id],
    )
    assert.deepEqual(
      all.steps.map(({ name }: { name: string }) => name),
      ['One', 'Two'],
    )
    assert.equal(all.custom_fields[0].name, 'Meter')
    const own = await make(app, 'job', {
      template_id: template.id,
      ...{
        customer_name: undefined,
        customer_id: other.id,
        planned_duration: 60,
        steps: [{ name: 'Mine' }],
        tag_ids: [],
      },
    })
    assert.deepEqual([own.customer_id, own.planned_duration, own.tag_ids], [other.id, 60, []])
    assert.deepEqual(
      own.steps.map(({ name }: { name: string }) => name),
      ['Mine'],
    )
  })

  test('gives its pricebook where neither the job nor, with that feature, its customer has one', async () => {
    const account = await app.newAccount()
    const book = async () => (await make(account, 'pricebook')).id
    const [own, first, second, last] = [await book(), await book(), await book(), await book()]
    const dear = await make(account, 'customer', { pricebook_id: first })
    const dearer = await make(account, 'customer', { pricebook_id: second })
    const plain = await make(account, 'customer')
    const template = await make(account, 'template', { pricebook_id: last })
    const job = (more: object) => make(account, 'job', { customer_name: undefined, template_id: template.id, ...more })
    const move = async (id: number, customer_id: number) =>
      (await account.request('PUT', `/v5/jobs/${id}.json`, { body: { job: { customer_id } } })).json.job.pricebook_id

    const said = await job({ customer_id: dear.id, pricebook_id: own })
    const given = await job({ customer_id: dear.id })
    assert.deepEqual([said.pricebook_id, given.pricebook_id], [own, first])
    assert.equal((await job({ customer_id: plain.id })).pricebook_id, last)
    assert.equal((await job({ customer_id: dear.id, template_id: undefined })).pricebook_id, first)
    assert.equal((await job({ customer_id: dear.id, pricebook_id: null })).pricebook_id, null)
    // What was given goes with the customer who gave it; what is its own stays.
    assert.equal(await move(said.id, dearer.id), own)
    assert.equal(await move(given.id, dearer.id), second)
    assert.equal(await move(given.id, plain.id), last)
    await account.request('DELETE', `/v5/pricebooks/${second}.json`)
    assert.equal((await job({ customer_id: dearer.id })).pricebook_id, last)
    await account.turn('customer_pricebooks', false)
    assert.equal((await job({ customer_id: dear.id })).pricebook_id, last)
  })

  test('by name alone is only a label', async () => {
    const template = await make(app, 'template', { planned_duration: 1234 })
    const job = await make(app, 'job', { template_name: template.name, planned_duration: undefined })
    assert.deepEqual([job.template_id, job.template_name, job.planned_duration], [null, template.name, 3600])
  })
})

describe('states', () => {
  /** A job of a worker with two steps. */
  async function planned(more = {}) {
    const worker = await make(app, 'worker')
    return make(app, 'job', { worker_id: worker.id, steps: [{ name: 'First' }, { name: 'Last' }], ...more })
  }
  const states = (answer: { json: { job: { state: string; progress_state: string } } }) => [
    answer.json.job.state,
    answer.json.job.progress_state,
  ]
  const put = (id: unknown, job: object) => request('PUT', `/v5/jobs/${id}.json`, { body: { job } })

  test('unallocated without a worker, allocated with one, assigned once published', async () => {
    const worker = await make(app, 'worker')
    const { id, state } = await make(app, 'job')
    assert.equal(state, 'unallocated')
    assert.deepEqual(states(await put(id, { worker_id: worker.id })), ['allocated', 'not_started'])
    assert.deepEqual(states(await put(id, { published_at: '2026-01-05T08:00:00Z' })), ['assigned', 'not_started'])
    assert.deepEqual(states(await put(id, { worker_id: null, published_at: null })), ['unallocated', 'not_started'])
  })

  test('the first completed step starts the job, the last ends it, and taking it back does the reverse', async () => {
    const job = await planned()
    const [first, last] = job.steps
    const started = await put(job.id, {
      steps: [{ id: first.id, completed_at: '2026-01-05T10:00:00Z' }, { id: last.id }],
    })
    assert.equal(started.json.job.progress_state, 'started')
    assert.equal(started.json.job.actual_start_at, '2026-01-05T10:00:00Z')
    const ended = await put(job.id, {
      steps: [{ id: first.id }, { id: last.id, completed_at: '2026-01-05T11:30:00Z' }],
    })
    assert.deepEqual(
      [ended.json.job.progress_state, ended.json.job.completed_at, ended.json.job.actual_duration],
      ['completed', '2026-01-05T11:30:00Z', 5400],
    )
    const back = await put(job.id, {
      steps: [
        { id: first.id, completed_at: null },
        { id: last.id, completed_at: null },
      ],
    })
    assert.deepEqual(
      [back.json.job.progress_state, back.json.job.completed_at, back.json.job.actual_start_at],
      ['not_started', null, null],
    )
  })

  test('verbs are nouns: a publication is posted, read and deleted under its job', async () => {
    const job = await planned()
    const path = `/v5/jobs/${job.id}/publication`
    assertRefused(await request('GET', `${path}.xml`), 404)
    const made = await request('POST', `${path}.xml`)
    assertStatus(made, 201)
    assertHeaders(made, { ...onCreated, Location: `${app.base}${path}` })
    assertBody(
      made,
      xml`
        <publication>
          <published_at type="datetime">ZULU</published_at>
        </publication>`,
    )
    assert.equal((await request('GET', `${path}.xml`)).text, made.text)
    assert.equal((await request('GET', `/v5/jobs/${job.id}.json`)).json.job.state, 'assigned')
    assert.equal((await request('DELETE', `${path}.xml`)).text, made.text)
    assertRefused(await request('DELETE', `${path}.xml`), 404)
  })

  test('a cancellation clears worker and times, keeps the job, and can be taken back', async () => {
    const job = await planned({ planned_start_at: '2030-01-01T09:00:00Z' })
    const path = `/v5/jobs/${job.id}/cancellation.json`
    assertStatus(await request('POST', path, { body: { cancellation: { cancel_reason: 'Rain' } } }), 201)
    const shown = (await request('GET', `/v5/jobs/${job.id}.json`)).json.job
    assert.deepEqual([shown.worker_id, shown.planned_start_at, shown.cancel_reason], [null, null, 'Rain'])
    assertStatus(await request('DELETE', path), 200)
    assert.equal((await request('GET', `/v5/jobs/${job.id}.json`)).json.job.canceled_at, null)
  })

  test('a step is completed under its own address', async () => {
    const job = await planned()
    const path = `/v5/jobs/${job.id}/steps/${job.steps[0].id}/completion.xml`
    assertStatus(await request('POST', path), 201)
    assert.equal((await request('GET', `/v5/jobs/${job.id}.json`)).json.job.progress_state, 'started')
    assertRefused(await request('POST', `/v5/jobs/${job.id}/steps/999999/completion.xml`), 404)
  })
})

describe('steps and custom fields on update', () => {
  test('absent leaves them alone; a list replaces them, matched by id, then by name', async () => {
    const job = await make(app, 'job', { steps: [{ name: 'A' }, { name: 'B', completed_at: '2026-01-01T00:00:00Z' }] })
    const [a, b] = job.steps
    assert.equal((await update(job.id, '<notes>x</notes>')).xml.get('steps').children.length, 2)
    const body = { job: { steps: [{ name: 'B' }, { id: a.id, name: 'A2' }, { name: 'New' }] } }
    const changed = (await request('PUT', `/v5/jobs/${job.id}.json`, { body })).json.job.steps
    assert.deepEqual([changed[0], changed[1].id, changed[1].name], [b, a.id, 'A2'])
    assert.equal(changed.length, 3)
  })

  test('no step at all is refused', async () => {
    const job = await make(app, 'job')
    assertRefused(await update(job.id, '<steps type="array"/>'), 422, "Steps can't be blank")
  })

  test('a type or permission that is not known is refused, and the field is named', async () => {
    const answer = await create(
      `<customer_name>C</customer_name>${steps}<custom_fields type="array"><custom_field><name>A</name></custom_field>` +
        '<custom_field><name>B</name><type>colour</type><permission>secret</permission></custom_field></custom_fields>',
    )
    assertRefused(
      answer,
      422,
      'Custom fields 2 (B) type is not included in the list',
      'Custom fields 2 (B) permission is not included in the list',
    )
  })
})

describe('reading', () => {
  test('a list holds whole jobs', async () => {
    const other = await app.newAccount()
    const job = await make(other, 'job')
    assert.deepEqual((await other.request('GET', '/v5/jobs.json')).json.jobs, [job])
  })

  test('state takes values of both axes', async () => {
    const other = await app.newAccount()
    const worker = await make(other, 'worker')
    const free = await make(other, 'job')
    const taken = await make(other, 'job', { worker_id: worker.id })
    const ids = async (query: string) =>
      (await other.request('GET', `/v5/jobs.json?${query}`)).json.jobs.map(({ id }: { id: number }) => id)
    assert.deepEqual(await ids('state=unallocated'), [free.id])
    assert.deepEqual(await ids('state=allocated'), [taken.id])
    assert.deepEqual(await ids('state=not_started'), [free.id, taken.id])
    assert.deepEqual(await ids(`worker_id=${worker.id}`), [taken.id])
    assertRefused(await other.request('GET', '/v5/jobs.xml?state=lost'), 422)
  })

  test('a deleted job is 404', async () => {
    const { id } = await make(app, 'job')
    assertStatus(await request('DELETE', `/v5/jobs/${id}.xml`), 200)
    assertRefused(await request('GET', `/v5/jobs/${id}.xml`), 404)
  })
})
