import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMuster } from '../support/muster.ts'
import { root } from '../support/processes.ts'
import { asker } from './ask.ts'
import { type Fault, percentile, type Seen, type Trial, Wrongs } from './fault.ts'
import { Ledger } from './ledger.ts'
import { bugsIn, type Home, onEach } from './places.ts'

const WRITERS = 16
const START_MS = 2000

export const kill: Fault = {
  name: 'kill',
  promised:
    'What was acknowledged outlives `kill -9`: nothing is lost, nothing is there twice when requests are repeated under their Idempotency-Key, and the next start takes less than two seconds (median).',
  run: (trial) => onEach(trial, (home) => killed(trial, home)),
}

async function killed(trial: Trial, home: Home): Promise<Seen> {
  const { place, on } = home
  const times = trial.times ?? (trial.quick ? 5 : 1000)
  const wrongs = new Wrongs()
  const ledger = new Ledger()
  const starts: number[] = []
  let repeated = 0
  for (let i = 0; i < times && wrongs.all.length === 0; i++) {
    const muster = await startMuster(place)
    starts.push(muster.startedMs)
    const ask = asker(muster.port, place.key)
    repeated += ledger.open.length
    await ledger.again(ask)
    await ledger.check(ask, wrongs)
    const writing = Array.from({ length: WRITERS }, () => ledger.write(ask, () => true))
    // A moment that chance picks.
    await sleep(50 + Math.random() * 400)
    muster.child.kill('SIGKILL')
    await Promise.all(writing)
    for (const line of bugsIn(muster.log())) wrongs.unless(false, line)
    await muster.stop()
    if (i % 50 === 49) trial.say(`  ${on}: ${i + 1} kills, ${ledger.done} writes, ${repeated} repeated`)
  }
  const muster = await startMuster(place)
  const ask = asker(muster.port, place.key)
  await ledger.again(ask)
  const rows = await ledger.check(ask, wrongs, { whole: true })
  const doctor = spawnSync(process.execPath, ['src/cli/main.ts', 'doctor', '--all', '--json'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...place.settings },
    encoding: 'utf8',
  })
  const broken = checksOf(doctor.stdout).filter(({ check, state }) => state === 'bad' && check !== 'port')
  wrongs.unless(broken.length === 0, `doctor --all: ${JSON.stringify(broken)}`)
  await muster.stop()
  const [median, p99, most] = [0.5, 0.99, 1].map((share) => Math.round(percentile(starts, share))) as [
    number,
    number,
    number,
  ]
  wrongs.unless(median < START_MS, `a start takes ${median} ms (median)`)
  const slow = starts.filter((ms) => ms >= START_MS).length
  const told = `${ledger.done} acknowledged writes and ${repeated} repeated ones, all there once; start in ${median} ms (median), ${p99} ms (p99), ${most} ms (most)${slow > 0 ? `, ${slow} of them above 2 s` : ''}`
  return wrongs.seen(on, `${starts.length} times \`kill -9\` under load, ${WRITERS} writers`, told, {
    kills: starts.length,
    acknowledged: ledger.done,
    repeated,
    rows,
    start_median_ms: median,
    start_p99_ms: p99,
    start_most_ms: most,
    starts_above_2s: slow,
  })
}

function checksOf(printed: string): { check: string; state: string; says: string }[] {
  try {
    return JSON.parse(printed).checks
  } catch {
    return [{ check: 'doctor', state: 'bad', says: printed.slice(0, 300) }]
  }
}
