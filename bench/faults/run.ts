/**
 * `npm run bench:faults`: what goes wrong in real life, done to real servers, and whether what was promised of it is kept.
 *
 *   npm run bench:faults                      everything, on SQLite and on a PostgreSQL that it starts; about two hours
 *   npm run bench:faults -- kill disk-full    these only
 *   npm run bench:faults -- kill --times 50   as often as that
 *   npm run bench:faults -- --on sqlite       on one database only; or postgres
 *   npm run bench:faults -- --quick           few and short, to see that it works
 *   npm run bench:faults -- --json FILE       what was seen, in a file
 *   npm run bench:faults -- --keep            puts what was seen into bench/results/faults.json and docs/reliability.md
 *   npm run bench:faults -- --add FILE        the same with what --json kept
 *
 * Ends with exit code 1 when a promise was not kept.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { pinThis } from '../support/cores.ts'
import { machine } from '../support/machine.ts'
import type { Trial } from './fault.ts'
import { errors } from './index.ts'
import { type Found, keep } from './results.ts'

const { values: flags, positionals: names } = parseArgs({
  options: {
    json: { type: 'string' },
    on: { type: 'string' },
    times: { type: 'string' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    add: { type: 'string' },
  },
  allowPositionals: true,
})

const unknown = names.filter((name) => !errors.some((error) => error.name === name))
if (unknown.length > 0) {
  console.error(`no fault ${unknown.join(', ')}; there are ${errors.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
if (flags.on !== undefined && flags.on !== 'sqlite' && flags.on !== 'postgres') {
  console.error('--on sqlite or --on postgres')
  process.exit(2)
}

if (flags.add) {
  keep(JSON.parse(readFileSync(flags.add, 'utf8')))
  process.exit()
}

// What it started and mounted goes with it, also when it is told to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
pinThis()
const trial: Trial = {
  quick: flags.quick,
  times: flags.times === undefined ? null : Number(flags.times),
  only: flags.on ?? null,
  say: (text) => console.log(text),
}

const found: Found[] = []
for (const { name, promised, run } of errors) {
  if (names.length > 0 && !names.includes(name)) continue
  console.log(`\n${name}: ${promised}`)
  const began = performance.now()
  const seen = await run(trial)
  const tookS = Math.round((performance.now() - began) / 1000)
  for (const { on, tried, seen: what, kept } of seen)
    console.log(`  ${kept === null ? '----' : kept ? 'kept' : 'LOST'} ${on}: ${tried}: ${what}`)
  console.log(`  took ${tookS} s`)
  found.push({
    fault: name,
    at: new Date().toISOString(),
    machine: machine(),
    quick: flags.quick,
    tookS,
    seen,
  })
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify(found, null, 1)}\n`)
}
if (flags.keep) keep(found)
if (found.some(({ seen }) => seen.some(({ kept }) => kept === false))) process.exitCode = 1
