import type { RawRow } from '#fields'
import { HOUR, MINUTE } from './calendar.ts'
import type { Town } from './make-things.ts'
import { workers } from './people.ts'
import type { Plan } from './plan.ts'

/** Points that a phone has noted, one every few minutes. */
const [POINTS, EVERY] = [8, 4 * MINUTE]

/** The phones of the crews tell their way in the last half hour: from home to the work, for those who are at one. */
export async function sendWays({ people, calendar }: Town, plans: Plan[]): Promise<void> {
  await Promise.all(
    workers.map(async ([name = '', , , lat, lng], i) => {
      const worker = people.get(name)
      const now = plans.find(({ worker: whose, work }) => whose === worker && work && !work.whole)
      const last = plans.findLast(({ worker: whose, work }) => whose === worker && work)
      const there = now ?? (last?.work && last.work.end > calendar.now - HOUR ? last : null)
      const way = wayBetween({ lat, lng }, there?.customer.delivery_contact.location ?? { lat, lng })
      const points = way.map((point, n) => ({
        ...point,
        recorded_at: calendar.iso(calendar.now - i * 40_000 - (POINTS - 1 - n) * EVERY),
      }))
      await worker?.ask('POST', '/telemetry', { telemetry: points })
    }),
  )
}

/** Straight on, with the speed and the heading that follow from the points; the last two are there. */
function wayBetween(from: RawRow, to: RawRow): RawRow[] {
  const [north, east] = [Number(to.lat) - Number(from.lat), Number(to.lng) - Number(from.lng)]
  const [dy, dx] = [north * 111.2, east * 111.2 * Math.cos((Number(from.lat) * Math.PI) / 180)]
  const heading = ((Math.atan2(dx, dy) * 180) / Math.PI + 360) % 360
  const legs = POINTS - 2
  const speed = Math.hypot(dx, dy) / legs / (EVERY / HOUR)
  return Array.from({ length: POINTS }, (_, n) => {
    const part = Math.min(1, n / legs)
    return {
      lat: (Number(from.lat) + north * part).toFixed(5),
      lng: (Number(from.lng) + east * part).toFixed(5),
      heading: heading.toFixed(1),
      speed: part < 1 ? speed.toFixed(1) : '0.0',
    }
  })
}
