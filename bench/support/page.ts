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
export function pageOf({ at, machine, quick, loads }: Run, missed: { [load: string]: string }): string {
  return `# Measured

What \`npm run bench\` found on ${at.slice(0, 10)}. Medians of rounds that took turns with their limit, least and most in
brackets; a ratio is told only where the rounds' ratios lie within ${WIDEST * 100} % of their median. The raw numbers of each round are in
[latest.json](latest.json).${quick ? '\n\n**A quick try: the rounds were too few and too short to quote.**' : ''}

${Object.entries(machine)
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

![Ratios beside their goals](ratios.svg)

${loads.map((load) => sectionOf(load, missed[load.load] ?? '')).join('\n')}`
}

/** What the README tells of a run: how many goals are met, and the first finding of each load. */
export function summaryTable({ at, machine, loads }: Run): string {
  const rows = loads.flatMap(({ load, findings }) =>
    findings.slice(0, 1).map((finding) => {
      const { what, unit, muster, limit } = finding
      const beside = limit ? `${figure(summaryOf(limit.values).median)} (${limit.what})` : ''
      return `| \`${load}\` | ${what} | ${figure(summaryOf(muster).median)} ${unit} | ${beside} | ${ratioIn(finding)} | ${goalOf(finding)} |`
    }),
  )
  const aims = loads.flatMap(({ findings }) => findings.filter(({ goal }) => goal))
  return `The last whole run, on ${at.slice(0, 10)} (${machine.Processor}, ${machine.Memory}, ${machine.Cores}), met ${aims.filter(isMet).length} of its ${aims.length}
goals. This is the first finding of each load, medians of the rounds; [all findings](bench/results/README.md) come with plots,
memory, the spread, and why a goal is missed. A ratio is the median of the rounds' ratios.

![Ratios beside their goals](bench/results/ratios.svg)

| load | | Muster | beside | ratio | goal |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}

function sectionOf({ load, about, findings, flame, failure }: Run['loads'][number], missed: string): string {
  if (failure) return `## ${load}\n\n${about}\n\n**It failed:** ${failure.split('\n')[0]}\n`
  const rows = findings.map((finding) => {
    const { what, unit, muster, limit, beside = {} } = finding
    const other = limit ? `${limit.what}: ${shown(summaryOf(limit.values))}` : ''
    const also = ['p50 ms', 'p99 ms', 'slowest ms', 'server µs CPU each', 'memory MB', 'memory MB at rest', 'at once']
      .flatMap((name) => (beside[name] ? [`${name} ${figure(summaryOf(beside[name]).median)}`] : []))
      .join(', ')
    return `| ${what} | ${shown(summaryOf(muster))} ${unit} | ${other} | ${ratioIn(finding)} | ${goalOf(finding)} | ${also} |`
  })
  return `## ${load}

${about}

| | Muster | beside | ratio | goal | also |
|---|---|---|---|---|---|
${rows.join('\n')}

![The rounds of ${load}](${load}.svg)
${missed && findings.some((finding) => isMet(finding) === false) ? `\n${missed}\n` : ''}${flame ? `\n[Where the server's time goes](${flame})\n` : ''}`
}

function ratioIn(finding: Finding): string {
  const ratio = ratioOf(finding)
  return ratio ? shown(ratio) : finding.limit ? 'inconclusive: the rounds differ' : ''
}

function goalOf(finding: Finding): string {
  const { goal } = finding
  if (!goal) return ''
  const wanted = 'least' in goal ? `at least ${goal.least}` : `at most ${goal.most}`
  const met = isMet(finding)
  return `${wanted}: ${met === null ? 'inconclusive' : met ? 'met' : '**missed**'}`
}

const shown = ({ median, least, most }: Summary) =>
  least === most ? figure(median) : `${figure(median)} (${figure(least)} to ${figure(most)})`
