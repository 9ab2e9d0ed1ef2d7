import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { at, boardOf, onBoard, rowOf } from './board.ts'
import { assertAccessible, done, startOffice } from './office.ts'

const office = await startOffice()
const { newTeam, jobNow } = boardOf(office)

/** The beginning of the next second: the journal tells whole ones. */
async function nextSecond(): Promise<string> {
  const next = Math.ceil((Date.now() + 1) / 1000) * 1000
  while (Date.now() < next) await nextTurn()
  return new Date(next).toISOString()
}

test('the board is shown as it was, change by change, and nothing can be done there; then as it is', async () => {
  const { ana, ben, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const then = await nextSecond()
  const body = { job: { worker_id: ben.id, planned_start_at: at('11:00') } }
  await office.request('PATCH', `/v5/jobs/${job.id}.json`, { body })
  await nextSecond()
  const later = await newJob('Clinic', { worker_id: ana.id, planned_start_at: at('13:00') })

  const page = await open(await office.hire(), {}, `&at=${then}`)
  const [anas, bens] = [ana, ben].map(({ name }) => rowOf(page, name).locator(`[data-job="${job.id}"]`))
  await anas?.waitFor()
  assert.equal(await onBoard(page, later).count(), 0)
  assert.equal(await page.getByRole('button', { name: /^Publish/ }).count(), 0)
  assert.equal(await page.getByRole('button', { name: /^Undo|Nothing to undo/ }).count(), 0)
  await assertAccessible(page)
  await anas?.click({ button: 'right' })
  assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Open↵', 'Copy link'])
  await page.keyboard.press('Escape')

  const slider = page.getByRole('region', { name: 'As it was' })
  await slider.getByRole('button', { name: 'After the next change' }).click()
  await bens?.waitFor()
  assert.equal(await onBoard(page, later).count(), 0)
  await slider.getByRole('button', { name: 'Before the change before' }).click()
  await anas?.waitFor()
  await slider.getByRole('button', { name: 'Back to now' }).click()
  await onBoard(page, later).waitFor()
  await bens?.waitFor()
  assert.equal((await jobNow(job.id)).worker_id, ben.id)
  await done(page)
})

test('what was deleted stands on the board of before, and the slider is moved by keys', async () => {
  const { ana, newJob, open } = await newTeam()
  const job = await newJob('Bakery', { worker_id: ana.id, planned_start_at: at('09:00') })
  const then = await nextSecond()
  await office.request('DELETE', `/v5/jobs/${job.id}.json`)
  const page = await open(await office.hire(), {}, `&at=${then}`)
  await onBoard(page, job).waitFor()
  await page.getByRole('slider', { name: 'Time' }).focus()
  await page.keyboard.press('End')
  await onBoard(page, job).waitFor({ state: 'detached' })
  await done(page)
})
