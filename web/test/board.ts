import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { RawRow } from '../../src/fields/index.ts'
import type { Person } from '../../test/support/people.ts'
import type { Office } from './office.ts'

/** The day that the tests of the board are about: a Monday. */
export const day = '2031-03-03'
export const at = (clock: string) => `${day}T${clock}:00Z`

/** The board of one office: teams that are each test's own, and what is looked for on a page. */
export function boardOf(office: Office) {
  const make = async (path: string, body: RawRow): Promise<RawRow> => {
    const answer = await office.request('POST', `/v5/${path}.json`, { body })
    assert.equal(answer.status, 201, answer.text)
    return Object.values(answer.json)[0] as RawRow
  }
  let last = 0

  /** Two workers in a team of their own, so that each test has a board of its own. */
  async function newTeam() {
    const number = ++last
    const gas = await make('tags', { tag: { name: `Gas ${number}` } })
    const team = await make('groups', { group: { name: `Team ${number}` } })
    const worker = (name: string, more: RawRow = {}) =>
      make('workers', {
        worker: { name: `${name} ${number}`, email: `${name}${number}@example.com`, group_ids: [team.id], ...more },
      })
    const ana = await worker('Ana', { tag_ids: [gas.id] })
    const ben = await worker('Ben')
    const newJob = (customer: string, more: RawRow = {}) =>
      make('jobs', {
        job: {
          customer_name: `${customer} ${number}`,
          template_name: 'Service',
          steps: [{ name: 'Do it' }],
          group_ids: [team.id],
          ...more,
        },
      })
    const open = async (as: Person, more: Partial<Parameters<typeof office.open>[0]> = {}, search = '') => {
      const page = await office.open({ as, path: `/schedule?day=${day}&team=${team.id}${search}`, ...more })
      await rowOf(page, ana.name).waitFor()
      return page
    }
    return { gas, team, ana, ben, newJob, open }
  }

  const jobNow = async (id: number): Promise<RawRow> => (await office.request('GET', `/v5/jobs/${id}.json`)).json.job
  return { make, newTeam, jobNow }
}

export const rowOf = (page: Page, name: string) =>
  page.locator('.lanes .row', { has: page.locator('.n', { hasText: name }) })
export const onBoard = (page: Page, job: RawRow) => page.locator(`.lanes [data-job="${job.id}"]`)
export const inTray = (page: Page, job: RawRow) => page.locator(`.tray [data-job="${job.id}"]`)

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  return box ?? assert.fail('it is not in the page')
}

/** Where an hour of the day is, in the row of somebody. */
export async function placeOf(page: Page, name: string, hour: number) {
  const [row, lane] = [await boxOf(rowOf(page, name)), await boxOf(rowOf(page, name).locator('.lane'))]
  return { x: lane.x + (hour - 6) * 84, y: row.y + row.height / 2 }
}

/** Takes a card by its start and holds it so that it would begin at an hour. */
export async function hold(page: Page, card: Locator, name: string, hour: number) {
  const box = await boxOf(card)
  const grip = 20
  await page.mouse.move(box.x + grip, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + grip + 8, box.y + 14)
  const { x, y } = await placeOf(page, name, hour)
  await page.mouse.move(x + grip, y, { steps: 6 })
  await page.locator('.row[data-v]').first().waitFor()
}

/** Who has a job, when and for how long. */
export const timesOf = ({ worker_id, planned_start_at, planned_duration }: RawRow) => ({
  worker_id,
  planned_start_at,
  planned_duration,
})
