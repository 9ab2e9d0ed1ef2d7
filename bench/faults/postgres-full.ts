import { setTimeout as sleep } from 'node:timers/promises'
import { startMuster } from '../support/muster.ts'
import { asker } from './ask.ts'
import { secondsOf } from './disk-full.ts'
import { type Seen, skipped, type Trial, Wrongs } from './fault.ts'
import { bugsIn, type Home, onPostgres, query } from './places.ts'
import { raise } from './postgres-process.ts'
import { type Disk, newDisk } from './room.ts'
import { Traffic } from './traffic.ts'

const DISK_MB = 400

/** The tables' disk full, which PostgreSQL survives; and that of its log, at which it gives up. */
export const postgresFull = async (trial: Trial): Promise<Seen[]> => [
  await onDisk(trial, 'the disk of the tables', (disk, work) => onPostgres(work, { tablespace: disk.folder }), [507]),
  await onDisk(trial, 'its only disk', (disk, work) => onPostgres(work, { on: { folder: disk.folder } }), [503, 507]),
]

type On = (disk: Disk, work: (home: Home) => Promise<Seen>) => Promise<Seen>

async function onDisk(trial: Trial, what: string, on: On, allowed: number[]): Promise<Seen> {
  const tried = `${what} is filled to the last byte for ${secondsOf(trial)} s under load`
  const disk = newDisk(DISK_MB)
  if (typeof disk === 'string') return skipped('PostgreSQL', tried, disk)
  try {
    return await on(disk, (home) => filled(trial, disk, home, tried, allowed))
  } finally {
    disk.remove()
  }
}

async function nextLog({ postgres }: Home) {
  for (let i = 0; i < 3; i++) await query(`${postgres?.url}/postgres`, 'select pg_switch_wal()').catch(() => {})
}

async function filled(trial: Trial, disk: Disk, home: Home, tried: string, allowed: number[]): Promise<Seen> {
  const wrongs = new Wrongs()
  const traffic = new Traffic()
  const muster = await startMuster(home.place)
  try {
    traffic.start(muster, home)
    await sleep(1500)
    traffic.phase = 'full'
    disk.fill()
    // It has files for its log in store; the next must be made.
    if (allowed.includes(503)) await nextLog(home)
    await sleep(secondsOf(trial) * 1000)
    traffic.phase = 'between'
    disk.empty()
    // Where it gave up, somebody starts it again, such as systemd.
    const began = performance.now()
    const ended = await raise(home.postgres)
    const backMs = Math.round(performance.now() - began + (await traffic.untilWritten(20_000)))
    wrongs.unless(backMs >= 0, 'no write within twenty seconds of room')
    traffic.phase = 'after'
    await sleep(1500)
    await traffic.stop()
    const ask = asker(muster.port, home.place.key)
    await traffic.ledger.again(ask)
    await traffic.ledger.check(ask, wrongs, { whole: true })
    // Until the pages that there are have no room left, it goes on; and deletes and small changes find some later too.
    traffic.only(wrongs, 'full', 'write', [201, 200, ...allowed])
    traffic.only(wrongs, 'full', 'photo', [201, ...allowed])
    traffic.only(wrongs, 'full', 'read', allowed.includes(503) ? [200, 503] : [200])
    traffic.only(wrongs, 'after', 'write', [201, 200])
    traffic.only(wrongs, 'after', 'photo', [201])
    traffic.only(wrongs, 'after', 'read', [200])
    wrongs.unless(/50[37]/.test(traffic.told('full', 'write')), 'the disk was not full')
    for (const line of bugsIn(muster.log())) wrongs.unless(false, line)
    const seen = `while full: writes ${traffic.told('full', 'write')}, photos ${traffic.told('full', 'photo')}, reads ${traffic.told('full', 'read')}; ${ended ? 'PostgreSQL gave up and was started again; ' : ''}the first write ${backMs} ms after there was room, Muster was not started again`
    return wrongs.seen(home.on, tried, seen, { back_ms: backMs, acknowledged: traffic.ledger.done })
  } finally {
    disk.empty()
    await traffic.stop()
    await muster.stop()
  }
}
