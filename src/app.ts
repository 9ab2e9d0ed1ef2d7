import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config'
import type { RecordType } from '#fields'
import { createLog } from '#log'
import { RoutingServer } from '#maps/routing-server'
import { addGauges } from '#metrics/gauges'
import { Metrics } from '#metrics/metrics'
import { records as ourRecords } from '#records'
import { subresources } from '#records/subresources'
import type { AtomicBatch } from '#rules/atomic-batch'
import { rules as ourRules } from '#rules/index'
import { Mutations } from '#rules/mutations'
import type { Rules } from '#rules/rule'
import { TelemetryBatches } from '#rules/telemetry'
import { noRoads, type Roads } from '#rules/travel'
import { BodyBudget } from '#server/http/body-budget'
import type { Identity } from '#server/http/identify'
import { RequestLimit } from '#server/http/request-limit'
import { ResponseCache } from '#server/http/response-cache'
import { matcher, type Route, routesOf } from '#server/http/router'
import { WorkBudget } from '#server/http/work-budget'
import { accountRoute } from '#server/routes/account'
import { batchRoute } from '#server/routes/batch'
import { callRoutes } from '#server/routes/calls'
import { candidateRoutes } from '#server/routes/candidates'
import { conflictRoutes } from '#server/routes/conflicts'
import { eventRoutes } from '#server/routes/events'
import { imageRoutes } from '#server/routes/files'
import { historyRoutes } from '#server/routes/history'
import { jobItemRoutes } from '#server/routes/job-items'
import { markRoutes } from '#server/routes/marks'
import { noticeRoutes } from '#server/routes/notices'
import { placeRoute } from '#server/routes/places'
import { preferenceRoute } from '#server/routes/preferences'
import { publicationRoute } from '#server/routes/publications'
import { pushRoutes } from '#server/routes/push'
import { secondFactorRoutes } from '#server/routes/second-factor'
import { sessionRoutes } from '#server/routes/sessions'
import { shiftRoute } from '#server/routes/shift'
import { signInLinkRoutes } from '#server/routes/sign-in-links'
import { subresourceRoutes } from '#server/routes/subresources'
import { syncRoute } from '#server/routes/sync'
import { telemetryRoutes } from '#server/routes/telemetry'
import { transferRoutes } from '#server/routes/transfer'
import { uploadRoutes } from '#server/routes/uploads'
import * as verbs from '#server/routes/verbs'
import { webhookRoutes } from '#server/routes/webhooks'
import { type Blobs, openBlobs } from '#store/blobs'
import { copyInto } from '#store/copy'
import { appliedMigrations, type Migration, migrate } from '#store/migrate'
import { migrations as ourMigrations } from '#store/migrations/index'
import { databaseFile, openDatabase } from '#store/open'
import { Store } from '#store/store'
import { readLastVerifiedBackup, type VerifiedBackup } from '#store/verified-backup'
import { autoConfirm } from '#tasks/auto-confirm'
import { backOnShift } from '#tasks/back-on-shift'
import { WebhookDeliveries } from '#tasks/deliver-webhooks'
import { KeyUsage } from '#tasks/key-usage'
import { SignInMails } from '#tasks/mail-sign-in-links'
import { createPoster } from '#tasks/post-webhook'
import { purgeExpired } from '#tasks/purge-expired'
import { purgeTelemetry } from '#tasks/purge-telemetry'
import { Notices } from '#tasks/send-notices'
import { sweepLeftovers } from '#tasks/sweep-leftovers'

/** What a server, a command or a test works with, once it is open. */
export interface App {
  config: Config
  log: Logger
  records: RecordType[]
  store: Store
  routes: Route[]
  match: ReturnType<typeof matcher>
  mutations: Mutations
  telemetry: TelemetryBatches
  blobs: Blobs
  keyUsage: KeyUsage
  metrics: Metrics
  /** Ways by road, where the operator named a routing server. */
  roads: Roads
  bodyBudget: BodyBudget
  work: WorkBudget
  responseCache: ResponseCache
  /** Those who asked before, by their keys and cookies. */
  identities: Map<string, Identity>
  /** The same store and door for `work` alone; whatever it writes is undone at its end. */
  dryRun<T>(account: number, work: (parts: { store: Store; mutations: Mutations }) => Promise<T>): Promise<T>
  /** The same for several writes that are kept together or not at all. `actIn` makes the door of an atomic batch. */
  together<T>(account: number, work: (store: Store, actIn: (batch: AtomicBatch) => Mutations) => Promise<T>): Promise<T>
  requestLimit: RequestLimit | null
  webhooks: WebhookDeliveries
  signInMails: SignInMails
  notices: Notices
  /** What was done to the database at this start. */
  migrated: { names: string[]; sentences: string[] }
  /** Set when the server is to end: it answers, and asks each client not to come back on the same connection. */
  draining: boolean
  /** Set when the server takes nothing new. */
  stopping: boolean
  /** Ends the answers that would go on. */
  closing: AbortController
  /**
   * What must hold for requests to be answered; a sentence for each thing that doesn't, which anybody may read. The log
   * tells more.
   */
  findBlockers(): Promise<string[]>
  /** The same of what only some requests need. */
  findDegradations(): Promise<string[]>
  /** The newest backup that was restored in a trial and found whole; null where there is none. */
  lastVerifiedBackup(): Promise<VerifiedBackup | null>
  /** What happens later and on the side, once the server listens: a command that opens the same data does none of it. */
  startTasks(): void
  close(): Promise<void>
}

/** Room on the disk below which the server says that it isn't ready. */
const MIN_FREE_BYTES = 50 * 1024 * 1024

/** Everything that is kept and every rule of it; tests add a record of their own. */
export interface Definitions {
  records: RecordType[]
  rules: Rules
  migrations: Migration[]
}
const defaultDefinitions: Definitions = { records: ourRecords, rules: ourRules, migrations: ourMigrations }

/**
 * The only place where the parts meet: opens the database, migrates it, and puts rules and routes on it. `number` is
 * that of this process where there are several.
 */
export async function createApp(
  config: Config,
  { records, rules, migrations }: Definitions = defaultDefinitions,
  number?: number,
): Promise<App> {
  const log = createLog(config.MUSTER_LOG_LEVEL, number)
  const metrics = new Metrics()
  const database = openDatabase(config, {
    observer: {
      committed: (writes, ms) => metrics.recordCommit(writes, ms),
      ran({ name = 'unnamed' }, ms) {
        if (ms < config.MUSTER_SLOW_STATEMENT_MS) return
        metrics.countSlowStatement()
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
  const keyUsage = new KeyUsage(store)
  const user = store.statements.record('user')
  const recordRoutes = routesOf(records, verbs)
  const routes = [
    ...recordRoutes,
    ...historyRoutes(recordRoutes),
    ...subresourceRoutes(subresources),
    ...candidateRoutes(),
    placeRoute(),
    ...jobItemRoutes(),
    ...conflictRoutes(),
    publicationRoute(),
    ...noticeRoutes(),
    ...pushRoutes(),
    syncRoute(),
    ...eventRoutes(),
    ...webhookRoutes(),
    batchRoute(),
    ...callRoutes(),
    ...sessionRoutes(),
    ...secondFactorRoutes(),
    ...signInLinkRoutes(),
    preferenceRoute(),
    ...imageRoutes(),
    ...uploadRoutes(),
    ...telemetryRoutes(user),
    shiftRoute(),
    accountRoute(store.statements.record('account')),
    ...markRoutes(),
    ...transferRoutes(),
  ]
  const roads = config.MUSTER_OSRM_URL ? new RoutingServer(config.MUSTER_OSRM_URL, log) : noRoads
  const means = { privateWebhooks: config.MUSTER_WEBHOOK_PRIVATE, roads }
  const mutations = new Mutations(store, rules, means)
  const post = createPoster(config.MUSTER_WEBHOOK_PRIVATE)
  const webhooks = new WebhookDeliveries({ store, mutations, log }, { post, now: Date.now, random: Math.random })
  // Most servers send no mail: a start does without the package.
  const sendMail = config.MUSTER_SMTP_URL ? (await import('#tasks/mailer')).mailer(config) : null
  const signInMails = new SignInMails({ store, log, config }, sendMail)
  const notices = new Notices({ store, mutations, log, config }, { post, sendMail, now: Date.now })
  const tasks = [autoConfirm, backOnShift, purgeExpired, purgeTelemetry]
  let stops: (() => void)[] = []

  const lastVerifiedBackup = () => readLastVerifiedBackup(config.MUSTER_DATA_DIR)
  addGauges(metrics, { records, store, lastVerifiedBackup })
  const warn = (err: unknown, sentence: string) => {
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
    mutations,
    telemetry: new TelemetryBatches(store),
    blobs,
    keyUsage,
    metrics,
    roads,
    bodyBudget: new BodyBudget(),
    work: new WorkBudget(log, metrics),
    responseCache: new ResponseCache(),
    identities: new Map(),
    dryRun: <T>(account: number, work: (parts: { store: Store; mutations: Mutations }) => Promise<T>): Promise<T> =>
      store.dryRun(account, (inside) => work({ store: inside, mutations: new Mutations(inside, rules, means) })),
    /** The same for several writes that are kept together or not at all. `actIn` makes the door of an atomic batch. */
    together: async <T>(
      account: number,
      work: (store: Store, actIn: (batch: AtomicBatch) => Mutations) => Promise<T>,
    ): Promise<T> => {
      const done = await store.together(account, (inside) =>
        work(inside, (batch) => new Mutations(inside, rules, means, batch)),
      )
      database.notify(account)
      return done
    },
    requestLimit:
      config.MUSTER_REQUESTS_PER_MINUTE > 0
        ? new RequestLimit(store, config.MUSTER_REQUESTS_PER_MINUTE, (err) => warn(err, 'could not share counts'))
        : null,
    webhooks,
    signInMails,
    notices,
    migrated: { names, sentences },
    draining: false,
    stopping: false,
    closing: new AbortController(),

    async findBlockers(): Promise<string[]> {
      const done = await appliedMigrations(database).catch((err) => warn(err, 'The database does not answer'))
      const missing =
        typeof done === 'string'
          ? [done]
          : migrations.filter(({ name }) => !done.includes(name)).map(({ name }) => `The migration ${name} is missing`)
      const full = await isFull(config.MUSTER_DATA_DIR).catch((err) => warn(err, "The data folder can't be written"))
      return [...missing, ...(full ? [full] : [])]
    },

    async findDegradations(): Promise<string[]> {
      const away = await blobs
        .checkReachable()
        .catch((err) => warn(err, 'The store of files does not answer: photos are 503'))
      return away ? [away] : []
    },

    lastVerifiedBackup,

    startTasks(): void {
      webhooks.start()
      signInMails.start()
      sweepLeftovers({ config, blobs }, databaseFile(config)).then(
        (swept) => swept.length > 0 && log.info({ swept }, 'removed what a kill had left half done'),
        (err) => warn(err, 'could not remove what a kill had left'),
      )
      notices.start()
      stops = tasks.map((start) => start({ config, store, mutations, log }))
    },

    async close(): Promise<void> {
      for (const stop of stops) stop()
      await webhooks.stop()
      await signInMails.stop()
      await notices.stop()
      await keyUsage.stop().catch(() => {})
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
  return bavail * bsize < MIN_FREE_BYTES ? 'The disk of the data folder has less than 50 MB left' : null
}
