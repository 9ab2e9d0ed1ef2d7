import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { hire, type Person, signedIn } from '#test/people'
import { startApp } from '#test/test-app'
import { until } from '#test/until'

/** Live events of somebody who signed in: how many streams, and for how long. */

const app = await startApp()
after(() => app.close())

/** Opens a stream as a browser does. */
async function open({ cookie }: Pick<Person, 'cookie'>): Promise<IncomingMessage> {
  const asking = get(`${app.base}/v5/events`, { headers: { Cookie: cookie, 'Accept-Encoding': 'gzip' }, agent: false })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.on('error', () => {})
  // What is said at once tells that it goes on.
  if (answer.statusCode === 200) await once(answer, 'data')
  answer.resume()
  return answer
}

test('a person has twenty streams at a time, others are not concerned, and one that ends makes room', async () => {
  const [person, other] = [await hire(app, { jobs: 'read' }), await hire(app, { jobs: 'read' })]
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(person)))
  const elsewhere = await signedIn(app, person.email, person.password)
  const refused = await open(elsewhere)
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '15'])
  const theirs = await open(other)
  assert.equal(theirs.statusCode, 200)
  streams.pop()?.destroy()
  const again: IncomingMessage[] = []
  await until(async () => {
    const answer = await open(elsewhere)
    if (answer.statusCode === 200) again.push(answer)
    return again.length > 0
  }, 'there is room again')
  for (const stream of [...streams, ...again, theirs]) stream.destroy()
})

for (const [what, end] of [
  [
    'is disabled',
    (person) => app.request('PUT', `/v5/users/${person.id}.json`, { body: { user: { enabled: false } } }),
  ],
  ['is deleted', (person) => app.request('DELETE', `/v5/users/${person.id}.json`)],
  ['signs out', (person) => person.request('DELETE', '/v5/session/current.json')],
] as [string, (person: Person) => Promise<{ status: number }>][])
  test(`the streams of who ${what} end at once, and tell nothing that comes after`, async () => {
    const person = await hire(app, { admin: 'full', jobs: 'full' })
    const stream = await open(person)
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk
    })
    const startedAt = performance.now()
    const ended = once(stream, 'close')
    assert.equal((await end(person)).status, 200)
    await app.request('POST', '/v5/tags.json', { body: { tag: { name: `After ${what}` } } })
    await ended
    // Long before the next heartbeat.
    assert.ok(performance.now() - startedAt < 5_000)
    assert.ok(!text.includes(`After ${what}`))
  })
