import { setTimeout as sleep } from 'node:timers/promises'
import type { OnProfile as Phone } from '../../web/test/chromium.ts'
import { jpeg } from '../loads/image.ts'
import { type Muster, startMuster } from '../support/muster.ts'
import { Owner } from '../support/phone.ts'
import { type Fault, type Seen, type Trial, Wrongs } from './fault.ts'
import { onSqlite } from './places.ts'

const TIMEOUT_MS = 60_000
/** Long enough for some to be kept and sent on a busy machine. */
const LIFE_MS = 5000

export const phoneKilled: Fault = {
  name: 'phone-killed',
  promised:
    'What the app on a phone said is kept outlives `kill -9` of its browser at any moment, in the middle of writing and of sending, with a connection and without: it arrives at the office, and nothing arrives twice.',
  run: async (trial) => (trial.only === 'postgres' ? [] : [await onSqlite((home) => killed(trial, home.place))]),
}

type Company = Parameters<Parameters<typeof onSqlite>[0]>[0]['place']

/** What the person did: what the screen said is kept, and what it was ended in the middle of. */
class Done {
  readonly messages = { kept: new Set<string>(), begun: new Set<string>() }
  readonly photos = { kept: 0, begun: 0 }
}

async function killed(trial: Trial, place: Company): Promise<Seen> {
  const times = trial.times ?? (trial.quick ? 3 : 1000)
  const wrongs = new Wrongs()
  const muster = await startMuster(place)
  const owner = new Owner(`http://127.0.0.1:${muster.port}`, place)
  const done = new Done()
  const { job, thread } = await begin(muster, owner.id)
  const picture = await jpeg(400, 300)
  let kills = 0
  try {
    await atRest(await owner.start(), owner.base)
    for (; kills < times; kills++) {
      const phone = await owner.start()
      await phone.context.setOffline(kills % 3 === 0)
      const work = kills % 4 === 3 ? photograph : write
      const working = work(
        phone,
        `${owner.base}/phone${kills % 4 === 3 ? `/jobs/${job}` : `/messages/${thread}`}`,
        done,
        picture,
      )
      // A moment that chance picks.
      await sleep(Math.random() * LIFE_MS)
      await phone.kill()
      await working
      if (kills % 25 === 24)
        trial.say(`  ${kills + 1} kills, ${done.messages.kept.size} messages, ${done.photos.kept} photos`)
    }
    await atRest(await owner.start(), owner.base)
    await check(muster, { job, thread }, done, wrongs)
  } finally {
    await muster.stop()
    owner.remove()
  }
  const begun = done.messages.begun.size + done.photos.begun
  const kept = done.messages.kept.size + done.photos.kept
  return wrongs.seen(
    'Chromium',
    `${kills} times \`kill -9\` of the browser, a third of them without a connection`,
    `${done.messages.kept.size} messages and ${done.photos.kept} photos that the screen had said are kept, all there once; of ${begun - kept} more it was ended in the middle, and none is there twice`,
    { kills, kept, begun },
  )
}

async function begin({ call }: Muster, worker: number) {
  const job = {
    customer_name: 'Harbour Bakery',
    worker_id: worker,
    published_at: '2026-01-01T00:00:00Z',
    steps: [{ name: 'Arrive' }, { name: 'Leave' }],
    custom_fields: [{ name: 'Photo', type: 'image' }],
  }
  const { json: made } = await call('POST', '/v5/jobs.json', { job })
  const { json: begun } = await call('POST', '/v5/messaging.json', { thread: { subject: 'Keys', user_ids: [worker] } })
  return { job: made.job.id as number, thread: begun.thread.id as string }
}

/** One message after the other, as fast as they are kept; until the browser is gone. */
async function write({ page }: Phone, address: string, { messages }: Done): Promise<void> {
  try {
    await page.goto(address, { timeout: TIMEOUT_MS })
    for (;;) {
      const text = `Note ${messages.begun.size + 1}.`
      await page.getByRole('textbox', { name: 'Message' }).fill(text, { timeout: TIMEOUT_MS })
      messages.begun.add(text)
      await page.getByRole('button', { name: 'Send' }).click({ timeout: TIMEOUT_MS })
      await page.getByRole('listitem').filter({ hasText: text }).waitFor({ timeout: TIMEOUT_MS })
      messages.kept.add(text)
    }
  } catch {
    // Killed: what was begun is not said to be kept.
  }
}

async function photograph({ page }: Phone, address: string, { photos }: Done, picture: Buffer): Promise<void> {
  try {
    await page.goto(address, { timeout: TIMEOUT_MS })
    for (;;) {
      const input = page.locator('input[type=file]').first()
      await input.waitFor({ state: 'attached', timeout: TIMEOUT_MS })
      photos.begun++
      await input.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture }, { timeout: TIMEOUT_MS })
      await page.getByText('Photo kept').waitFor({ timeout: TIMEOUT_MS })
      photos.kept++
      await page.reload({ timeout: TIMEOUT_MS })
    }
  } catch {
    // The same.
  }
}

/** A good connection, until the phone says that the office has all of it. */
async function atRest(phone: Phone, base: string): Promise<void> {
  const { page } = phone
  await page.goto(`${base}/phone/outbox`, { timeout: TIMEOUT_MS })
  const received = page.getByRole('heading', { name: 'All received' })
  for (let i = 0; i < 600 && !(await received.isVisible()); i++) {
    const again = page.getByRole('button', { name: 'Try now' })
    if (await again.isVisible()) await again.click().catch(() => {})
    await sleep(500)
  }
  await received.waitFor({ timeout: 1000 })
  await page.getByRole('link', { name: /All received at/ }).waitFor({ timeout: TIMEOUT_MS })
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await phone.kill()
}

async function check({ call }: Muster, { job, thread }: { job: number; thread: string }, done: Done, wrongs: Wrongs) {
  const told = (await all(call, `messaging/${thread}/messages`, 'messages')).map(({ body }) => String(body))
  for (const text of done.messages.kept) wrongs.unless(told.includes(text), `“${text}” was kept and is lost`)
  for (const text of new Set(told))
    wrongs.unless(told.filter((one) => one === text).length === 1, `“${text}” is there more than once`)
  const events = await all(call, `jobs/${job}/history`, 'events')
  const photos = events.filter(
    ({ action, changes }) => action === 'update' && changes && 'custom_fields' in (changes as object),
  ).length
  const { kept, begun } = done.photos
  wrongs.unless(photos >= kept, `of ${kept} photos that were kept ${photos} are there`)
  wrongs.unless(photos <= begun, `of ${begun} photos ${photos} are there`)
}

async function all(call: Muster['call'], path: string, plural: string): Promise<{ [field: string]: unknown }[]> {
  const rows: { [field: string]: unknown }[] = []
  for (let page = 1; ; page++) {
    const { json } = await call('GET', `/v5/${path}.json?per_page=500&page=${page}`)
    rows.push(...json[plural])
    if (page >= json.total_pages) return rows
  }
}
