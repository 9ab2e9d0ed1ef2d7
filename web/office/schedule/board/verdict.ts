import type { VerdictKind } from '../../../ui/marks.tsx'
import type { Candidate, Reason } from '../../job/verdict.ts'

export type { Candidate, Reason }
export type Params = Reason['params']

export type Verdict = Exclude<VerdictKind, 'note'>

export const verdictOf = ({ reasons }: Pick<Candidate, 'reasons'>): Verdict =>
  reasons.some(({ blocks }) => blocks) ? 'no' : reasons.length > 0 ? 'warn' : 'yes'

/** What stands in the way comes before what is only worth knowing. */
export const worstFirst = (reasons: readonly Reason[]): Reason[] =>
  reasons.toSorted((a, b) => Number(b.blocks) - Number(a.blocks))

/** The first that nothing speaks against; candidates come best first. */
export const bestOf = (candidates: readonly Candidate[], but: readonly unknown[] = []): Candidate | null =>
  candidates.find(({ worker_id, reasons }) => !but.includes(worker_id) && reasons.length === 0) ?? null

/** Two things at once for one person need a why; the rest is placed, and stays marked. */
const asksWhy = ['worker_busy', 'equipment_busy', 'absent', 'outside_working_hours']
export const needsWhy = (reasons: readonly Reason[]): Reason[] =>
  reasons.filter(({ code, blocks }) => !blocks && asksWhy.includes(code))
