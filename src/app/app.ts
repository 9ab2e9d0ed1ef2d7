import type { Logger } from 'pino'
import type { Config } from '#config'
import type { RecordType } from '#fields'
import type { Metrics } from '#metrics/metrics'
import type { AtomicBatch } from '#rules/atomic-batch'
import type { Mutations } from '#rules/mutations'
import type { Quotas } from '#rules/quotas'
import type { TelemetryBatches } from '#rules/telemetry'
import type { Roads } from '#rules/travel'
import type { BodyBudget } from '#server/http/body-budget'
import type { KnownIdentity } from '#server/http/identify'
import type { RequestLimit } from '#server/http/request-limit'
import type { ResponseCache } from '#server/http/response-cache'
import type { matcher, Route } from '#server/http/router'
import type { WorkBudget } from '#server/http/work-budget'
import type { LatestPoints } from '#server/live/latest-points'
import type { Presences } from '#server/live/presences'
import type { KnownBackup } from '#store/backup-folder'
import type { Blobs } from '#store/blobs'
import type { MapFolder } from '#store/maps/map-folder'
import type { Store } from '#store/store'
import type { Thumbnails } from '#store/thumbnails'
import type { VerifiedBackup } from '#store/verified-backup'
import type { WebhookDeliveries } from '#tasks/deliver-webhooks'
import type { KeyUsage } from '#tasks/key-usage'
import type { SignInMails } from '#tasks/mail-sign-in-links'
import type { Notices } from '#tasks/send-notices'

/** What a server, a command or a test works with, once it is open. */
export interface App extends Core, Serving, Readiness, Background {
  /** What was done to the database at this start. */
  migrated: { names: string[]; sentences: string[] }
  close(): Promise<void>
}

/** What is kept, and the doors to it. */
export interface Core {
  config: Config
  log: Logger
  records: RecordType[]
  store: Store
  mutations: Mutations
  /** The same store and door for `work` alone; whatever it writes is undone at its end. */
  dryRun<T>(account: number, work: (parts: { store: Store; mutations: Mutations }) => Promise<T>): Promise<T>
  /** The same for several writes that are kept together or not at all. `actIn` makes the door of an atomic batch. */
  together<T>(account: number, work: (store: Store, actIn: (batch: AtomicBatch) => Mutations) => Promise<T>): Promise<T>
  telemetry: TelemetryBatches
  /** What one account may keep. */
  quotas: Quotas
  blobs: Blobs
  thumbnails: Thumbnails
  maps: MapFolder
  keyUsage: KeyUsage
  metrics: Metrics
  /** Ways by road, where the operator named a routing server. */
  roads: Roads
  /** The newest backup that was restored in a trial and found whole; null where there is none. */
  lastVerifiedBackup(): Promise<VerifiedBackup | null>
  /** The backups of all accounts together, the newest first. */
  backups(): Promise<KnownBackup[]>
}

/** What requests are answered with. */
export interface Serving {
  routes: Route[]
  match: ReturnType<typeof matcher>
  bodyBudget: BodyBudget
  work: WorkBudget
  responseCache: ResponseCache
  /** Those who asked before, by their keys and cookies. */
  identities: Map<string, KnownIdentity>
  requestLimits: RequestLimit[]
  /** Who looks at what. */
  presences: Presences
  /** Where workers are, for who follows them. */
  latestPoints: LatestPoints
  /** Set when the server is to end: it answers, and asks each client not to come back on the same connection. */
  draining: boolean
  /** Set when the server takes nothing new. */
  stopping: boolean
  /** Ends the answers that would go on. */
  closing: AbortController
}

/** What is said of a server by whoever may ask it. The log tells more. */
export interface Readiness {
  /** What must hold for requests to be answered: a sentence for each thing that doesn't. */
  findBlockers(): Promise<string[]>
  /** The same of what only some requests need, and of what is done without for a while. */
  findDegradations(): Promise<string[]>
}

/** What happens later and on the side: a server does it once it listens, a command that opens the same data does none of it. */
export interface Background {
  webhooks: WebhookDeliveries
  signInMails: SignInMails
  notices: Notices
  startTasks(): void
  /** Lets what is under way come to its end. */
  stopTasks(): Promise<void>
}
