import { type Finding, isMet, ratioOf, type Summary, summaryOf, WIDEST } from './finding.ts'
import { figure } from './lines.ts'

/** A run: what it ran on, and what each load found. */
export interface Run {
  at: string
  machine: { [name: string]: string }
  /** Too short to be quoted. */
  quick: boolean
  loads: { load: string; about: string; tookS: number; findings: Finding[]; flame?: string; failure?: string }[]
}

/** The run as a page of Markdown. */
export function pageOf({ at, machine, quick, loads }: Run): string {
  return `# Measured

What \`npm run bench\` found on ${at.slice(0, 10)}. Medians of rounds that took turns with their limit, least and most in
brackets; a ratio is told only where the rounds' ratios lie within ${WIDEST * 100} % of their median. The raw numbers of each round are in
[latest.json](latest.json).${quick ? '\n\n**A quick try: the rounds were too few and too short to quote.**' : ''}

${Object.entries(machine)
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

![Ratios beside their goals](ratios.svg)

${loads.map(sectionOf).join('\n')}`
}

function sectionOf({ load, about, findings, flame, failure }: Run['loads'][number]): string {
  if (failure) return `## ${load}\n\n${about}\n\n**It failed:** ${failure.split('\n')[0]}\n`
  const rows = findings.map((finding) => {
    const { what, unit, muster, limit, beside = {} } = finding
    const other = limit ? `${limit.what}: ${shown(summaryOf(limit.values))}` : ''
    const ratio = limit ? ratioOf(finding) : null
    const also = ['p50 ms', 'p99 ms', 'server µs CPU each', 'memory MB']
      .flatMap((name) => (beside[name] ? [`${name} ${figure(summaryOf(beside[name]).median)}`] : []))
      .join(', ')
    return `| ${what} | ${shown(summaryOf(muster))} ${unit} | ${other} | ${ratio ? shown(ratio) : limit ? 'hidden by the spread' : ''} | ${goalOf(finding)} | ${also} |`
  })
  return `## ${load}

${about}

| | Muster | beside | ratio | goal | also |
|---|---|---|---|---|---|
${rows.join('\n')}

![The rounds of ${load}](${load}.svg)
${flame ? `\n[Where the server's time goes](${flame})\n` : ''}`
}

function goalOf(finding: Finding): string {
  const { goal } = finding
  if (!goal) return ''
  const wanted = 'least' in goal ? `at least ${goal.least}` : `at most ${goal.most}`
  const met = isMet(finding)
  return `${wanted}: ${met === null ? 'not to be told' : met ? 'met' : '**missed**'}`
}

const shown = ({ median, least, most }: Summary) =>
  least === most ? figure(median) : `${figure(median)} (${figure(least)} to ${figure(most)})`
