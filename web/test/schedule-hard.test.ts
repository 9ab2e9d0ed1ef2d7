import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../test/support/folders.ts'
import { hire, type Person } from '../../test/support/people.ts'
import { startServer } from '../../test/support/server-process.ts'
import { at, boardOf, boxOf, hold, inTray, onBoard, placeOf, rowOf } from './board.ts'
import { dispatcher, done, startOffice } from './office.ts'

const office = await startOffice()
const { make, newTeam, jobNow } = boardOf(office)

test('a company without a worker is told where workers come from', async () => {
  const account = await office.newAccount()
  const page = await office.open({ as: await hire(account, dispatcher), path: '/schedule' })
  await page.getByRole('heading', { name: 'There are no workers yet' }).waitFor()
  await done(page)
})

test('on a slow network a card lies where it was put, and nothing says that it is kept until the server has kept it', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const page = await open(await office.hire())
  let answer = () => {}
  const slow = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(
    (url) => url.pathname.endsWith(`/jobs/${job.id}.json`),
    async (route) => {
      await slow
      await route.continue()
    },
  )
  await hold(page, onBoard(page, job), ben.name, 11)
  await page.mouse.up()
  await rowOf(page, ben.name).locator(`[data-job="${job.id}"]`).waitFor()
  assert.equal(await page.getByText('is with Ben').count(), 0)
  assert.equal((await jobNow(job.id)).worker_id, ana.id)
  answer()
  await page.getByText('is with Ben').first().waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ben.id)
  await done(page)
})

test('a server that starts anew in the middle of a drag is waited for: the card is put down, waits, and is kept', async (t) => {
  const MUSTER_DATA_DIR = temporaryFolder()
  t.after(() => removeFolder(MUSTER_DATA_DIR))
  const server = await startServer({ MUSTER_DATA_DIR })
  const { base } = server
  const ask = async (method: string, path: string, body: object, headers: object = {}) => {
    const answer = await fetch(`${base}/v5/${path}.json`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', json: await answer.json() }
  }
  const key = { Authorization: `Bearer ${server.key}` }
  const login = { email: 'dora@example.com', password: 'correct horse battery' }
  await ask('POST', 'users', { user: { name: 'Dora', ...login, permissions: dispatcher } }, key)
  const [ana, ben] = await Promise.all(
    ['Ana', 'Ben'].map(async (name) => {
      const worker = { name, email: `${name}@example.com` }
      return (await ask('POST', 'workers', { worker }, key)).json.worker
    }),
  )
  const planned = { worker_id: ana.id, planned_start_at: at('09:00') }
  const body = { job: { customer_name: 'Bakery', steps: [{ name: 'Do it' }], ...planned } }
  const { job } = (await ask('POST', 'jobs', body, key)).json
  const { cookie } = await ask('POST', 'session', { session: login })
  // Of a person only the cookie is asked for.
  const as = { cookie } as Person
  const page = await office.open({ as, base, path: '/schedule?day=2031-03-03', mayTell: /ERR_|Failed to load|^$/ })
  await hold(page, onBoard(page, job), ben.name, 11)

  server.kill('SIGKILL')
  await server.ended
  await page.mouse.up()
  await page.getByText('1 change is waiting here').waitFor()
  const again = await startServer({ MUSTER_DATA_DIR, MUSTER_PORT: new URL(base).port })
  t.after(async () => {
    again.kill('SIGTERM')
    await again.ended
  })
  await page.getByText('is with Ben').first().waitFor()
  assert.equal((await ask('GET', `jobs/${job.id}`, {}, key)).json.job.worker_id, ben.id)
  await done(page)
})

test('whose session was ended elsewhere is told so, and nothing that they do then looks kept', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const me = await office.hire()
  const page = await open(me)
  await onBoard(page, job).waitFor()
  const { status } = await me.request('DELETE', '/v5/session/current.json')
  assert.ok(status < 300, String(status))
  await onBoard(page, job).click()
  await page.keyboard.press('m')
  await page.keyboard.type('11')
  await page.keyboard.press('Enter')
  await page.getByText(`${job.customer_name}: `).first().waitFor()
  assert.equal(await page.getByText('Moved 1 job').count(), 0)
  assert.equal((await jobNow(job.id)).planned_start_at, at('09:00'))
  // The stream ends with its next sign of life.
  await page.getByText('You were signed out').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await page.getByRole('textbox', { name: 'Email' }).waitFor()
  await done(page)
})

test('a browser whose clock is days behind shows the server’s today, and where its now is', async () => {
  const { ana } = await newTeam()
  const page = await office.open({ as: await office.hire(), path: '/schedule' })
  await rowOf(page, ana.name).waitFor()
  const today = await page.getByRole('heading', { level: 1 }).innerText()
  await page.clock.setSystemTime(Date.now() - 3 * 86_400_000)
  await page.reload()
  await rowOf(page, ana.name).waitFor()
  await page.getByRole('heading', { level: 1, name: today }).waitFor()
  await page.getByRole('button', { name: 'Day after' }).click()
  await page.getByRole('heading', { level: 1, name: today }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: today }).waitFor()
  await done(page)
})

test('a dispatcher plans, mends what overlaps and who lacks a tag, publishes and undoes by mouse alone, and another sees it', async () => {
  const { ana, ben, gas, newJob, open } = await newTeam()
  const waiting = await newJob('Bakery')
  await newJob('Clinic', { worker_id: ben.id, planned_start_at: at('08:00') })
  const over = await newJob('School', { worker_id: ben.id, planned_start_at: at('08:30') })
  const tags = [{ id: gas.id, expires_at: '2031-03-01T00:00:00Z' }]
  const expired = await newJob('Harbour', { worker_id: ana.id, planned_start_at: at('13:00'), tag_ids: [gas.id] })
  assert.equal((await office.request('PATCH', `/v5/users/${ana.id}.json`, { body: { user: { tags } } })).status, 200)
  const eva = await make('workers', {
    worker: { name: `Eva ${ana.id}`, email: `eva${ana.id}@example.com`, group_ids: ana.group_ids, tag_ids: [gas.id] },
  })
  const mine = await open(await office.hire())
  const theirs = await open(await office.hire())

  await hold(mine, inTray(mine, waiting), ana.name, 9)
  await mine.mouse.up()
  await rowOf(theirs, ana.name).locator(`[data-job="${waiting.id}"]`).waitFor()

  await onBoard(mine, over).click()
  const pane = mine.getByRole('complementary', { name: 'Job', exact: true })
  await pane.getByText('Overlaps 30 min').waitFor()
  const { x, y } = await placeOf(mine, ben.name, 10)
  const card = await boxOf(onBoard(mine, over))
  await mine.mouse.move(card.x + 20, card.y + 8)
  await mine.mouse.down()
  await mine.mouse.move(card.x + 30, card.y + 12)
  await mine.mouse.move(x + 20, y, { steps: 5 })
  await mine.locator('.row[data-v]').first().waitFor()
  await mine.mouse.up()
  await pane.getByText('Overlaps 30 min').waitFor({ state: 'detached' })

  await onBoard(mine, expired).click()
  await pane.getByText(`${gas.name} ends`).first().waitFor()
  await pane.getByRole('button', { name: `Give it to ${eva.name}` }).click()
  await rowOf(theirs, eva.name).locator(`[data-job="${expired.id}"]`).waitFor()

  await mine.getByRole('button', { name: /^Publish \d+ changes/ }).click()
  await mine.getByRole('button', { name: 'Publish 4, tell 3 people' }).click()
  await mine.getByRole('dialog', { name: '4 changes published' }).waitFor()
  assert.notEqual((await jobNow(waiting.id)).published_at, null)
  await mine.getByRole('button', { name: 'Undo the publishing' }).click()
  await mine.getByText('Undone: Published 4 jobs').first().waitFor()
  assert.equal((await jobNow(waiting.id)).published_at, null)
  for (const page of [mine, theirs]) await done(page)
})

// The last one: the row is on the board of all that follow.
test('two thousand jobs in one hour of one row: what is near is drawn, the last is reached, and a card still moves', async () => {
  const { ben, team, open } = await newTeam()
  const job = {
    customer_name: 'Crowd',
    steps: [{ name: 'Do it' }],
    group_ids: [team.id],
    planned_start_at: at('09:00'),
  }
  for (let i = 0; i < 20; i++) {
    const requests = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/v5/jobs.json', body: { job } }))
    const { json } = await office.request('POST', '/v5/batch.json', { body: { batch: { requests } } })
    assert.ok(json.batch.responses.every(({ status }: { status: number }) => status === 201))
  }
  const page = await open(await office.hire())
  const row = page.locator('.lanes .row[data-row="timed"]')
  const cards = row.locator('.job')
  await cards.first().waitFor()
  assert.ok((await cards.count()) < 400, `${await cards.count()} cards`)
  const { height } = await boxOf(row)
  assert.ok(height > 2000 * 30)
  await page.locator('.lanes').evaluate((element, y) => element.scrollTo(0, y), height)
  await rowOf(page, ben.name).waitFor()
  const last = cards.last()
  await last.scrollIntoViewIfNeeded()
  const id = Number(await last.getAttribute('data-job'))
  await hold(page, last, ben.name, 11)
  await page.mouse.up()
  await rowOf(page, ben.name).locator(`[data-job="${id}"]`).waitFor()
  await page.getByText('is with Ben').first().waitFor()
  assert.equal((await jobNow(id)).worker_id, ben.id)
  await done(page)
})
