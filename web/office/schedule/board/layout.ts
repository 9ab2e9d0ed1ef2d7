import type { Board } from './board.ts'
import { lanesOf } from './lanes.ts'
import { type Job, planOf } from './plan.ts'
import { type BoardRow, type Placed, type RowsShown, rowsOf, stacked, type Worker } from './rows.ts'

/** Heights that the tokens say, in pixels. */
export interface Heights {
  row: number
  team: number
  week: number
}

export interface Layout {
  placed: readonly Placed[]
  height: number
  workers: number
}

/** The lanes of the jobs of a row; remembered as long as the row is the same. */
const lanesOfRow = new WeakMap<readonly Job[], { lanes: number[]; count: number }>()
export function lanesOn(jobs: readonly Job[]) {
  const found = lanesOfRow.get(jobs)
  if (found) return found
  const made = lanesOf(jobs.map((job) => planOf(job) ?? { from: 0, to: 0 }))
  lanesOfRow.set(jobs, made)
  return made
}

/** One lane is a row, each further one a little less. */
export const heightOfLanes = (count: number, { row }: Heights) => row + (count - 1) * (row - 4)

/** Which rows there are and where each lies. */
export function layoutOf(
  board: Board,
  workers: readonly Worker[],
  options: RowsShown & { heights: Heights; isWeek: boolean },
): Layout {
  const { heights, isWeek } = options
  const timed: BoardRow = { kind: 'timed', key: 'timed' }
  const rows = [timed, ...rowsOf(workers, board.teams.where('all', 'all'), options)]
  const heightOf = (row: BoardRow) => {
    if (row.kind === 'team') return heights.team
    if (isWeek) return heights.week
    const jobs = board.jobs.where('row', row.kind === 'worker' ? row.worker.id : 'timed')
    return heightOfLanes(lanesOn(jobs).count, heights)
  }
  return { ...stacked(rows, heightOf), workers: workers.length }
}

/** The same rows at the same places: what is drawn can stay. */
export const isSame = (a: Layout, b: Layout) =>
  a.placed.length === b.placed.length &&
  a.placed.every((one, i) => {
    const other = b.placed[i] as Placed
    return one.top === other.top && one.height === other.height && isSameRow(one.row, other.row)
  })

const isSameRow = (a: BoardRow, b: BoardRow) =>
  a.key === b.key &&
  (a.kind !== 'worker' || (b.kind === 'worker' && a.worker === b.worker)) &&
  (a.kind !== 'team' || (b.kind === 'team' && a.folded === b.folded && a.count === b.count && a.name === b.name))
