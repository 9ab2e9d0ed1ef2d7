import { type RefObject, useEffect } from 'react'
import type { Looking } from './desk.ts'
import type { Ground } from './drag/ground.ts'
import { instantAt } from './time/zone.ts'
import { daysOf } from './view.ts'

/** Scrolls a row, and the beginning of a job in it, to where they are seen. */
export function bringIntoView(
  { scroller, ruler, scale, who }: Ground,
  top: number,
  height: number,
  startsAt: string | null | undefined,
) {
  const room = scroller.clientHeight - ruler
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + height > scroller.scrollTop + room) scroller.scrollTop = top + height - room
  if (!startsAt) return
  const [x, left, width] = [scale.x(Date.parse(startsAt)), Math.abs(scroller.scrollLeft), scroller.clientWidth - who]
  const sign = getComputedStyle(scroller).direction === 'rtl' ? -1 : 1
  if (x < left || x > left + width - 60) scroller.scrollLeft = sign * Math.max(0, x - width / 3)
}

/** In minutes from midnight. */
const morning = 7 * 60

/** A board is opened in the morning of its first day, whatever is shown of the night before. */
export function useScrolledToStart(
  scroller: RefObject<HTMLDivElement | null>,
  { view, scale }: Looking,
  zone: string,
  isThere: boolean,
) {
  const { day, zoom } = view
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another day is opened
  useEffect(() => {
    const element = scroller.current
    if (!element || !isThere || daysOf[zoom] > 3) return
    const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1
    element.scrollLeft = sign * Math.max(0, scale.x(instantAt(day, morning, zone)))
  }, [day, zoom, isThere])
}
