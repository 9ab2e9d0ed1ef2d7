import type { user } from '../../../../src/records/user.ts'
import type { RowOf } from '../../../client/index.ts'

export type Worker = RowOf<typeof user>

export interface Group {
  id: number
  name: string
}

/** A row of the rack. `key` names it in the page. */
export type BoardRow =
  | { kind: 'timed'; key: 'timed' }
  | { kind: 'team'; key: string; id: number; name: string; count: number; folded: boolean }
  | { kind: 'worker'; key: string; worker: Worker; team: number }

export interface Placed {
  row: BoardRow
  top: number
  height: number
}

/** Whose rows are drawn in which order. */
export interface RowsShown {
  folded?: ReadonlySet<number>
  /** Orders names of teams. */
  compare: (a: string, b: string) => number
  /** Orders the workers of a team; by name unless said. */
  order?: (a: Worker, b: Worker) => number
  /** These stand first, in this order, and not in their teams. */
  pins?: readonly number[]
}

/** Workers without a group stand last, under this number. */
export const noTeam = 0

/**
 * The rows in their order: those that are pinned, then by team, then by name or as was asked. A worker who is in several teams stands in the first; teams that
 * have nobody are left out.
 */
export function rowsOf(
  workers: readonly Worker[],
  groups: readonly Group[],
  { folded = new Set<number>(), compare, order = (a, b) => compare(a.name, b.name), pins = [] }: RowsShown,
): BoardRow[] {
  const teams = groups.toSorted((a, b) => compare(a.name, b.name))
  const ranks = new Map(teams.map(({ id }, rank) => [id, rank]))
  const teamOf = ({ group_ids }: Worker) => {
    const own = group_ids.filter((id) => ranks.has(id)).toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
    return own[0] ?? noTeam
  }
  const members = Map.groupBy(workers.filter(({ id }) => !pins.includes(id)).toSorted(order), teamOf)
  const rowOf = (worker: Worker, team: number): BoardRow => ({
    kind: 'worker',
    key: `worker-${worker.id}`,
    worker,
    team,
  })
  const rows = pins.flatMap((id) => {
    const worker = workers.find((one) => one.id === id)
    return worker ? [rowOf(worker, noTeam)] : []
  })
  for (const { id, name } of [...teams, { id: noTeam, name: '' }]) {
    const people = members.get(id)
    if (!people) continue
    const isFolded = folded.has(id)
    rows.push({ kind: 'team', key: `team-${id}`, id, name, count: people.length, folded: isFolded })
    if (!isFolded) rows.push(...people.map((worker) => rowOf(worker, id)))
  }
  return rows
}

/** Where each row lies, one under the other. */
export function stacked(
  rows: readonly BoardRow[],
  heightOf: (row: BoardRow) => number,
): { placed: Placed[]; height: number } {
  let top = 0
  const placed = rows.map((row) => {
    const at = { row, top, height: heightOf(row) }
    top += at.height
    return at
  })
  return { placed, height: top }
}

/** The place of the row at a height; the nearest one beyond the ends. */
export function indexAt(placed: readonly Placed[], y: number): number {
  let [low, high] = [0, placed.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((placed[middle] as Placed).top <= y) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}
