import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hire } from '#test/people'
import { startApp, type TestApp } from '#test/test-app'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app.close())

const post = (path: string, json: object) => app.request('POST', path, { body: json })

async function newJob(draft: object) {
  const answer = await post('/v5/jobs.json', { job: { customer_name: 'A', steps: [{ name: 'Work' }], ...draft } })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.job
}

const change = (id: number, job: object) => app.request('PUT', `/v5/jobs/${id}.json`, { body: { job } })

test('a switch is on for every word of yes, and a word that is neither yes nor no writes nothing', async () => {
  for (const word of ['1', 'TRUE', 'yes']) {
    const answer = await post(`/v5/tags.json?dry_run=${word}`, { tag: { name: `Dry ${word}` } })
    assert.deepEqual([answer.status, answer.headers['x-muster-dry-run']], [201, 'true'])
  }
  const unclear = await post('/v5/tags.json?dry_run=maybe', { tag: { name: 'Unclear' } })
  assert.deepEqual([unclear.status, unclear.errors], [422, ['Dry run must be true or false']])
  assert.equal((await app.request('GET', '/v5/tags.json')).json.total_entries, 0)

  const one = await newJob({ third_party_id: '999' })
  for (const word of ['true', 'True', '1'])
    assert.equal((await app.request('GET', `/v5/jobs/999.json?use_third_party_id=${word}`)).json.job.id, one.id)
  assert.equal((await app.request('GET', '/v5/jobs/999.json?use_third_party_id=maybe')).status, 422)
})

test('free_text is text, a checkbox says true or false whatever the word was, and an empty value clears', async () => {
  const job = await newJob({
    custom_fields: [
      { name: 'Note', type: 'free_text', value: 'x' },
      { name: 'Done', type: 'checkbox', value: 'YES' },
      { name: 'Count', type: 'number', value: '5' },
      { name: 'Why', type: 'text', permission: 'required', show_when: { field: 'Done', value: 'true' } },
    ],
  })
  assert.deepEqual(
    job.custom_fields.map(({ type, value }: { type: string; value: string }) => [type, value]),
    [
      ['text', 'x'],
      ['checkbox', 'true'],
      ['number', '5'],
      ['text', null],
    ],
  )
  const cleared = await change(job.id, { custom_fields: [{ ...job.custom_fields[2], value: '' }] })
  assert.deepEqual([cleared.status, cleared.json.job.custom_fields[0].value], [200, null])
})

test('an empty value clears a choice, a checkbox and an amount', async () => {
  const sent = [
    { name: 'Colour', type: 'pick_list', options: ['red'], value: 'red' },
    { name: 'Done', type: 'checkbox', value: 'on' },
    { name: 'Paid', type: 'currency', value: '5' },
  ]
  const job = await newJob({ custom_fields: sent })
  const cleared = await change(job.id, { custom_fields: sent.map(({ name }) => ({ name, value: '' })) })
  assert.deepEqual(
    cleared.json.job.custom_fields.map(({ value }: { value: string }) => value),
    [null, null, null],
  )
})

test('what is included is known', async () => {
  for (const query of ['include=bogus', 'include=can,bogus', 'include=Can']) {
    const told = await app.request('GET', `/v5/tags.json?${query}`)
    assert.deepEqual([told.status, told.errors], [422, ['Include is not included in the list']])
  }
  const made = await post('/v5/tags.json?include=bogus', { tag: { name: 'Included' } })
  assert.equal(made.status, 422)
  assert.equal((await app.request('GET', '/v5/tags.json?name=Included')).json.total_entries, 0)
  for (const query of ['include=', 'include=can', 'include=can,can'])
    assert.equal((await app.request('GET', `/v5/tags.json?${query}`)).status, 200)
})

test('a number among the parameters is told what it must be, and an unknown one by its own name', async () => {
  const told = {
    '/v5/tags.json?per_page=-1': 'Per page must be greater than or equal to 1',
    '/v5/tags.json?page=-7': 'Page must be greater than or equal to 1',
    '/v5/events.json?per_page=-1': 'Per page must be greater than or equal to 1',
    '/v5/events.json?after_id=-1': 'After must be greater than or equal to 0',
    '/v5/tags.json?per_page=some': 'Per page is not a number',
    '/v5/tags.json?_=1': '_ is not a field of tags',
    '/v5/tags.json?__=1': '__ is not a field of tags',
  }
  for (const [path, sentence] of Object.entries(told))
    assert.deepEqual((await app.request('GET', path)).errors, [sentence])
})

test('a required photo or signature is filled by a file, and by nothing that is said', async () => {
  const worker = await hire(app, { mobile: 'full' })
  const job = await newJob({
    worker_id: worker.id,
    published_at: new Date().toISOString(),
    custom_fields: [
      { name: 'Photo', type: 'image', permission: 'required' },
      { name: 'Sign', type: 'signature', permission: 'required' },
    ],
  })
  const [photo, sign] = job.custom_fields
  const answer = await change(job.id, {
    custom_fields: [
      { ...photo, value: 'x' },
      { ...sign, value: 'x' },
    ],
  })
  assert.equal(answer.status, 422)
  assert.deepEqual(
    answer.errors.map((error: string) => error.replace(/.*\) /, '')),
    ['value is filled by a photo only', 'value is filled by a signature only'],
  )
})

test('no time window ends before it begins', async () => {
  const windows = [{ from: '2031-01-01T12:00:00Z', to: '2031-01-01T08:00:00Z' }]
  const answer = await post('/v5/jobs.json', {
    job: { customer_name: 'A', steps: [{ name: 'x' }], time_windows: windows },
  })
  assert.equal(answer.status, 422)
  assert.match(answer.errors[0] ?? '', /must not be before from$/)
})

test('a template fills in what its jobs could say, and no photo', async () => {
  const made = (custom_fields: object[]) =>
    app.request('POST', '/v5/templates.json', { body: { template: { name: 'T', custom_fields } } })
  const refused = await made([{ name: 'Photo', type: 'image', value: 'x' }])
  assert.equal(refused.status, 422)
  assert.match(refused.errors[0] ?? '', /is filled by a photo only$/)
  const kept = await made([{ name: 'Done', type: 'checkbox', value: 'on' }])
  assert.deepEqual([kept.status, kept.json.template.custom_fields[0].value], [201, 'true'])
  assert.equal((await newJob({ template_id: kept.json.template.id })).custom_fields[0].value, 'true')
})

test('what several of are chosen may hold commas, quotes and blanks, as a text and as a list', async () => {
  const options = ['Gas', 'Water, hot', '5" pipe', ' lead', 'a,b,c']
  const field = { name: 'Holds', type: 'multi_pick_list', options }
  const filled = async (value: unknown) => (await newJob({ custom_fields: [{ ...field, value }] })).custom_fields[0]
  assert.equal((await filled('Gas, "Water, hot"')).value, 'Gas, "Water, hot"')
  assert.equal((await filled('Water, hot')).value, '"Water, hot"')
  assert.equal((await filled(options)).value, 'Gas,"Water, hot","5"" pipe"," lead","a,b,c"')
  assert.equal((await filled(['Gas'])).value, 'Gas')
  assert.equal((await filled([])).value, null)
  for (const value of ['Water', 'hot', ['Gas', 'Oil'], '"Gas', [['Gas']], [{ a: 'Gas' }]]) {
    const job = { customer_name: 'A', steps: [{ name: 'x' }], custom_fields: [{ ...field, value }] }
    assert.equal((await post('/v5/jobs.json', { job })).status, 422, JSON.stringify(value))
  }
  const job = await newJob({ custom_fields: [{ ...field, value: ['Water, hot', 'Gas'] }] })
  for (const format of ['xml', 'json']) {
    const read = await app.request('GET', `/v5/jobs/${job.id}.${format}`)
    assert.equal((await app.request('PUT', `/v5/jobs/${job.id}.${format}`, { body: read.text })).text, read.text)
  }
  const chosen = { name: 'Size', show_when: { field: 'Holds', value: 'Water, hot' }, permission: 'required' }
  const worker = await hire(app, { mobile: 'full' })
  const revealed = async (value: string[]) => {
    const own = { worker_id: worker.id, published_at: new Date().toISOString(), steps: [{ name: 'x' }] }
    const { id, steps } = await newJob({ ...own, custom_fields: [{ ...field, value }, chosen] })
    return (await worker.request('POST', `/v5/jobs/${id}/steps/${steps[0].id}/completion.json`)).status
  }
  assert.deepEqual([await revealed(['Gas', 'Water, hot']), await revealed(['Gas'])], [422, 201])
  const xml = `<job><customer_name>A</customer_name><steps type="array"><step><name>x</name></step></steps>
    <custom_fields type="array"><custom_field><name>Holds</name><type>multi_pick_list</type><options type="array">
    <option>Water, hot</option><option>Gas</option></options><value type="array"><option>Water, hot</option><option>Gas</option></value>
    </custom_field></custom_fields></job>`
  const made = await app.request('POST', '/v5/jobs.xml', { body: xml })
  assert.equal(made.xml.value('custom_fields.custom_field.value'), '"Water, hot",Gas', made.text)
})
