import { useMemo, useSyncExternalStore } from 'react'
import { planOf } from './board/plan.ts'
import type { Desk } from './desk.ts'
import { type TimeScale, timeScale } from './time/scale.ts'
import { addDays, clockOf, instantAt, mondayOf } from './time/zone.ts'
import { daysOf, type View } from './view.ts'

/** The time that is looked at, as pixels. */
export function useScale(desk: Desk, view: View): TimeScale {
  const { day, zoom, hour } = view
  const hours = useHours(desk, view)
  return useMemo(() => scaleOf({ day, zoom, hour }, hours, desk.zone), [day, zoom, hour, hours, desk.zone])
}

function scaleOf(view: Pick<View, 'day' | 'zoom' | 'hour'>, hours: string, zone: string) {
  const { day } = view
  if (view.zoom === 'day') {
    const [fromClock = 0, toClock = 0] = hours.split('-').map((hour) => Number(hour) * 60)
    return timeScale({ zone, day, days: 1, fromClock, toClock, pxPerHour: view.hour })
  }
  if (view.zoom === 'three') return timeScale({ zone, day, days: 3, fromClock: 480, toClock: 1020, pxPerHour: 34 })
  return timeScale({ zone, day: mondayOf(day), days: daysOf[view.zoom], fromClock: 0, toClock: 1440, pxPerHour: 4 })
}

/** A day shows these hours, and more where there is work. */
const usualHours = { from: 6, to: 20 }

/** Which hours of the day are shown: "6-20". */
function useHours({ board, zone }: Desk, { day, zoom }: View): string {
  const [start, end] = [instantAt(day, 0, zone), instantAt(addDays(day, 1), 0, zone)]
  const measure = () => {
    if (zoom !== 'day') return ''
    let { from, to } = usualHours
    for (const job of board.jobs.values()) {
      const plan = planOf(job)
      if (!plan || plan.from >= end || plan.to <= start) continue
      from = plan.from <= start ? 0 : Math.min(from, Math.floor(clockOf(plan.from, zone) / 60))
      to = plan.to >= end ? 24 : Math.max(to, Math.ceil(clockOf(plan.to, zone) / 60))
    }
    return `${from}-${to}`
  }
  return useSyncExternalStore((listener) => board.jobs.onAny(listener), measure)
}
