import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Muster, startMuster } from '../support/muster.ts'
import { asker } from './ask.ts'
import { type Fault, type Seen, skipped, type Trial, Wrongs } from './fault.ts'
import { bugsIn, type Home, onSqlite } from './places.ts'
import { postgresFull } from './postgres-full.ts'
import { type Disk, newDisk } from './room.ts'
import { Traffic } from './traffic.ts'

const DISK_MB = 300

export const diskFull: Fault = {
  name: 'disk-full',
  promised:
    'On a full disk writes and uploads are refused with 507 and a sentence, what is there is still read, nothing acknowledged is lost, and all goes on without a restart once there is room. PostgreSQL gives up where its own log has none; until somebody starts it again, answers are 503 with Retry-After.',
  async run(trial) {
    const all: Seen[] = []
    if (trial.only !== 'postgres') {
      all.push(await onSmall(trial, 'its disk', (disk, home) => filled(trial, disk, home)))
      all.push(
        await onSmall(trial, 'its disk, with the log on the same', (disk, home) =>
          filled(trial, disk, home, join(disk.folder, 'log')),
        ),
      )
    }
    if (trial.only !== 'sqlite') all.push(...(await postgresFull(trial)))
    return all
  },
}

async function onSmall(trial: Trial, what: string, work: (disk: Disk, home: Home) => Promise<Omit<Seen, 'tried'>>) {
  const tried = `${what} is filled to the last byte for ${secondsOf(trial)} s under load`
  const disk = newDisk(DISK_MB)
  if (typeof disk === 'string') return skipped('SQLite', tried, disk)
  try {
    return {
      ...(await onSqlite((home) => work(disk, home), { MUSTER_DATA_DIR: disk.folder, MUSTER_LOG_LEVEL: 'info' })),
      tried,
    }
  } finally {
    disk.remove()
  }
}

async function filled(trial: Trial, disk: Disk, home: Home, logTo?: string): Promise<Seen> {
  const wrongs = new Wrongs()
  const traffic = new Traffic()
  const { place } = home
  let muster = await startMuster(place, logTo ? { logTo } : {})
  traffic.start(muster, home)
  await sleep(1500)
  disk.fill()
  await sleep(300)
  traffic.phase = 'full'
  await sleep(secondsOf(trial) * 1000)
  const ready = await asker(muster.port, null)('GET', '/readyz')
  wrongs.unless(ready.status === 503, `/readyz says ${ready.status}`)
  traffic.phase = 'between'
  disk.empty()
  const backMs = await traffic.untilWritten(10_000)
  wrongs.unless(backMs >= 0, 'no write within ten seconds of room')
  traffic.phase = 'after'
  await sleep(1500)
  await traffic.stop()
  await traffic.ledger.again(asker(muster.port, place.key))
  await traffic.ledger.check(asker(muster.port, place.key), wrongs, { whole: true })
  traffic.only(wrongs, 'before', 'write', [201, 200, 507])
  // What SQLite has of its log already may take a few more.
  traffic.only(wrongs, 'full', 'write', [200, 201, 507])
  wrongs.unless(traffic.told('full', 'write').includes('507'), 'the disk was not full')
  traffic.only(wrongs, 'full', 'photo', [507])
  traffic.only(wrongs, 'after', 'write', [201, 200])
  traffic.only(wrongs, 'after', 'photo', [201])
  for (const phase of ['before', 'full', 'between', 'after']) traffic.only(wrongs, phase, 'read', [200])
  for (const line of bugsIn(muster.log())) wrongs.unless(false, line)

  muster = await restarted(disk, muster, home, wrongs)
  await muster.stop()
  const seen = `while full: writes ${traffic.told('full', 'write')}, photos ${traffic.told('full', 'photo')}, reads ${traffic.told('full', 'read')}, /readyz ${ready.status}; the first write ${backMs} ms after there was room; started anew on a full disk it reads too`
  return wrongs.seen(home.on, '', seen, { back_ms: backMs, acknowledged: traffic.ledger.done })
}

/** Killed and started while the disk is full, it must at least show what there is. */
async function restarted(disk: Disk, muster: Muster, { place }: Home, wrongs: Wrongs): Promise<Muster> {
  disk.fill()
  await muster.stop('SIGKILL')
  const again = await startMuster(place, { unready: true })
  const ask = asker(again.port, place.key)
  const read = await ask('GET', '/v5/customers.json?per_page=5')
  wrongs.unless(read.status === 200, `started on a full disk, a read is ${read.status}: ${read.text.slice(0, 200)}`)
  const write = await ask('POST', '/v5/customers.json', { body: { customer: { name: 'In vain' } } })
  // SQLite may find a little room in the log that it has already.
  wrongs.unless([201, 507].includes(write.status), `started on a full disk, a write is ${write.status}`)
  disk.empty()
  const after = await ask('POST', '/v5/customers.json', { body: { customer: { name: 'With room' } } })
  wrongs.unless(after.status === 201, `started on a full disk that has room again, a write is ${after.status}`)
  return again
}

export const secondsOf = ({ quick }: Trial) => (quick ? 3 : 15)
