import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { isoNow } from '#call'
import type { Config } from '#config'
import type { RecordType } from '#fields'
import { autoConfirm } from '#jobs/auto-confirm'
import { backOnShift } from '#jobs/back-on-shift'
import { WebhookDeliveries } from '#jobs/deliver-webhooks'
import { forgetOld } from '#jobs/forget-old'
import { forgetTelemetry } from '#jobs/forget-telemetry'
import { KeyUse } from '#jobs/key-use'
import { poster } from '#jobs/post-outside'
import { standardOutput } from '#log'
import { gauges } from '#metrics/gauges'
import { Metrics } from '#metrics/metrics'
import { records as ourRecords } from '#records'
import { nouns } from '#records/nouns'
import { Act } from '#rules/act'
import { rules as ourRules } from '#rules/index'
import type { Rules } from '#rules/rule'
import { Tracks } from '#rules/telemetry'
import { accountRoute } from '#server/account'
import { Bodies } from '#server/bodies'
import { candidateRoute } from '#server/candidates'
import { eventRoutes } from '#server/events'
import { imageRoutes } from '#server/files'
import { historyRoutes } from '#server/history'
import type { Known } from '#server/identify'
import { markRoutes } from '#server/marks'
import { nounRoutes } from '#server/nouns'
import { Remembered } from '#server/remembered'
import { replayRoute } from '#server/replay'
import { RequestLimit } from '#server/request-limit'
import { matcher, routesOf } from '#server/routes'
import { sessionRoutes } from '#server/sessions'
import { shiftRoute } from '#server/shift'
import { telemetryRoutes } from '#server/telemetry'
import { transferRoutes } from '#server/transfer'
import { uploadRoutes } from '#server/uploads'
import * as verbs from '#server/verbs'
import { openBlobs } from '#store/blobs'
import { copyInto } from '#store/copy'
import { applied, type Migration, migrate } from '#store/migrate'
import { migrations as ourMigrations } from '#store/migrations/index'
import { databaseFile, openDatabase } from '#store/open'
import { lastProven } from '#store/proven'
import { Store } from '#store/store'

export type App = Awaited<ReturnType<typeof createApp>>

/** Room on the disk below which the server says that it isn't ready. */
const LEAST_FREE_BYTES = 50 * 1024 * 1024

/** Everything that is kept and every rule of it; tests add a record of their own. */
export interface House {
  records: RecordType[]
  rules: Rules
  migrations: Migration[]
}
const ours: House = { records: ourRecords, rules: ourRules, migrations: ourMigrations }

/**
 * The only place where the parts meet: opens the database, migrates it, and puts rules and routes on it. `number` is
 * that of this process where there are several.
 */
export async function createApp(config: Config, { records, rules, migrations }: House = ours, number?: number) {
  const base = number === undefined ? null : { process: number }
  const log = pino({ level: config.MUSTER_LOG_LEVEL, base, timestamp: () => `,"time":"${isoNow()}"` }, standardOutput)
  const metrics = new Metrics()
  const database = openDatabase(config, {
    watch: {
      committed: (writes, ms) => metrics.committed(writes, ms),
      ran({ name = 'unnamed' }, ms) {
        if (ms < config.MUSTER_SLOW_STATEMENT_MS) return
        metrics.slowStatement()
        log.warn({ statement: name, ms: Math.round(ms) }, 'slow statement')
      },
    },
  })
  const sentences: string[] = []
  const names = await migrate(database, migrations, {
    log(sentence) {
      sentences.push(sentence)
      log.info(sentence)
    },
    async copy(before) {
      const beside = databaseFile(config) ?? join(config.MUSTER_DATA_DIR, 'muster.db')
      const file = `${beside}.before-${before}-${Date.now()}`
      await copyInto(database, file, migrations)
      return file
    },
  })
  const store = new Store(database, records)
  const blobs = openBlobs(config, (err) => log.warn({ err }, 'the store of files can not be used'))
  const keyUse = new KeyUse(store)
  const job = store.statements.record('job')
  const user = store.statements.record('user')
  const own = routesOf(records, verbs)
  const routes = [
    ...own,
    ...historyRoutes(own),
    ...nounRoutes(job, nouns),
    candidateRoute(job),
    ...eventRoutes(),
    replayRoute(),
    ...sessionRoutes(),
    ...imageRoutes(records),
    ...uploadRoutes(records),
    ...telemetryRoutes(user),
    shiftRoute(user),
    accountRoute(store.statements.record('account')),
    ...markRoutes(store.statements.record('message')),
    ...transferRoutes(),
  ]
  const act = new Act(store, rules)
  const webhooks = new WebhookDeliveries(
    { store, act, log },
    { post: poster(config.MUSTER_WEBHOOK_PRIVATE), now: Date.now, random: Math.random },
  )
  const jobs = [autoConfirm, backOnShift, forgetOld, forgetTelemetry]
  let stops: (() => void)[] = []

  const lastProvenBackup = () => lastProven(config.MUSTER_DATA_DIR)
  gauges(metrics, { records, store, lastProvenBackup })
  const tell = (err: unknown, sentence: string) => {
    log.warn({ err }, sentence)
    return sentence
  }

  return {
    config,
    log,
    records,
    store,
    routes,
    match: matcher(routes),
    act,
    tracks: new Tracks(store, user),
    blobs,
    keyUse,
    metrics,
    bodies: new Bodies(),
    remembered: new Remembered(),
    /** Those who asked before, by their keys and cookies. */
    known: new Map<string, Known>(),
    /** The same store and door for `work` alone; whatever it writes is undone at its end. */
    rehearse: <T>(account: number, work: (parts: { store: Store; act: Act }) => Promise<T>): Promise<T> =>
      store.rehearse(account, (inside) => work({ store: inside, act: new Act(inside, rules) })),
    requestLimit:
      config.MUSTER_REQUESTS_PER_MINUTE > 0
        ? new RequestLimit(store, config.MUSTER_REQUESTS_PER_MINUTE, (err) => tell(err, 'could not share counts'))
        : null,
    webhooks,
    /** What was done to the database at this start. */
    migrated: { names, sentences },
    /** Set when the server is to end: it answers, and asks each client not to come back on the same connection. */
    draining: false,
    /** Set when the server takes nothing new. */
    stopping: false,
    /** Ends the answers that would go on. */
    closing: new AbortController(),

    /**
     * What must hold for requests to be answered; a sentence for each thing that doesn't, which anybody may read. The
     * log tells more.
     */
    async unready(): Promise<string[]> {
      const done = await applied(database).catch((err) => tell(err, 'The database does not answer'))
      const missing =
        typeof done === 'string'
          ? [done]
          : migrations.filter(({ name }) => !done.includes(name)).map(({ name }) => `The migration ${name} is missing`)
      const full = await isFull(config.MUSTER_DATA_DIR).catch((err) => tell(err, "The data folder can't be written"))
      return [...missing, ...(full ? [full] : [])]
    },

    /** The same of what only some requests need. */
    async limping(): Promise<string[]> {
      const away = await blobs.reach().catch((err) => tell(err, 'The store of files does not answer: photos are 503'))
      return away ? [away] : []
    },

    /** The newest backup that was restored in a trial and found whole; null where there is none. */
    lastProvenBackup,

    /** What happens later and on the side, once the server listens: a command that opens the same data does none of it. */
    startJobs(): void {
      webhooks.start()
      stops = jobs.map((start) => start({ config, store, act, log }))
    },

    async close(): Promise<void> {
      for (const stop of stops) stop()
      await webhooks.stop()
      await keyUse.stop().catch(() => {})
      await database.close()
    },
  }
}

/** Whether there is too little room, in a sentence. @throws when the folder can't be written */
async function isFull(folder: string): Promise<string | null> {
  const probe = join(folder, '.ready')
  await writeFile(probe, '')
  await rm(probe, { force: true })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < LEAST_FREE_BYTES ? 'The disk of the data folder has less than 50 MB left' : null
}
