import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config'
import { createLog } from '#log'
import { readLastVerifiedBackup } from '#store/verified-backup'
import { backUpDaily } from '#tasks/back-up'
import { FiguresOfAll, type OfFigures } from './figures.ts'

/** What a process says once it listens. */
export interface Serving {
  address: string
}
/** What it is told: others have taken its place, or all of them are to end. */
export type Order = 'replaced' | 'stop'

const [FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS] = [500, 30_000]
/** Who has lived so long has not died of its start. */
const HEALTHY_MS = 60_000
/** A process that was told to end gets this long beside its own limit. */
const PATIENCE_MS = 35_000

/**
 * Runs several processes on one listening socket, and another for each that dies. SIGHUP replaces them one by one:
 * each goes when its successor listens. SIGTERM and SIGINT end them all; a second one doesn't wait. Answers when all
 * have ended.
 */
export async function runProcesses(count: number, config: Config): Promise<void> {
  const log = createLog(config.MUSTER_LOG_LEVEL)
  const workers = new Map<number, Worker>()
  const diedAtOnce = new Map<number, number>()
  let stopping = false
  let replacing: Promise<void> | null = null
  const figures = new FiguresOfAll(log)
  let stopBackups = () => {}

  const stop = () => {
    if (stopping) for (const worker of all()) worker.process.kill('SIGKILL')
    stopping = true
    stopBackups()
    for (const worker of all()) order(worker, 'stop')
    cluster.emit('exit')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    replacing ??= replaceAll().finally(() => {
      replacing = null
    })
  })

  // The first alone: it migrates, and makes the first account.
  const { address } = await start(1)
  await Promise.all(Array.from({ length: count - 1 }, (_, i) => start(i + 2)))
  stopBackups = backUpDaily(stopping ? null : config.MUSTER_BACKUP_AT, log, () =>
    readLastVerifiedBackup(config.MUSTER_DATA_DIR),
  )
  if (!stopping) process.stdout.write(`Muster serves on ${address} with ${count} processes\n`)
  while (!stopping || all().some((worker) => !worker.isDead())) await once(cluster, 'exit')
  await replacing

  /** Puts a new process in a place. @throws when it ends before it listens */
  async function start(place: number): Promise<Serving> {
    const worker = cluster.fork()
    const startedAt = Date.now()
    const serving = await Promise.race([
      new Promise<Serving>((resolve) => {
        worker.on('message', (said: Serving | OfFigures) => 'address' in said && resolve(said))
      }),
      once(worker, 'exit').then(() => null),
    ])
    if (serving === null) {
      if (stopping) return { address: '' }
      throw new ProcessEnded(worker.process.exitCode)
    }
    figures.follow(worker)
    log.info({ process: worker.id, pid: worker.process.pid }, 'a process serves')
    // Before it listened it would not have heard.
    if (stopping) order(worker, 'stop')
    workers.set(place, worker)
    worker.once('exit', (code, signal) => {
      if (workers.get(place) !== worker) return
      workers.delete(place)
      if (stopping) return
      log.warn({ process: worker.id, pid: worker.process.pid, code, signal }, 'a process died')
      if (Date.now() - startedAt > HEALTHY_MS) diedAtOnce.delete(place)
      void revive(place)
    })
    return serving
  }

  async function revive(place: number): Promise<void> {
    const times = diedAtOnce.get(place) ?? 0
    diedAtOnce.set(place, times + 1)
    await sleep(Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** times))
    if (stopping || workers.has(place)) return
    await start(place).catch(() => revive(place))
  }

  async function replaceAll(): Promise<void> {
    for (const [place, old] of [...workers]) {
      if (stopping) return
      try {
        await start(place)
      } catch {
        return log.error('a new process did not start: those that run go on')
      }
      const patience = setTimeout(() => old.process.kill('SIGKILL'), PATIENCE_MS)
      if (!old.isDead()) {
        const ended = once(old, 'exit')
        order(old, 'replaced')
        await ended
      }
      clearTimeout(patience)
    }
    log.info('all processes were replaced')
  }
}

/** A process ended before it listened, and has said why. */
export class ProcessEnded extends Error {
  readonly code: number
  constructor(code: number | null) {
    super('a process did not start')
    this.code = code || 1
  }
}

const all = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function order(worker: Worker, what: Order) {
  if (worker.isConnected()) worker.send(what, () => {})
}
