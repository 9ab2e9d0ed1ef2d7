import type { RecordType } from '#fields'
import { subresources } from '#records/subresources'
import { type Route, routesOf } from '#server/http/router'
import { accountRoute } from '#server/routes/account'
import { apiKeyRoutes } from '#server/routes/api-keys'
import { backupRoute } from '#server/routes/backups'
import { batchRoute } from '#server/routes/batch'
import { callRoutes } from '#server/routes/calls'
import { candidateRoutes } from '#server/routes/candidates'
import { conflictRoutes } from '#server/routes/conflicts'
import { deviceRoutes } from '#server/routes/devices'
import { eventRoutes } from '#server/routes/events'
import { imageRoutes } from '#server/routes/files'
import { historyRoutes } from '#server/routes/history'
import { jobItemRoutes } from '#server/routes/job-items'
import { mapRoutes } from '#server/routes/maps'
import { markRoutes } from '#server/routes/marks'
import { noticeRoutes } from '#server/routes/notices'
import { placeRoute } from '#server/routes/places'
import { preferenceRoute } from '#server/routes/preferences'
import { presenceRoutes } from '#server/routes/presences'
import { publicationRoute } from '#server/routes/publications'
import { pushRoutes } from '#server/routes/push'
import { readinessRoute } from '#server/routes/readiness'
import { reportRoutes } from '#server/routes/reports'
import { rescueRoutes } from '#server/routes/rescues'
import { secondFactorRoutes } from '#server/routes/second-factor'
import { sessionRoutes } from '#server/routes/sessions'
import { shiftRoute } from '#server/routes/shift'
import { signInLinkRoutes } from '#server/routes/sign-in-links'
import { subresourceRoutes } from '#server/routes/subresources'
import { suggestionRoute } from '#server/routes/suggestions'
import { syncRoute } from '#server/routes/sync'
import { telemetryRoutes } from '#server/routes/telemetry'
import { transferRoutes } from '#server/routes/transfer'
import { uploadRoutes } from '#server/routes/uploads'
import * as verbs from '#server/routes/verbs'
import { webhookRoutes } from '#server/routes/webhooks'
import type { Store } from '#store/store'

/** Every address there is: those that follow from the records, and those that are written by hand. */
export function allRoutes(records: RecordType[], { statements }: Store): Route[] {
  const recordRoutes = routesOf(records, verbs)
  const keyRoutes = apiKeyRoutes()
  return [
    ...recordRoutes,
    ...historyRoutes([...recordRoutes, ...keyRoutes]),
    ...subresourceRoutes(subresources),
    ...candidateRoutes(),
    suggestionRoute(),
    placeRoute(),
    ...jobItemRoutes(),
    ...conflictRoutes(),
    publicationRoute(),
    ...noticeRoutes(),
    ...pushRoutes(),
    ...deviceRoutes(),
    ...rescueRoutes(),
    syncRoute(),
    ...reportRoutes(),
    ...eventRoutes(),
    ...presenceRoutes(),
    ...webhookRoutes(),
    batchRoute(),
    ...callRoutes(),
    ...sessionRoutes(),
    ...secondFactorRoutes(),
    ...signInLinkRoutes(),
    preferenceRoute(),
    ...imageRoutes(),
    ...uploadRoutes(),
    ...telemetryRoutes(statements.record('user')),
    shiftRoute(),
    accountRoute(statements.record('account')),
    ...keyRoutes,
    backupRoute(),
    ...mapRoutes(),
    readinessRoute(),
    ...markRoutes(),
    ...transferRoutes(),
  ]
}
