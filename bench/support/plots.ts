import { type Finding, isMet, ratioOf, summaryOf } from './finding.ts'
import { figure } from './lines.ts'
import { at, escaped, svg } from './svg.ts'

const [WIDTH, ROW, LEFT, RIGHT] = [900, 26, 330, 90]

/** How near each finding with a goal for its ratio is to it: a bar a finding, the goal a line that is the same for all. */
export function ratioPlot(findings: { load: string; finding: Finding }[]): string {
  const rows = findings.flatMap(({ load, finding }) => {
    const ratio = ratioOf(finding)
    if (!ratio || finding.goal?.of !== 'ratio') return []
    // Where less is better, the bar is how far the goal was undercut.
    const goal = 'least' in finding.goal ? finding.goal.least : finding.goal.most
    const near = (value: number) => ('least' in (finding.goal ?? {}) ? value / goal : goal / value)
    return [
      {
        label: `${load}: ${finding.what}`,
        ratio,
        goal,
        near: [near(ratio.median), near(ratio.least), near(ratio.most)],
        met: isMet(finding),
      },
    ]
  })
  // Beyond three times the goal all bars are as long.
  const across = (times: number) => LEFT + (Math.min(times, 3) / 3) * (WIDTH - LEFT - RIGHT)
  const parts = rows.flatMap(({ label, ratio, goal, near, met }, i) => {
    const top = 34 + i * ROW
    const [middle = 0, ...ends] = near
    return [
      text(LEFT - 8, top + 15, label, 'end'),
      `<rect x="${LEFT}" y="${top + 3}" width="${at(across(middle) - LEFT)}" height="${ROW - 8}" fill="${met ? '#7cb87f' : '#e0987a'}"/>`,
      line(across(Math.min(...ends)), top + ROW / 2 - 1, across(Math.max(...ends)), top + ROW / 2 - 1),
      text(across(Math.max(middle, ...ends)) + 6, top + 15, `${figure(ratio.median)} of ${figure(goal)}`, 'start'),
    ]
  })
  const bottom = 34 + rows.length * ROW
  return svg(WIDTH, bottom + 12, [
    text(8, 20, 'Ratios beside their goals; the line is the goal', 'start', 'bold'),
    ...parts,
    `<line x1="${at(across(1))}" y1="28" x2="${at(across(1))}" y2="${bottom}" stroke="#333" stroke-dasharray="4 3"/>`,
  ])
}

/** Each round of a load's findings as a dot, Muster's over those of its limit; the bars are the medians. */
export function roundsPlot(load: string, findings: Finding[]): string {
  const parts: string[] = []
  let top = 30
  for (const { what, unit, muster, limit } of findings) {
    const sides = [
      { name: 'Muster', values: muster, colour: '#2f6db5' },
      ...(limit ? [{ name: limit.what, values: limit.values, colour: '#888' }] : []),
    ]
    const highest = Math.max(...sides.flatMap(({ values }) => values)) || 1
    const across = (value: number) => 200 + (value / highest) * (WIDTH - 340)
    parts.push(text(8, top + 16, `${what}, ${unit}`, 'start', 'bold'))
    for (const { name, values, colour } of sides) {
      top += ROW
      const { median, most } = summaryOf(values)
      parts.push(
        text(190, top + 12, name, 'end'),
        `<rect x="200" y="${top}" width="${at(across(median) - 200)}" height="16" fill="${colour}" opacity="0.25"/>`,
        ...values.map((value) => `<circle cx="${at(across(value))}" cy="${top + 8}" r="3.5" fill="${colour}"/>`),
        text(across(most) + 10, top + 12, figure(median), 'start'),
      )
    }
    top += ROW
  }
  return svg(WIDTH, top + 10, [text(8, 20, load, 'start', 'bold'), ...parts])
}

const text = (x: number, y: number, words: string, anchor: 'start' | 'end', weight = 'normal') =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" font-weight="${weight}">${escaped(words)}</text>`

const line = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="#333" stroke-width="1.5"/>`
