import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { RawRow } from '#fields'
import { type Question, type ReasonCode, verdict } from './guard.ts'

const now = '2026-11-23T09:00:00.000Z'
const at = (hour: number, day = 24) => new Date(Date.UTC(2026, 10, day, hour)).toISOString()

/** Everything in order: Ana, free, on shift and qualified, takes job 1 tomorrow from nine to ten. */
const fine = {
  now,
  zone: 'UTC',
  job: {
    id: 1,
    planned_start_at: at(9),
    planned_end_at: at(10),
    tag_ids: [1],
    group_ids: [1, 2],
    equipment_ids: [5],
    time_windows: [],
  },
  worker: {
    id: 7,
    name: 'Ana',
    enabled: true,
    permissions: { mobile: 'full' },
    group_ids: [2],
    tags: [
      { id: 1, expires_at: at(11) },
      { id: 2, expires_at: null },
    ],
    shift_on: true,
  },
  equipment: [{ id: 5, name: 'Crane', tag_ids: [2] }],
  assets: [{ id: 6, name: 'Boiler', enabled: true }],
  tagNames: new Map([
    [1, 'Height'],
    [2, 'Lifting'],
  ]),
  overlapping: [],
  legs: [],
  unseen: [] as number[],
  weeks: [],
  absences: [],
  settings: { prevent_double_booking: false, prevent_off_shift: false, prevent_outside_working_hours: false },
} satisfies Question

type Part = { [name in keyof Question]?: Question[name] | RawRow }

/** The question with some of its parts changed. */
const changed = (part: Part): Question =>
  Object.fromEntries(
    Object.entries(fine).map(([name, value]) => {
      const more = part[name as keyof Part]
      const merges = more && typeof more === 'object' && !Array.isArray(more) && !(more instanceof Map)
      return [name, more === undefined ? value : merges ? { ...(value as object), ...more } : more]
    }),
  ) as unknown as Question

const other = { id: 2, worker_id: 7, planned_start_at: at(9), planned_end_at: at(11), equipment_ids: [] }
const away = { user_id: 7, from: '2026-11-24T09:30:00.000Z', to: at(12), kind: 'sick', state: 'granted' } as const
/** A week of Tuesdays: of Ana, or with a null behind its spans of the company. */
function week(...spans: ({ from?: string; to?: string } | null)[]) {
  const given = spans.filter((span) => span !== null)
  return {
    user_id: spans.includes(null) ? null : 7,
    group_id: null,
    spans: given.map((span) => ({ weekday: 'tuesday' as const, from: '08:00', to: '17:00', ...span })),
  }
}
const withCrane = { ...other, worker_id: 8, equipment_ids: [5] }
const today = { planned_start_at: at(8, 23), planned_end_at: at(10, 23) }
const holds = (expires_at: string | null, id = 1) => ({
  tags: [...fine.worker.tags.filter((tag) => tag.id !== id), { id, expires_at }],
})
const without = (id: number) => ({ tags: fine.worker.tags.filter((tag) => tag.id !== id) })
const barred = { prevent_double_booking: true }
const window = (from: number, to: number, kind: string) => ({ from: at(from), to: at(to), kind })

/** What changes, the reasons in order (those that block with !), and a sentence where it says something new. */
const rows: [title: string, part: Part, reasons: string, sentence?: RegExp, remedy?: RegExp][] = [
  ['nothing', {}, ''],
  ['no worker is asked of', { worker: null as never }, ''],

  ['a worker who is disabled', { worker: { enabled: false } }, 'worker_disabled!', /^Ana is disabled$/, /Enable Ana/],
  [
    'a worker without the app',
    { worker: { permissions: { mobile: 'none' } } },
    'worker_not_mobile!',
    /^Ana does not use the mobile app$/,
    /permission mobile/,
  ],
  [
    'a worker of other groups',
    { worker: { group_ids: [3] } },
    'outside_groups!',
    /^Ana is in none of the job's groups$/,
    /groups 1, 2$/,
  ],
  ['a worker of no group', { worker: { group_ids: [] } }, 'outside_groups!'],
  ['a job of no group', { job: { group_ids: [] }, worker: { group_ids: [3] } }, ''],

  [
    'a tag that is missing',
    { worker: without(1) },
    'tag_missing!',
    /^Ana does not hold Height$/,
    /Give Ana the tag Height/,
  ],
  [
    'a tag that ends before the job does',
    { worker: holds(at(9)) },
    'tag_expired!',
    /^Ana holds Height only until 2026-11-24 09:00 UTC$/,
    /Renew Height of Ana beyond 2026-11-24 10:00 UTC/,
  ],
  [
    'a worker who is away',
    { absences: [away] },
    'absent',
    /^Ana is away \(sick\) from 2026-11-24 09:30 UTC to 2026-11-24 12:00 UTC$/,
    /another time/,
  ],
  ['the whole company that is away', { absences: [{ ...away, user_id: null }] }, 'absent'],
  ['an absence that is asked for', { absences: [{ ...away, state: 'asked' }] }, ''],
  ["another's absence", { absences: [{ ...away, user_id: 8 }] }, ''],
  ['an absence that begins as the job ends', { absences: [{ ...away, from: at(10) }] }, ''],
  [
    'an absence where the account wants none',
    { absences: [away], settings: { prevent_outside_working_hours: true } },
    'absent!',
  ],
  [
    'a job that ends after hours',
    { weeks: [week({ to: '09:30' })] },
    'outside_working_hours',
    /^Ana does not work at 2026-11-24 09:30 UTC$/,
  ],
  ['a job over a break', { weeks: [week({ to: '09:15' }, { from: '09:30' })] }, 'outside_working_hours'],
  ['a job in two spans that touch', { weeks: [week({ to: '09:30' }, { from: '09:30' })] }, ''],
  ["the worker's own week before that of the company", { weeks: [week({ to: '09:00' }, null), week({})] }, ''],
  ['a week of another group', { weeks: [{ ...week({ to: '09:00' }), user_id: null, group_id: 99 }] }, ''],
  [
    'a way from the job before that takes longer than there is time',
    { legs: [{ other: { id: 12 }, isBefore: true, seconds: 1801, gapSeconds: 1800 }] },
    'too_far',
    /^Ana has 30 min for the way from job 12, which takes 31 min$/,
    /^Begin later/,
  ],
  [
    'a way to the job after that takes longer than there is time',
    { legs: [{ other: { id: 13 }, isBefore: false, seconds: 60, gapSeconds: 0 }] },
    'too_far',
    /^Ana has 0 min for the way to job 13, which takes 1 min$/,
    /^End earlier/,
  ],
  ['a way that just fits', { legs: [{ other: { id: 12 }, isBefore: true, seconds: 1800, gapSeconds: 1800 }] }, ''],
  ['a tag that ends with the job', { worker: holds(at(10)) }, 'tag_expired!'],
  ['a tag that ends just after the job', { worker: holds('2026-11-24T10:00:00.001Z') }, ''],
  ['a tag that never ends', { worker: holds(null) }, ''],
  [
    'a tag that ends now, of a job without a plan',
    { job: { planned_start_at: null, planned_end_at: null }, worker: holds(now) },
    'tag_expired!',
  ],
  [
    'a tag that lasts beyond now, of a job without a plan',
    { job: { planned_start_at: null, planned_end_at: null }, worker: holds(at(10, 23)) },
    '',
  ],
  [
    'two tags that are missing',
    { job: { tag_ids: [1, 3] }, worker: { tags: [{ id: 2, expires_at: null }] } },
    'tag_missing! tag_missing!',
    /tag 3|Height/,
  ],

  [
    "equipment's tag that is missing",
    { worker: without(2) },
    'equipment_tag_missing!',
    /^Ana may not use Crane without Lifting$/,
    /Give Ana the tag Lifting/,
  ],
  ["equipment's tag that has ended", { worker: holds(at(9), 2) }, 'equipment_tag_missing!'],
  ["equipment's tag, of a job without a worker", { worker: null as never, job: { worker_id: null } }, ''],

  [
    'an asset that is disabled',
    { assets: [{ id: 6, name: 'Boiler', enabled: false }] },
    'asset_disabled!',
    /^6 \(Boiler\) is disabled$/,
    /Enable Boiler/,
  ],
  [
    'an asset that is disabled, without a worker',
    { worker: null as never, assets: [{ id: 6, name: 'Boiler', enabled: false }] },
    'asset_disabled!',
  ],

  [
    'a worker who is busy',
    { overlapping: [other] },
    'worker_busy',
    /^Ana is busy with job 2 from 2026-11-24 09:00 UTC to 2026-11-24 11:00 UTC$/,
    /another time or another worker/,
  ],
  [
    'a worker who is busy with what the caller does not see',
    { overlapping: [other], unseen: [other.id] },
    'worker_busy',
    /^Ana is busy from 2026-11-24 09:00 UTC to 2026-11-24 11:00 UTC$/,
  ],
  ['a worker who is busy, where that is barred', { overlapping: [other], settings: barred }, 'worker_busy!'],
  ['a worker who is busy twice', { overlapping: [other, { ...other, id: 3 }] }, 'worker_busy worker_busy', /job 2/],
  ['somebody else who is busy', { overlapping: [{ ...other, worker_id: 8 }], settings: barred }, ''],
  [
    'equipment that is busy',
    { overlapping: [withCrane] },
    'equipment_busy',
    /^5 \(Crane\) is used by job 2 from/,
    /another piece of equipment/,
  ],
  ['equipment that is busy, where that is barred', { overlapping: [withCrane], settings: barred }, 'equipment_busy!'],
  [
    'equipment that is busy, of a job without a worker',
    { worker: null as never, overlapping: [{ ...withCrane, worker_id: null }] },
    'equipment_busy',
  ],
  ['other equipment that is busy', { overlapping: [{ ...withCrane, equipment_ids: [4] }] }, ''],
  ['both busy', { overlapping: [{ ...other, equipment_ids: [5] }] }, 'worker_busy equipment_busy'],

  [
    'a worker who is off shift for a job that is due',
    { job: today, worker: { shift_on: false } },
    'off_shift',
    /^Ana is off shift$/,
    /goes on shift/,
  ],
  [
    'the same, where that is barred',
    { job: today, worker: { shift_on: false }, settings: { prevent_off_shift: true } },
    'off_shift!',
  ],
  ['off shift for a job of tomorrow', { worker: { shift_on: false }, settings: { prevent_off_shift: true } }, ''],
  [
    'off shift for a job that is over',
    { job: { planned_start_at: at(6, 23), planned_end_at: now }, worker: { shift_on: false } },
    '',
  ],
  [
    'off shift for a job that begins now',
    { job: { planned_start_at: now, planned_end_at: at(10, 23) }, worker: { shift_on: false } },
    'off_shift',
  ],
  [
    'off shift for a job without a plan',
    { job: { planned_start_at: null, planned_end_at: null }, worker: { shift_on: false } },
    '',
  ],

  [
    'a plan outside of the only window',
    { job: { time_windows: [window(10, 12, 'within')] } },
    'outside_time_window',
    /^lies outside of the job's time windows$/,
    /inside/,
  ],
  ['a plan that fills the window', { job: { time_windows: [window(9, 10, 'within')] } }, ''],
  ['a plan that leaves the window', { job: { time_windows: [window(8, 9, 'within')] } }, 'outside_time_window'],
  ['a plan inside of one of two', { job: { time_windows: [window(1, 2, 'within'), window(8, 12, 'within')] } }, ''],
  ['a plan in a time to keep out of', { job: { time_windows: [window(9, 10, 'outside')] } }, 'outside_time_window'],
  ['a plan beside a time to keep out of', { job: { time_windows: [window(10, 11, 'outside')] } }, ''],
  [
    'a plan in both sorts',
    { job: { time_windows: [window(8, 12, 'within'), window(9, 11, 'outside')] } },
    'outside_time_window',
  ],
  [
    'windows of a job without a plan',
    { job: { planned_start_at: null, planned_end_at: null, time_windows: [window(1, 2, 'within')] } },
    '',
  ],
  [
    'windows are never barred',
    {
      job: { time_windows: [window(1, 2, 'within')] },
      settings: { prevent_double_booking: true, prevent_off_shift: true },
    },
    'outside_time_window',
  ],

  [
    'everything at once: what blocks comes first',
    {
      job: { ...today, time_windows: [window(1, 2, 'within')] },
      worker: {
        enabled: false,
        permissions: { mobile: 'none' },
        group_ids: [],
        tags: [{ id: 1, expires_at: now }],
        shift_on: false,
      },
      assets: [{ id: 6, name: 'Boiler', enabled: false }],
      overlapping: [{ ...other, equipment_ids: [5] }],
      settings: { prevent_off_shift: true },
    },
    'worker_disabled! worker_not_mobile! outside_groups! tag_expired! equipment_tag_missing! asset_disabled! off_shift! worker_busy equipment_busy outside_time_window',
  ],
]

describe('the guard', () => {
  for (const [title, part, expected, sentence, remedy] of rows)
    test(`${title}: ${expected === '' ? 'may be done' : expected}`, () => {
      const reasons = verdict(changed(part))
      assert.equal(reasons.map(({ code, blocks }) => `${code}${blocks ? '!' : ''}`).join(' '), expected)
      if (sentence) assert.match(reasons[0]?.message ?? '', sentence)
      if (remedy) assert.match(reasons[0]?.remedy ?? '', remedy)
    })

  test('has a row here for every code', () => {
    const codes: { [code in ReasonCode]: true } = {
      worker_disabled: true,
      worker_not_mobile: true,
      tag_missing: true,
      tag_expired: true,
      equipment_tag_missing: true,
      asset_disabled: true,
      outside_groups: true,
      worker_busy: true,
      equipment_busy: true,
      off_shift: true,
      outside_time_window: true,
      absent: true,
      outside_working_hours: true,
      too_far: true,
    }
    const seen = new Set(rows.flatMap(([, , reasons]) => reasons.replaceAll('!', '').split(' ')))
    for (const code of Object.keys(codes)) assert.ok(seen.has(code), code)
  })

  test('says the same of the same, and changes nothing that it is given', () => {
    const part = fc.constantFrom(...rows.map(([, part]) => part))
    fc.assert(
      fc.property(part, part, (one, two) => {
        const question = changed({ ...one, ...two })
        const before = structuredClone(question)
        assert.deepEqual(verdict(question), verdict(structuredClone(question)))
        assert.deepEqual(question, before)
      }),
      { numRuns: 500 },
    )
  })

  test('every reason has a sentence, a remedy and a field; nothing that blocks stands behind a warning', () => {
    const parts = fc.array(fc.constantFrom(...rows.map(([, part]) => part)), { maxLength: 4 })
    fc.assert(
      fc.property(parts, (all) => {
        const reasons = verdict(changed(Object.assign({}, ...all)))
        for (const { message, remedy, field } of reasons) assert.ok(message && remedy && field)
        const order = reasons.map(({ blocks }) => Number(blocks))
        assert.deepEqual(
          order,
          order.toSorted((a, b) => b - a),
        )
      }),
      { numRuns: 500 },
    )
  })
})
