import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Looking } from './desk.ts'
import { frameOf, type Ground, onSheet } from './drag/ground.ts'
import { zoomStepOf, zoomSteps } from './view.ts'

/** The wheel with Ctrl or ⌘ zooms a step; the time under the pointer stays there. */
export function useWheelZoom(
  scroller: RefObject<HTMLDivElement | null>,
  ground: () => Ground | null,
  { view, scale, look }: Looking,
): void {
  /** The time that stays, and how far from the start of the lanes it is. */
  const stays = useRef<{ at: number; offset: number } | null>(null)
  const isTurning = useRef(false)
  useEffect(() => {
    const element = scroller.current
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      // A turn of the wheel is many events; a step takes until it is drawn.
      if (isTurning.current || event.deltaY === 0) return
      const next = zoomSteps[zoomStepOf(view) + (event.deltaY < 0 ? 1 : -1)]
      const here = ground()
      if (!next || !here) return
      const frame = frameOf(here)
      const { x } = onSheet(here, frame, { x: event.clientX, y: event.clientY })
      stays.current = { at: here.scale.at(x), offset: x - frame.left }
      isTurning.current = true
      look(next)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [scroller, ground, view, look])
  useLayoutEffect(() => {
    const element = scroller.current
    const kept = stays.current
    stays.current = null
    requestAnimationFrame(() => {
      isTurning.current = false
    })
    if (!element || !kept) return
    const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1
    element.scrollLeft = sign * Math.max(0, scale.x(kept.at) - kept.offset)
  }, [scroller, scale])
}
