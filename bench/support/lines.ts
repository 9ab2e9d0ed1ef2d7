import { type Finding, isMet, ratioOf, type Summary, summaryOf, WIDEST } from './finding.ts'

/** A finding, as a terminal shows it. */
export function linesOf(finding: Finding): string[] {
  const { what, unit, muster, limit, beside = {} } = finding
  const lines = [`  ${what}: ${shown(summaryOf(muster))} ${unit}${verdict(finding)}`]
  if (limit) {
    lines.push(`    ${limit.what}: ${shown(summaryOf(limit.values))} ${unit}`)
    const ratio = ratioOf(finding)
    lines.push(ratio ? `    ratio ${shown(ratio)}` : `    no ratio: the rounds differ by more than ${WIDEST * 100} %`)
  }
  for (const [name, values] of Object.entries(beside)) lines.push(`      ${name} ${shown(summaryOf(values))}`)
  return lines
}

function verdict(finding: Finding): string {
  const { goal } = finding
  if (!goal) return ''
  const wanted = 'least' in goal ? `at least ${goal.least}` : `at most ${goal.most}`
  const met = isMet(finding)
  return ` (goal: ${goal.of === 'ratio' ? 'ratio ' : ''}${wanted}: ${met === null ? 'not to be told' : met ? 'met' : 'MISSED'})`
}

const shown = ({ median, least, most }: Summary) => `${figure(median)} (${figure(least)} to ${figure(most)})`

/** Three figures that count; whole numbers from a thousand on. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return 'none'
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}
