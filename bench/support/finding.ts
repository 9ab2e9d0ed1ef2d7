/** What the bench found out: of each round a number, and beside it that of the limit in the same round. */
export interface Finding {
  /** What was measured, in a few words. */
  what: string
  unit: string
  /** One a round. */
  muster: number[]
  limit?: { what: string; values: number[] }
  goal?: Goal
  /** Other figures of the same rounds, by name: p50, p99, CPU of the server for a request, memory. */
  beside?: { [name: string]: number[] }
}

export type Goal = { of: 'ratio' | 'value'; least: number } | { of: 'ratio' | 'value'; most: number }

/** A spread that is wider than this part of its median hides the ratio. */
export const WIDEST = 0.3

export interface Summary {
  median: number
  least: number
  most: number
}

export function summaryOf(values: number[]): Summary {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  if (sorted.length === 0) return { median: Number.NaN, least: Number.NaN, most: Number.NaN }
  const middle = sorted.length >> 1
  const [left = 0, right = 0] = sorted.length % 2 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1)
  return { median: (left + right) / 2, least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 }
}

/** Muster over its limit, round by round, since both are of the same minute; null where the rounds differ too much. */
export function ratioOf({ muster, limit }: Finding): Summary | null {
  if (!limit) return null
  const ratios = summaryOf(muster.map((value, i) => value / (limit.values[i] ?? Number.NaN)))
  return ratios.most - ratios.least > WIDEST * ratios.median ? null : ratios
}

/** Whether the goal is met; null where there is none, or the spread hides it. */
export function isMet(finding: Finding): boolean | null {
  const { goal } = finding
  if (!goal) return null
  const summary = goal.of === 'ratio' ? ratioOf(finding) : summaryOf(finding.muster)
  if (!summary) return null
  return 'least' in goal ? summary.median >= goal.least : summary.median <= goal.most
}
