import { useMemo, useSyncExternalStore } from 'react'
import { hoursOf } from './board/hours.ts'
import type { Desk } from './desk.ts'
import { type TimeScale, timeScale } from './time/scale.ts'
import { mondayOf } from './time/zone.ts'
import { daysOf, type View } from './view.ts'

/** In three days a job of an hour has room for words. */
const pxPerHourOfThree = 44

/** The time that is looked at, as pixels. */
export function useScale(desk: Desk, view: View): TimeScale {
  const { day, zoom, hour } = view
  const hours = useHours(desk, view)
  return useMemo(() => scaleOf({ day, zoom, hour }, hours, desk.zone), [day, zoom, hour, hours, desk.zone])
}

function scaleOf({ day, zoom, hour }: Pick<View, 'day' | 'zoom' | 'hour'>, hours: string, zone: string) {
  const days = daysOf[zoom]
  if (days > 3) return timeScale({ zone, day: mondayOf(day), days, fromClock: 0, toClock: 1440, pxPerHour: 4 })
  const [fromClock = 0, toClock = 0] = hours.split('-').map((hour) => Number(hour) * 60)
  return timeScale({ zone, day, days, fromClock, toClock, pxPerHour: zoom === 'day' ? hour : pxPerHourOfThree })
}

/** Which hours of each day are shown: "6-20". */
function useHours({ board, zone }: Desk, { day, zoom }: View): string {
  const days = daysOf[zoom]
  const measure = () => {
    if (days > 3) return ''
    const { from, to } = hoursOf(board.jobs.values(), { day, days, zone })
    return `${from}-${to}`
  }
  return useSyncExternalStore((listener) => board.jobs.onAny(listener), measure)
}
