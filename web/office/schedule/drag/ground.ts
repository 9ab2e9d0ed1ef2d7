import type { Board } from '../board/board.ts'
import { type Heights, heightOfLanes, type Layout, lanesOn } from '../board/layout.ts'
import type { Job } from '../board/plan.ts'
import { planOf } from '../board/plan.ts'
import { indexAt, type Placed } from '../board/rows.ts'
import type { TimeScale } from '../time/scale.ts'
import type { Target } from './target.ts'

/** What lies where, without a look at the page: rows and times are arithmetic. */
export interface Ground {
  scroller: HTMLElement
  tray: HTMLElement | null
  board: Board
  layout: Layout
  scale: TimeScale
  zone: string
  heights: Heights
  /** Pixels of the column of workers, and of the ruler. */
  who: number
  ruler: number
  isRtl: boolean
  /** A column is a day: what is moved keeps its clock. */
  isWeek: boolean
}

export interface Point {
  x: number
  y: number
}

/** Where the scroller is on the screen, and how far it is scrolled; read once a frame, before anything is written. */
export interface Frame {
  box: DOMRect
  left: number
  top: number
}

export const frameOf = ({ scroller }: Ground): Frame => ({
  box: scroller.getBoundingClientRect(),
  left: Math.abs(scroller.scrollLeft),
  top: scroller.scrollTop,
})

/** Pixels from the start of the first hour, and from the top of the first row. */
export function onSheet({ who, ruler, isRtl }: Ground, { box, left, top }: Frame, { x, y }: Point): Point {
  const inline = isRtl ? box.right - x : x - box.left
  return { x: inline + left - who, y: y - box.top + top - ruler }
}

/** The same on the screen. */
export function onScreen({ who, ruler, isRtl }: Ground, { box, left, top }: Frame, { x, y }: Point): Point {
  const inline = x - left + who
  return { x: isRtl ? box.right - inline : box.left + inline, y: y + box.top - top + ruler }
}

export const isWithin = (box: DOMRect, { x, y }: Point) =>
  x >= box.left && x < box.right && y >= box.top && y < box.bottom

/** Whose row lies at a height; a team's head stands for nobody. */
export function rowAt({ layout }: Ground, y: number): Target['row'] | null {
  const row = layout.placed[indexAt(layout.placed, y)]?.row
  if (!row || row.kind === 'team') return null
  return row.kind === 'worker' ? row.worker.id : 'timed'
}

export const placedOf = ({ layout }: Ground, target: Target['row']): Placed | undefined =>
  layout.placed.find(({ row }) => (row.kind === 'worker' ? row.worker.id : row.kind) === target)

/** The jobs whose tab lies within a rectangle of the sheet. */
export function jobsWithin(ground: Ground, a: Point, b: Point): Job[] {
  const { layout, board, scale, heights } = ground
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)]
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)]
  const first = indexAt(layout.placed, top)
  const found: Job[] = []
  for (const { row, top: rowTop } of layout.placed.slice(first, indexAt(layout.placed, bottom) + 1)) {
    if (row.kind === 'team') continue
    const jobs = board.jobs.where('row', row.kind === 'worker' ? row.worker.id : 'timed')
    const { lanes } = lanesOn(jobs)
    for (const [i, job] of jobs.entries()) {
      const plan = planOf(job)
      if (!plan) continue
      const x = scale.x(plan.from)
      const y = rowTop + heightOfLanes(lanes[i] ?? 0, heights) + heights.row / 2
      if (x >= left && x <= right && y >= top - heights.row / 2 && y <= bottom + heights.row / 2) found.push(job)
    }
  }
  return found
}
