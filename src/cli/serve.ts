import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { App } from '#app'
import type { Config } from '#config'
import { codeOf, messageOf, Problem } from '#problem'
import { databaseFile } from '#store/open'
import { createAccount } from './accounts.ts'
import { refuseDamaged } from './damage.ts'
import { makeDataFolder } from './data-folder.ts'
import { type AboutFigures, shareFigures } from './figures.ts'
import { lockDatabase } from './lock-database.ts'
import { type Order, runProcesses, type Serving } from './processes.ts'
import { startTls } from './serve-tls.ts'
import { UsageError, type Verb } from './verb.ts'

/** After a signal to stop, requests under way get this long. */
const STOP_MS = 25_000
const MAX_PROCESSES = 256

export const serve: Verb = {
  usage: '',
  about:
    'Run the server. Makes the data folder, an account, an admin and a key at the first start, and migrates at each.',
  options: {
    processes: {
      value: 'N',
      about: 'Serve with so many processes on one port; needs PostgreSQL. SIGHUP replaces them',
    },
  },
  words: [0, 0],
  async run({ config, flags }) {
    // Whoever reads what is printed may be gone, and its disk full: no reason not to serve.
    process.stdout.on('error', () => {})
    const count = processesOf(flags.processes, config)
    makeDataFolder(config)
    if (count > 1 && cluster.isPrimary) return runProcesses(count, config)
    try {
      await serveHere(config)
    } finally {
      // A process that has come to its end is held by nothing but this.
      cluster.worker?.disconnect()
    }
  },
}

/** @throws UsageError for what is no number, and for SQLite, which one process serves */
function processesOf(flag: string | boolean | undefined, config: Config): number {
  const count = Number(flag ?? 1)
  if (!Number.isInteger(count) || count < 1 || count > MAX_PROCESSES)
    throw new UsageError(`--processes must be a whole number from 1 to ${MAX_PROCESSES}`)
  if (count > 1 && databaseFile(config) !== null)
    throw new UsageError(
      'several processes need PostgreSQL: SQLite is served by one. Set MUSTER_DATABASE_URL to postgres://…, or leave --processes out',
    )
  return count
}

async function serveHere(config: Config): Promise<void> {
  const file = databaseFile(config)
  const taken = `another server runs on ${file}, and SQLite is served by one process: stop that one, or keep the records in PostgreSQL`
  const release = file === null ? () => {} : lockDatabase(file, taken)
  await refuseDamaged(config)
  const [{ createApp }, { createServer }, { drain }, { backUpDaily }] = await Promise.all([
    import('#app/create'),
    import('#server/server'),
    import('#server/http/drain'),
    import('#tasks/back-up'),
  ])
  const app = await createApp(config, undefined, cluster.worker?.id)
  const encryption = await startTls(app)
  const server = createServer(app, encryption?.certificate)
  encryption?.follow(server.server)
  const tellLastFigures = cluster.worker && shareFigures(cluster.worker, app.metrics, app.log)
  const stopped = stopOnOrders(app, (order) => drain(app, server, order === 'replaced'))
  try {
    await server.listen({ host: config.MUSTER_HOST, port: config.MUSTER_PORT })
  } catch (error) {
    await app.close()
    if (['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'].includes(codeOf(error)))
      throw new Problem(
        'unavailable',
        `can't listen there: ${messageOf(error)}; set MUSTER_HOST to an address of this machine`,
      )
    throw error
  }
  const address = addressOf(config, server.server.address() as AddressInfo, encryption ? 'https' : 'http')
  // Node keeps what it compiled when it ends; a server that is killed would compile it all again at every start.
  flushCompileCache()
  // Of several servers that start at once, one makes the account: who leads holds a lock, and the others make none.
  const first = (await app.store.database.isLeader()) && (await app.store.accountIds()).length === 0
  if (first) await welcome(app, address)
  if (cluster.worker) cluster.worker.send({ address } satisfies Serving)
  else process.stdout.write(`Muster serves on ${address}\n`)
  // Where there are several, the first of them does, which isn't replaced.
  const stopBackups = cluster.worker ? () => {} : backUpDaily(config.MUSTER_BACKUP_AT, app.log, app.lastVerifiedBackup)
  await stopped
  await tellLastFigures?.()
  await encryption?.stop()
  stopBackups()
  release()
}

/** The first start: something to sign in and to try with, shown once. */
async function welcome(app: App, address: string) {
  const made = await createAccount(app, 'My company', 'UTC', 'first start')
  process.stdout.write(`
Welcome to Muster. This is shown once; keep it.

  Office          ${address}
  Admin sign-in   ${made.admin_email}
  Admin password  ${made.admin_password}
  API key         ${made.api_key}

Open the office in a browser and sign in. Programs use the API (${address}/docs):

  curl --compressed -H 'Content-Type: application/xml; charset=utf-8' \\
    -d '<tag><name>Working at height</name><expires>true</expires></tag>' \\
    '${address}/v5/tags.xml?api_key=${made.api_key}'

`)
}

function addressOf(config: Config, { address, port, family }: AddressInfo, scheme: string): string {
  if (config.MUSTER_BASE_URL) return config.MUSTER_BASE_URL
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${scheme}://${host}:${port}`
}

/** SIGTERM and SIGINT: refuse what is new, finish what runs, close the database. A second signal doesn't wait. */
function stopOnOrders(app: App, drain: (order: Order) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = async (order: Order) => {
      await drain(order)
      await app.close()
      resolve()
    }
    const begin = (order: Order, patienceMs = STOP_MS + app.config.MUSTER_DRAIN_SECONDS * 1000) => {
      setTimeout(() => process.exit(1), patienceMs).unref()
      stop(order).catch(reject)
    }
    const { worker } = cluster
    if (worker) {
      // Terminals and service managers send signals to all processes; what counts is what the first of them orders.
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
      let ordered = false
      worker.on('message', (told: Order | AboutFigures) => {
        if (ordered || (told !== 'stop' && told !== 'replaced')) return
        ordered = true
        begin(told)
      })
      return
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (app.draining) process.exit(1)
        begin('stop')
      })
  })
}
