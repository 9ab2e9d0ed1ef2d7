import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { later } from '#fields/instant'
import type { Job } from '#records/job'
import type { Coordinates } from './coordinates.ts'
import { type Facts, type Plan, questionsOf, type WorkerFacts } from './facts.ts'
import { verdict } from './guard.ts'
import { bestTimes, compare, type Scene, type Suggestion } from './suggestions.ts'

/** The best time against one that asks the guard for every five minutes of the day. */

const now = '2031-01-06T00:00:00.000Z'
const at = (minutes: number) => later('2031-01-06T08:00:00.000Z', minutes * 60_000)
const window = { from: at(0), to: at(600) }
const five = (max: number) => fc.integer({ min: 0, max: max / 5 }).map((n) => n * 5)
/** Places on a line; from one to the next it takes as many minutes as they are apart. */
const place = (minutes: number): Coordinates => ({ lat: minutes, lng: 0 })
const secondsBetween = (a: Coordinates, b: Coordinates) => Math.abs(a.lat - b.lat) * 60

const plans = fc.array(fc.record({ gap: five(150), length: five(120), where: fc.option(five(40)) }), { maxLength: 4 })
const day = fc.record({
  workers: fc.array(fc.record({ plans, home: fc.option(five(40)), away: fc.option(five(500)) }), {
    minLength: 1,
    maxLength: 3,
  }),
  length: five(180).map((minutes) => minutes + 5),
  where: fc.option(five(40)),
  dueFrom: fc.option(five(400)),
  dueBy: fc.option(five(600)),
  hours: fc.option(fc.constantFrom('08:00', '09:30', '11:00')),
  within: fc.option(five(300)),
  outside: fc.option(five(300)),
  blocking: fc.boolean(),
})
type Day = typeof day extends fc.Arbitrary<infer T> ? T : never

function sceneOf(said: Day) {
  const places = new Map<number, Coordinates>()
  let id = 1
  const planned = said.workers.map(({ plans }, i): Plan[] => {
    let end = 0
    return plans.map(({ gap, length, where }) => {
      const begin = end + gap
      end = begin + length + 5
      const plan = {
        id: ++id,
        worker_id: i + 1,
        equipment_ids: [],
        planned_start_at: at(begin),
        planned_end_at: at(end),
      }
      if (where !== null) places.set(id, place(where))
      return { ...plan, completed_at: null }
    })
  })
  const workers = said.workers.map(({ home }, i) => ({
    ...{ id: i + 1, name: `Worker ${i + 1}`, enabled: true, group_ids: [], shift_on: true, tags: [] },
    permissions: { mobile: 'full' },
    latest_telemetry: null,
    start_location: home === null ? null : { lat: String(home), lng: '0' },
    // Of a worker and of a job, what is asked here.
  })) as unknown as WorkerFacts[]
  const spans = said.hours === null ? null : [{ weekday: 'monday' as const, from: said.hours, to: '16:00' }]
  const facts = {
    ...{ workers, equipment: new Map(), assets: new Map(), tagNames: new Map() },
    weeks: new Map(spans ? workers.map(({ id }) => [id, { spans }]) : []),
    absences: said.workers.flatMap(({ away }, i) =>
      away === null ? [] : { user_id: i + 1, from: at(away), to: at(away + 60), kind: 'sick', state: 'granted' },
    ),
    plans: new Map(planned.map((some, i) => [i + 1, some])),
  } as unknown as Facts
  const job = {
    ...{ id: 1, group_ids: [], tag_ids: [], equipment_ids: [], asset_ids: [] },
    planned_duration: said.length * 60,
    due_from: said.dueFrom === null ? null : at(said.dueFrom),
    due_by: said.dueBy === null ? null : at(said.dueBy),
    time_windows: [
      ...(said.within === null ? [] : [{ kind: 'within', from: at(said.within), to: at(said.within + 240) }]),
      ...(said.outside === null ? [] : [{ kind: 'outside', from: at(said.outside), to: at(said.outside + 60) }]),
    ],
  } as unknown as Job
  const settings = {
    prevent_double_booking: said.blocking,
    prevent_off_shift: false,
    prevent_outside_working_hours: false,
  }
  const scene: Scene = { facts, places, window, secondsBetween, settings, zone: 'UTC', now, maxTimes: 1000 }
  return { scene, job, site: said.where === null ? undefined : place(said.where) }
}

/** Everything that there is, each by itself. */
function* everyPlace(
  { facts, places, settings }: Scene,
  job: Job,
  site: Coordinates | undefined,
): Generator<Suggestion> {
  const length = (job.planned_duration ?? 0) / 60
  for (const worker of facts.workers)
    for (let minutes = 0; minutes + length <= 600; minutes += 5) {
      const about = { ...job, planned_start_at: at(minutes), planned_end_at: at(minutes + length) }
      const question = questionsOf(
        facts,
        about,
        [],
        { settings, zone: 'UTC', now },
        { place: site, places, secondsBetween },
      )
      const theirs = facts.plans.get(worker.id) ?? []
      const before = theirs.findLast(({ planned_end_at }) => (planned_end_at ?? '') <= about.planned_start_at)
      const next = theirs.find(({ planned_start_at }) => (planned_start_at ?? '') >= about.planned_end_at)
      const home = worker.start_location && place(Number(worker.start_location.lat))
      const from = before ? places.get(before.id) : home
      const to = next && places.get(next.id)
      const way = (a: Coordinates | null | undefined, b: Coordinates | undefined) => (a && b ? secondsBetween(a, b) : 0)
      const seconds = Math.max(0, way(from, site) + way(site, to) - way(from, to))
      const planned = theirs.reduce(
        (sum, { planned_start_at: a, planned_end_at: b }) => sum + Date.parse(b ?? '') - Date.parse(a ?? ''),
        0,
      )
      yield {
        worker_id: worker.id,
        worker_name: worker.name,
        planned_start_at: about.planned_start_at,
        in_time: (job.due_from ?? '') <= about.planned_start_at && about.planned_end_at <= (job.due_by ?? '9'),
        travel_seconds: site && (from || to) ? seconds : null,
        planned_seconds: planned / 1000,
        cost: Math.round((site && (from || to) ? seconds : 0) / 60 + (planned / 3_600_000) * 6),
        reasons: verdict(question(worker)),
      }
    }
}

test('no time of the day is better than the one that is suggested', () => {
  fc.assert(
    fc.property(day, (said) => {
      const { scene, job, site } = sceneOf(said)
      const best = bestTimes(scene, job, site)
      const [found] = scene.facts.workers.flatMap((worker) => best(worker) ?? []).sort(compare)
      const [wanted] = [...everyPlace(scene, job, site)].sort(compare)
      assert.deepEqual(found, wanted)
    }),
    { numRuns: 300 },
  )
})
