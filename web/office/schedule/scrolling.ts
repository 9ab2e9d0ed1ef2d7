import { type RefObject, useEffect } from 'react'
import type { Plan } from './board/plan.ts'
import type { Placed } from './board/rows.ts'
import type { Looking } from './desk.ts'
import type { Ground } from './drag/ground.ts'
import { instantAt } from './time/zone.ts'
import { daysOf } from './view.ts'

/** What lies over the end of the rack: details, where there is no room for them beside it. In pixels. */
const coveredPx = ({ scroller, isRtl }: Ground) => {
  const [room, pane] = [scroller.getBoundingClientRect(), document.querySelector('.details')?.getBoundingClientRect()]
  if (!pane) return 0
  return Math.max(0, isRtl ? pane.right - room.left : room.right - pane.left)
}

/** Scrolls a row, and a job in it, to where they are seen; of one that is wider than there is room, its beginning. */
export function bringIntoView(ground: Ground, { top, height }: Pick<Placed, 'top' | 'height'>, plan: Plan | null) {
  const { scroller, ruler, scale, who, isRtl, isWeek } = ground
  const room = scroller.clientHeight - ruler
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + height > scroller.scrollTop + room) scroller.scrollTop = top + height - room
  if (!plan || isWeek || plan.from >= scale.to || plan.to <= scale.from) return
  const [x, end] = [scale.x(plan.from), scale.x(plan.to)]
  const [left, width] = [Math.abs(scroller.scrollLeft), scroller.clientWidth - who - coveredPx(ground)]
  if (x >= left && Math.min(end, x + width) <= left + width) return
  scroller.scrollLeft = (isRtl ? -1 : 1) * Math.max(0, Math.min(x - 8, Math.max(x - width / 3, end + 8 - width)))
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
