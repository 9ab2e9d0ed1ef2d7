import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loads } from '../loads/index.ts'
import { pageOf, type Run, summaryTable } from './page.ts'
import { ratioPlot, roundsPlot } from './plots.ts'
import { root } from './processes.ts'

/** The last whole run. */
export const results = 'bench/results'
const latest = join(root, results, 'latest.json')
const [BEGIN, END] = ['<!-- measured: made by npm run bench -->', '<!-- /measured -->']

/** The run that is kept; null before the first. */
export const keptRun = (): Run | null => (existsSync(latest) ? JSON.parse(readFileSync(latest, 'utf8')) : null)

/** Every file that follows from a run, by its path: the numbers, the page with its plots, and the README with its table. */
export function filesOf(run: Run): { [path: string]: string } {
  const all = run.loads.flatMap(({ load, findings }) => findings.map((finding) => ({ load, finding })))
  const missed = Object.fromEntries(loads.map(({ name, missed = '' }) => [name, missed]))
  const plots = run.loads
    .filter(({ findings }) => findings.length > 0)
    .map(({ load, findings }) => [`${results}/${load}.svg`, roundsPlot(load, findings)])
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [before, after] = [readme.slice(0, readme.indexOf(BEGIN)), readme.slice(readme.indexOf(END))]
  return {
    [`${results}/latest.json`]: `${JSON.stringify(run, null, 1)}\n`,
    [`${results}/README.md`]: pageOf(run, missed),
    [`${results}/ratios.svg`]: ratioPlot(all),
    ...Object.fromEntries(plots),
    'README.md': `${before}${BEGIN}\n\n${summaryTable(run)}\n${after}`,
  }
}
