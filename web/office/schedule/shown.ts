import type { Card } from './board/card.ts'
import type { Worker } from './board/rows.ts'
import type { View } from './view.ts'

/** Whether a worker's row is shown. Several of one filter are any of them; several filters are all of them. */
export const isShown = (worker: Worker, { teams, tags, onShift }: View): boolean =>
  (teams.length === 0 || teams.some((id) => worker.group_ids.includes(id))) &&
  (tags.length === 0 || tags.some((id) => worker.tags.some((tag) => tag.id === id))) &&
  (!onShift || worker.shift_on)

/** Whether a card is what is looked for; the others stay where they are, and stand back. */
export function isLookedFor({ state, mark }: Pick<Card, 'state' | 'mark'>, { states, attention }: View): boolean {
  if (states.length > 0 && !states.includes(state)) return false
  return attention === null || attention === state || attention === mark?.kind
}
