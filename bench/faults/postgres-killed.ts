import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnPostgres } from '#test/postgres-server'
import { startMuster } from '../support/muster.ts'
import { asker } from './ask.ts'
import { type Fault, type Seen, type Trial, Wrongs } from './fault.ts'
import { bugsIn, type Home, onPostgres } from './places.ts'
import { postmaster, raise } from './postgres-process.ts'
import { Traffic } from './traffic.ts'

export const postgresKilled: Fault = {
  name: 'postgres-killed',
  promised:
    'When PostgreSQL is killed under load, no acknowledged write is lost or there twice; requests wait a little for it, then are told 503 with Retry-After; Muster goes on by itself once it is back.',
  async run(trial) {
    if (trial.only === 'sqlite') return []
    return [
      await onPostgres((home) => killed(trial, home, 'one of its processes, and it recovers by itself', killOne, 0)),
      await onPostgres((home) => killed(trial, home, 'all of it, back after half a second', killAll, 500)),
      await onPostgres((home) => killed(trial, home, 'all of it, back after six seconds', killAll, 6000)),
    ]
  },
}

async function killed(
  trial: Trial,
  home: Home,
  what: string,
  kill: (postgres: OwnPostgres) => void,
  awayMs: number,
): Promise<Seen> {
  const postgres = home.postgres as OwnPostgres
  const times = trial.times ?? (trial.quick ? 2 : awayMs > 1000 ? 5 : 20)
  const wrongs = new Wrongs()
  const traffic = new Traffic()
  const muster = await startMuster(home.place)
  const back: number[] = []
  try {
    traffic.start(muster, home)
    traffic.phase = 'killing'
    for (let i = 0; i < times; i++) {
      await sleep(500 + Math.random() * 500)
      kill(postgres)
      await sleep(awayMs)
      const began = performance.now()
      await raise(postgres)
      back.push(performance.now() - began + (await traffic.untilWritten(20_000)))
    }
    traffic.phase = 'after'
    await sleep(1500)
    await traffic.stop()
    const ask = asker(muster.port, home.place.key)
    const open = traffic.ledger.open.length
    await traffic.ledger.again(ask)
    await traffic.ledger.check(ask, wrongs, { whole: true })
    wrongs.unless(
      back.every((ms) => ms >= 0),
      'no write within twenty seconds of its return',
    )
    for (const sort of ['write', 'photo']) traffic.only(wrongs, 'killing', sort, [201, 200, 503])
    traffic.only(wrongs, 'killing', 'read', [200, 503])
    traffic.only(wrongs, 'after', 'write', [201, 200])
    traffic.only(wrongs, 'after', 'read', [200])
    for (const line of bugsIn(muster.log())) wrongs.unless(false, line)
    const backMs = Math.round(Math.max(...back))
    const longestMs = traffic.longest('killing', 'read')
    const seen = `writes ${traffic.told('killing', 'write', 'photo')}, reads ${traffic.told('killing', 'read')} (longest ${longestMs} ms); ${open} were told that nobody knows, and were asked again; ${traffic.ledger.done} acknowledged, all there once; writing again ${backMs} ms after it was started at most`
    return wrongs.seen(home.on, `${times} times \`kill -9\` of ${what}`, seen, {
      kills: times,
      acknowledged: traffic.ledger.done,
      repeated: open,
      back_most_ms: backMs,
      longest_read_ms: longestMs,
    })
  } finally {
    await traffic.stop()
    await muster.stop()
  }
}

/** Nothing of it is asked to end: its other processes see that the first is gone. */
function killAll(postgres: OwnPostgres) {
  const pid = postmaster(postgres)
  if (pid) process.kill(pid, 'SIGKILL')
}

/** One that serves a connection: PostgreSQL ends all others then, and recovers from its log. */
function killOne(postgres: OwnPostgres) {
  const pid = postmaster(postgres)
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
  const serving = children.split('\n').filter((line) => /postgres: postgres muster/.test(line))
  const one = serving[Math.floor(Math.random() * serving.length)]
  if (one) process.kill(Number.parseInt(one, 10), 'SIGKILL')
}
