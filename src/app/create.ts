import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config'
import type { RecordType } from '#fields'
import { createLog } from '#log'
import { RoutingServer } from '#maps/routing-server'
import { Degradations, type ReportPart } from '#metrics/degradations'
import { addGauges } from '#metrics/gauges'
import { Metrics } from '#metrics/metrics'
import { records as ourRecords } from '#records'
import { rules as ourRules } from '#rules/index'
import { Mutations } from '#rules/mutations'
import { Quotas } from '#rules/quotas'
import type { Rules } from '#rules/rule'
import { TelemetryBatches } from '#rules/telemetry'
import { noRoads } from '#rules/travel'
import { BodyBudget } from '#server/http/body-budget'
import { RequestLimit } from '#server/http/request-limit'
import { ResponseCache } from '#server/http/response-cache'
import { matcher, type Route } from '#server/http/router'
import { WorkBudget } from '#server/http/work-budget'
import { LatestPoints } from '#server/live/latest-points'
import { Presences } from '#server/live/presences'
import { knownBackups } from '#store/backup-folder'
import { copyInto } from '#store/copy'
import type { Database } from '#store/database'
import { MapFolder } from '#store/maps/map-folder'
import { type Migration, migrate } from '#store/migrate'
import { migrations as ourMigrations } from '#store/migrations/index'
import { databaseFile, openDatabase } from '#store/open'
import { openBlobs } from '#store/open-blobs'
import { Store } from '#store/store'
import { Thumbnails } from '#store/thumbnails'
import { readLastVerifiedBackup } from '#store/verified-backup'
import { KeyUsage } from '#tasks/key-usage'
import type { App, Core, Serving } from './app.ts'
import { createBackground } from './background.ts'
import { createReadiness } from './readiness.ts'
import { allRoutes } from './routes.ts'

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
  const degradations = new Degradations(log)
  const metrics = new Metrics(degradations)
  const database = openObserved(config, log, metrics, degradations.report)
  const migrated = await migrateWithCopy(database, config, log, migrations)
  const store = new Store(database, records)
  const blobs = openBlobs(config, (err) => log.warn({ err }, 'the store of files can not be used'))
  const thumbnails = new Thumbnails(join(config.MUSTER_DATA_DIR, 'thumbnails'), (err) =>
    log.warn({ err }, 'could not keep a thumbnail'),
  )
  const maps = new MapFolder(join(config.MUSTER_DATA_DIR, 'maps'), (err, file) =>
    log.warn({ err, file }, 'a file of the folder of maps is no map'),
  )
  const files = { blobs, thumbnails, maps }
  const core = { ...createCore(config, log, store, rules, degradations.report), ...files, records, metrics }
  addGauges(metrics, core)
  const background = await createBackground(core)
  const serving = createServing(core, allRoutes(records, store))
  return {
    ...core,
    ...serving,
    ...createReadiness({ config, log, database, migrations, blobs, degradations }),
    ...background,
    migrated,
    async close() {
      serving.presences.stop()
      serving.latestPoints.stop()
      await background.stopTasks()
      await core.keyUsage.stop()
      maps.close()
      await database.close()
    },
  }
}

/** The database that the settings name; what takes long in it is told. */
function openObserved(config: Config, log: Logger, metrics: Metrics, reported: ReportPart): Database {
  return openDatabase(config, {
    observer: {
      committed: (writes, ms) => metrics.recordCommit(writes, ms),
      reported,
      ran({ name = 'unnamed' }, ms) {
        if (ms < config.MUSTER_SLOW_STATEMENT_MS) return
        metrics.countSlowStatement()
        log.warn({ statement: name, ms: Math.round(ms) }, 'slow statement')
      },
    },
  })
}

/** Brings the database up to date; what can't be taken back is copied before. */
async function migrateWithCopy(
  database: Database,
  config: Config,
  log: Logger,
  migrations: Migration[],
): Promise<App['migrated']> {
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
  return { names, sentences }
}

function createCore(config: Config, log: Logger, store: Store, rules: Rules, report: ReportPart) {
  const roads = config.MUSTER_OSRM_URL ? new RoutingServer(config.MUSTER_OSRM_URL, log) : noRoads
  const quotas = new Quotas(store, {
    records: config.MUSTER_RECORDS_PER_ACCOUNT,
    file_bytes: config.MUSTER_FILE_BYTES_PER_ACCOUNT,
  })
  const means = { privateWebhooks: config.MUSTER_WEBHOOK_PRIVATE, roads, quotas }
  // What is undone at its end fills nothing.
  const trying = { ...means, quotas: null }
  const lastVerifiedBackup = () => readLastVerifiedBackup(config.MUSTER_DATA_DIR)
  const core: Omit<Core, 'records' | 'blobs' | 'thumbnails' | 'maps' | 'metrics'> = {
    config,
    log,
    store,
    mutations: new Mutations(store, rules, means),
    dryRun: (account, work) =>
      store.dryRun(account, (inside) => work({ store: inside, mutations: new Mutations(inside, rules, trying) })),
    async together(account, work) {
      await quotas.refresh(account)
      const done = await store
        .together(account, (inside) => work(inside, (batch) => new Mutations(inside, rules, means, batch)))
        .catch((error) => {
          quotas.forget(account)
          throw error
        })
      store.database.notify(account)
      return done
    },
    telemetry: new TelemetryBatches(store),
    quotas,
    keyUsage: new KeyUsage(store, (failure) => report('key_usage', failure)),
    roads,
    lastVerifiedBackup,
    backups: async () => knownBackups(config, await lastVerifiedBackup()),
  }
  return core
}

function createServing({ config, log, store, metrics }: Core, routes: Route[]): Serving {
  const perMinute = {
    caller: config.MUSTER_REQUESTS_PER_MINUTE,
    account: config.MUSTER_REQUESTS_PER_MINUTE_OF_ACCOUNT,
  }
  const warn = (err: unknown) => log.warn({ err }, 'could not share counts of requests')
  return {
    routes,
    match: matcher(routes),
    bodyBudget: new BodyBudget(),
    work: new WorkBudget(log, metrics),
    responseCache: new ResponseCache(),
    identities: new Map(),
    requestLimits: (['caller', 'account'] as const).flatMap((reach) =>
      perMinute[reach] > 0 ? [new RequestLimit(store, perMinute[reach], reach, warn)] : [],
    ),
    presences: new Presences(store.database),
    latestPoints: new LatestPoints(store.database),
    draining: false,
    stopping: false,
    closing: new AbortController(),
  }
}
