import { present, type RawRow } from '#fields'
import type { Person } from './actors.ts'
import { HOUR, MINUTE } from './calendar.ts'
import { equipment as equipmentRows } from './customers.ts'
import type { Town } from './make-things.ts'
import { groups, workers } from './people.ts'
import { pick, randomFrom } from './rows.ts'
import { type TemplateName, templateNames, templates } from './work.ts'

/** One job as it was planned, and what has come of it. */
export interface Plan {
  template: TemplateName
  customer: RawRow
  worker: Person | undefined
  /** Milliseconds; null for what isn't planned yet. */
  start: number | null
  equipment: RawRow[]
  work: Work | null
  /** Whoever has it has not been told. */
  isDraft?: boolean
  /** Minutes after midnight of a day by which the customer was promised it. */
  due?: [day: number, minutes: number]
  isUrgent?: boolean
}

export interface Work {
  start: number
  end: number
  whole: boolean
  /** How many steps are done, where it isn't the whole. */
  steps: number
}

/** When crews begin a job, in minutes after midnight; far enough apart for the longest. */
const SLOTS = [8 * 60, 10 * 60 + 45, 14 * 60]
/** Workers who are at a job right now, whatever the hour: minutes since it began. */
const UNDER_WAY: { [worker: string]: number } = { 'Ana Reyes': 35, 'Dmitri Sokolov': 70, 'Mateo Quispe': 20 }
/** Who has not begun what should have begun this morning. */
const LATE = 'Wei Zhang'
/** Jobs that nobody has yet, and that have a time. */
const UNWANTED = 7
/** Jobs that have neither: when they are due, and whether they are urgent. */
const WAITING: { due: [day: number, minutes: number]; isUrgent?: true }[] = [
  { due: [0, 12 * 60], isUrgent: true },
  { due: [0, 15 * 60] },
  { due: [0, 17 * 60], isUrgent: true },
  { due: [0, 17 * 60] },
  { due: [1, 14 * 60 + 30] },
  { due: [1, 17 * 60] },
  { due: [2, 17 * 60] },
  { due: [3, 17 * 60] },
  { due: [6, 17 * 60] },
]

/** Three days back, today, three days ahead; nobody and nothing is in two places at once. */
export function planWeek(town: Town): Plan[] {
  const { calendar } = town
  const random = randomFrom(3)
  const turns = new Map<string, number>()
  const plans: Plan[] = []
  for (let day = -3; day <= 3; day++) {
    const inUse = new Set<string>()
    for (const [name = '', group = '', , , , , does = ''] of workers) {
      const worker = town.people.get(name)
      const minutes = day === 0 ? UNDER_WAY[name] : undefined
      const kinds = does.split(', ') as TemplateName[]
      const template = pick(random, kinds)
      if (minutes !== undefined) {
        const start = Math.floor((calendar.now - minutes * MINUTE) / (5 * MINUTE)) * 5 * MINUTE
        const work = { start, end: Math.max(start, calendar.now - 12 * MINUTE), whole: false, steps: 2 }
        plans.push({ template, customer: next(group), worker, start, equipment: [], work })
      }
      for (const slot of SLOTS) {
        if (random() > (day === 0 ? 0.9 : calendar.isWeekend(day) ? 0.15 : 0.5)) continue
        const template = pick(random, kinds)
        const start = Date.parse(calendar.at(day, slot))
        const ends = start + templates[template].seconds * 1000
        // Who is at a job now has what goes before it, and what comes well after.
        if (minutes !== undefined && ends > calendar.now - (minutes + 15) * MINUTE && start < calendar.now + 2 * HOUR)
          continue
        const equipment = equipmentFor(template, group, slot)
        const isLate = day === 0 && name === LATE && start < calendar.now && ends > calendar.now - HOUR
        const work = isLate ? null : workOf(start, template)
        const isDraft = day === 0 && start > calendar.now && plans.length % 4 === 0
        plans.push({ template, customer: next(group), worker, start, equipment, work, isDraft })
      }
    }

    function equipmentFor(template: TemplateName, group: string, slot: number): RawRow[] {
      const free = equipmentRows.findIndex(
        ([, , , , place, kind], i) =>
          kind === template && (place === '' || place === group) && !inUse.has(`${i} ${slot}`) && random() < 0.7,
      )
      inUse.add(`${free} ${slot}`)
      const found = town.equipment[free]
      return found ? [found] : []
    }
  }
  const anybody = (i: number) => {
    const customer = next(groups[i % groups.length]?.[0] ?? '')
    return { template: pick(random, templateNames), customer, worker: undefined, equipment: [], work: null }
  }
  for (let i = 0; i < UNWANTED; i++)
    plans.push({ ...anybody(i), start: Date.parse(calendar.at(1 + (i % 3), SLOTS[i % 3] ?? 0)) })
  plans.push({ ...anybody(UNWANTED), start: Date.parse(calendar.at(0, 13 * 60)) })
  for (const [i, waiting] of WAITING.entries()) plans.push({ ...anybody(i), start: null, ...waiting })
  return plans.sort((a, b) => (a.start ?? Number.POSITIVE_INFINITY) - (b.start ?? Number.POSITIVE_INFINITY) || 0)

  /** The customers of a group in turn. */
  function next(group: string): RawRow {
    const id = town.groups.get(group)?.id
    const theirs = town.customers.filter(({ group_ids }) => group_ids.includes(id))
    const turn = turns.get(group) ?? 0
    turns.set(group, turn + 1)
    return present(theirs[turn % theirs.length])
  }

  function workOf(planned: number, template: TemplateName): Work | null {
    const start = planned + Math.floor(random() * 10) * MINUTE
    const end = start + Math.round((templates[template].seconds * (0.7 + random() * 0.25)) / 60) * MINUTE
    if (start > calendar.now) return null
    return end <= calendar.now ? { start, end, whole: true, steps: 0 } : { start, end: start, whole: false, steps: 1 }
  }
}
