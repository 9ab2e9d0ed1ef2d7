/**
 * `npm run bench`: Muster beside its limits, by loads against real processes. Figures of one run are of one machine, so
 * what is claimed are ratios.
 *
 *   npm run bench                        every load; the page and the raw numbers go to bench/results, a table to README.md
 *   npm run bench -- read-one create     these only, printed
 *   npm run bench -- --json FILE         the raw numbers, of every round, also there
 *   npm run bench -- --quick             few short rounds, to try it out: no figures to quote, and nothing in bench/results
 *   npm run bench -- NAME --profile      with a CPU profile of the server, and unless quick its flame graph in bench/results
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loads } from './loads/index.ts'
import { pinThis } from './support/cores.ts'
import type { Finding } from './support/finding.ts'
import { flameOf } from './support/flame.ts'
import { emptyFolder, newFolder } from './support/folders.ts'
import { filesOf, results } from './support/kept.ts'
import { linesOf } from './support/lines.ts'
import { machine } from './support/machine.ts'
import type { Serving } from './support/muster.ts'
import type { Run } from './support/page.ts'
import { root } from './support/processes.ts'
import { busiest, profilesIn } from './support/profile.ts'

export interface Load {
  name: string
  about: string
  /** Told where a goal is missed: what was tried, and where the profile says the time goes. */
  missed?: string
  run(bench: Bench): Promise<Finding[]>
}

export interface Bench {
  rounds: number
  /** How long a round goes on, and the one before those that count. */
  ms: number
  warmMs: number
  quick: boolean
  /** How the server of a load is started. */
  serving(): Serving
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
const profiles = newFolder()
const quick = flags.quick ?? false
const bench: Bench = {
  rounds: quick ? 2 : 5,
  ms: quick ? 500 : 2000,
  warmMs: quick ? 500 : 2000,
  quick,
  serving: () => (flags.profile ? { flags: ['--cpu-prof', `--cpu-prof-dir=${profiles}`] } : {}),
  say: (text) => console.log(text),
}

const run: Run = { at: new Date().toISOString(), machine: machine(), quick, loads: [] }
for (const load of loads) {
  if (names.length > 0 && !names.includes(load.name)) continue
  bench.say(`\n${load.name}: ${load.about}`)
  const began = performance.now()
  let failure = ''
  const findings: Finding[] = await load.run(bench).catch((error: Error) => {
    failure = error.message
    console.error(`  FAILED: ${error.stack}`)
    process.exitCode = 1
    return []
  })
  const tookS = Math.round((performance.now() - began) / 1000)
  for (const finding of findings) for (const line of linesOf(finding)) bench.say(line)
  bench.say(`  took ${tookS} s`)
  if (flags.profile) keepProfiles(load.name)
  const flame = `flame-${load.name}.svg`
  const { name, about } = load
  run.loads.push({
    load: name,
    about,
    tookS,
    findings,
    ...(failure && { failure }),
    ...(existsSync(join(root, results, flame)) && { flame }),
  })
}

if (flags.json) writeFileSync(flags.json, `${JSON.stringify(run, null, 1)}\n`)
if (!quick && !flags.profile && names.length === 0) {
  for (const [file, text] of Object.entries(filesOf(run))) writeFileSync(join(root, file), text)
  bench.say(`\n${results}/README.md, and the table in README.md`)
}

/** Draws where the time of a load's servers went, and tells the most of it. */
function keepProfiles(load: string) {
  for (const [i, frame] of profilesIn(profiles).entries()) {
    const file = `${results}/flame-${load}${i === 0 ? '' : `-${i + 1}`}.svg`
    if (!quick) writeFileSync(join(root, file), flameOf(frame, `${load}: CPU time of the server`))
    bench.say(`  ${quick ? 'the CPU time of the server' : file}`)
    for (const { name, share } of busiest(frame, 25)) bench.say(`    ${(share * 100).toFixed(1).padStart(5)} % ${name}`)
  }
  emptyFolder(profiles)
}
