import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { assertStatus, make } from '../../test/api/support.ts'
import { asUser } from '../../test/support/as-user.ts'
import { set } from '../../test/support/people.ts'
import { startApp } from '../../test/support/test-app.ts'
import type { WholeJob } from '../office/schedule/board/plan.ts'
import { type Answer, candidatesAt, knownOf } from '../office/schedule/board/verdict-at.ts'

/** What the board says of a time while a job is dragged, beside what the server's guard says of it. */

const app = await startApp()
after(() => app.close())

/**
 * Quarters of an hour, so that spans often meet; around the present, where it matters who is on shift. None begins or ends
 * while the test runs.
 */
const base = Math.floor(Date.now() / 1000) * 1000 - 7 * 60_000
const at = (quarter: number) => new Date(base + quarter * 900_000).toISOString().replace('.000', '')

const quarter = fc.integer({ min: -40, max: 40 })
const span = fc.record({ from: quarter, length: fc.integer({ min: 1, max: 16 }) })
const place = fc.record({ lat: fc.integer({ min: 0, max: 30 }), lng: fc.integer({ min: 0, max: 30 }) })
/** Until when somebody holds a tag; null where they don't. */
const held = fc.option(quarter)
const worker = fc.nat(2)

const world = fc.record({
  settings: fc.record({
    prevent_double_booking: fc.boolean(),
    prevent_off_shift: fc.boolean(),
    prevent_outside_working_hours: fc.boolean(),
  }),
  week: fc.option(fc.constantFrom({ from: '08:00', to: '17:00' }, { from: '00:00', to: '24:00' })),
  workers: fc.array(fc.record({ gas: held, crane: held, isOnShift: fc.boolean() }), { minLength: 3, maxLength: 3 }),
  absences: fc.array(fc.record({ span, of: fc.option(worker) }), { maxLength: 3 }),
  jobs: fc.array(fc.record({ span, place: fc.option(place), of: worker, usesCrane: fc.boolean() }), { maxLength: 6 }),
  dragged: fc.record({
    span,
    window: fc.option(span),
    place: fc.option(place),
    asksGas: fc.boolean(),
    usesCrane: fc.boolean(),
  }),
  targets: fc.array(span, { minLength: 1, maxLength: 8 }),
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never
type Place = { lat: number; lng: number }

const planOf = ({ from, length }: World['targets'][number]) => ({
  planned_start_at: at(from),
  planned_duration: length * 900,
})
const spanOf = ({ from, length }: World['targets'][number]) => ({ from: at(from), to: at(from + length) })
/** A hundredth of a degree is about a kilometre. */
const contactAt = (place: Place | null) =>
  place && { contact: { location: { lat: place.lat / 100, lng: place.lng / 100 } } }

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Makes a company of its own, with a job in it that is dragged. */
async function build({ settings, week, workers, absences, jobs, dragged }: World) {
  const account = await app.newAccount()
  const [gas, licence] = [await make(account, 'tag', { expires: true }), await make(account, 'tag', { expires: true })]
  const crane = await make(account, 'equipment', { tag_ids: [licence.id] })
  const tagsOf = (pairs: [id: number, until: World['workers'][number]['gas']][]) =>
    pairs.flatMap(([id, until]) => (until === null ? [] : [{ id, expires_at: at(until) }]))
  const ids: number[] = []
  for (const one of workers) {
    const tags = tagsOf([
      [gas.id, one.gas],
      [licence.id, one.crane],
    ])
    const { id } = await make(account, 'worker', { tags })
    ids.push(id)
    if (one.isOnShift)
      await asUser({ app: app.app, account: account.account }, id)('POST', '/v5/shift.json', {
        body: { shift: { on: true } },
      })
  }
  if (week) await make(account, 'working_week', { spans: weekdays.map((weekday) => ({ weekday, ...week })) })
  for (const { span, of } of absences)
    await make(account, 'absence', { user_id: of === null ? null : ids[of], ...spanOf(span) })
  for (const { span, place, of, usesCrane } of jobs)
    await make(account, 'job', {
      ...planOf(span),
      ...contactAt(place),
      // Whoever has no licence may not be given the crane.
      ...(usesCrane ? { equipment_ids: [crane.id] } : { worker_id: ids[of] }),
    })
  const job = await make(account, 'job', {
    ...planOf(dragged.span),
    ...contactAt(dragged.place),
    tag_ids: dragged.asksGas ? [gas.id] : [],
    equipment_ids: dragged.usesCrane ? [crane.id] : [],
    time_windows: dragged.window ? [{ kind: 'within', ...spanOf(dragged.window) }] : [],
  })
  await set(app.app, account, settings)
  return { account, job: job as WholeJob }
}

const said = (candidates: Answer['candidates']) =>
  candidates
    .map(({ worker_id, available, reasons }) => ({
      worker_id,
      available,
      codes: [...new Set(reasons.map(({ code }) => code))].toSorted().join(),
    }))
    .toSorted((a, b) => a.worker_id - b.worker_id)

test('what the board says of a time from one answer is what the server’s guard says of it', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const { account, job } = await build(drawn)
      const ask = async (query: string): Promise<Answer> =>
        assertStatus(await account.request('GET', `/v5/jobs/${job.id}/candidates.json?${query}`), 200).json
      const known = knownOf(await ask(`from=${at(-100)}&to=${at(100)}`))
      for (const target of drawn.targets) {
        const { planned_start_at, planned_duration } = planOf(target)
        const { candidates } = await ask(`planned_start_at=${planned_start_at}&planned_duration=${planned_duration}`)
        const from = Date.parse(planned_start_at)
        const told = candidatesAt(known, job, { from, to: from + planned_duration * 1000 }, Date.now())
        assert.deepEqual(said(told), said(candidates), JSON.stringify(spanOf(target)))
        for (const { codes } of said(candidates)) for (const code of codes.split(',')) seen.add(code)
      }
    }),
    { numRuns: 40 },
  )
  const all =
    'absent,equipment_busy,equipment_tag_missing,off_shift,outside_time_window,outside_working_hours,tag_expired,tag_missing,too_far,worker_busy'
  for (const code of all.split(',')) assert.ok(seen.has(code), `${code} was drawn`)
})
