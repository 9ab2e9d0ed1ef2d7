/**
 * `npm run bench`: Muster beside its limits, by loads against real processes. Figures of one run are of one machine, so
 * what is claimed are ratios.
 *
 *   npm run bench                        every load, into bench/results
 *   npm run bench -- read-one create     these only, printed
 *   npm run bench -- --json FILE         the raw numbers, of every round, also there
 *   npm run bench -- --quick             few short rounds, to try it out: no figures to quote
 *   npm run bench -- NAME --profile      with a CPU profile of the server and its flame graph in bench/results
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loads } from './loads/index.ts'
import { pinThis } from './support/cores.ts'
import type { Finding } from './support/finding.ts'
import { linesOf } from './support/lines.ts'
import type { Serving } from './support/muster.ts'

export interface Load {
  name: string
  about: string
  run(bench: Bench): Promise<Finding[]>
}

export interface Bench {
  rounds: number
  /** How long a round goes on, and the one before those that count. */
  ms: number
  warmMs: number
  quick: boolean
  /** How the server of a load is started. */
  serving(load: string): Serving
  say(text: string): void
}

const { values: flags, positionals: names } = parseArgs({
  options: { json: { type: 'string' }, quick: { type: 'boolean' }, profile: { type: 'boolean' } },
  allowPositionals: true,
})

const unknown = names.filter((name) => !loads.some((load) => load.name === name))
if (unknown.length > 0) {
  console.error(`no load ${unknown.join(', ')}; there are ${loads.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

pinThis()
const quick = flags.quick ?? false
const bench: Bench = {
  rounds: quick ? 2 : 5,
  ms: quick ? 500 : 3000,
  warmMs: quick ? 500 : 3000,
  quick,
  serving: () => ({}),
  say: (text) => console.log(text),
}

const results: { load: string; about: string; findings: Finding[] }[] = []
for (const load of loads) {
  if (names.length > 0 && !names.includes(load.name)) continue
  bench.say(`\n${load.name}: ${load.about}`)
  const findings = await load.run(bench)
  for (const finding of findings) for (const line of linesOf(finding)) bench.say(line)
  results.push({ load: load.name, about: load.about, findings })
}
if (flags.json) writeFileSync(flags.json, JSON.stringify(results, null, 1))
