import { useCallback, useRef, useSyncExternalStore } from 'react'
import { type Heights, isSame, type Layout, layoutOf } from './board/layout.ts'
import { orderOf } from './board/order.ts'
import type { Desk } from './desk.ts'
import { isShown } from './shown.ts'
import type { TimeScale } from './time/scale.ts'
import type { View } from './view.ts'

/** The rows and where they lie; the same object as long as nothing of it has changed. */
export function useLayout(
  desk: Desk,
  view: View,
  scale: TimeScale,
  options: { folded: ReadonlySet<number>; heights: Heights; isWeek: boolean },
): Layout {
  const { board } = desk
  const { from, to } = scale
  const last = useRef<{ layout: Layout; key: unknown[] } | null>(null)
  const key = [view.teams, view.tags, view.onShift, options.folded, options.heights, options.isWeek, desk]
  const measure = () => {
    const workers = board.workers.where('all', 'all').filter((worker) => isShown(worker, view))
    const { compare } = desk
    const order = orderOf(board, view.order, { from, to, job: desk.job(view.job), compare })
    const layout = layoutOf(board, workers, { ...options, compare, order, pins: view.pins })
    if (last.current && isSame(last.current.layout, layout)) return last.current.layout
    last.current = { layout, key }
    return layout
  }
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) => {
        const ends = [board.jobs, board.workers, board.teams].map((rows) => rows.onAny(listener))
        return () => {
          for (const end of ends) end()
        }
      },
      [board],
    ),
    measure,
  )
}

export const heightsOf = (isCompact: boolean): Heights =>
  isCompact ? { row: 26, team: 20, week: 56 } : { row: 40, team: 26, week: 96 }
