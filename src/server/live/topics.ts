import type { App } from '#app'
import type { Call } from '#call'
import { jsonOf } from '#formats/json'
import { presence } from '#records/presence'
import { lastPoint } from '#records/telemetry'
import { user } from '#records/user'
import { may, printingTo } from '#rules/abilities'
import { visiblePresences } from '#rules/presences'
import { lastPoints } from '#rules/telemetry'
import { isRestricted } from '#rules/visible-events'
import { reachOf, shareInFlight } from '../routes/event-pages.ts'
import { followRows, type LiveTopic, messageOf } from './follow-rows.ts'

/** What a stream may tell beside the journal, by the name under which it is asked for and told. */
export const liveTopics: { [name: string]: (app: App) => LiveTopic } = {
  presence: (app) => ({
    onChange: (listener) => app.presences.onChange(listener),
    follow: () =>
      followRows(
        'presence',
        async (call) => {
          const { account } = call.actor
          // What is seen of others' may change with every write.
          const place = isRestricted(call.actor) ? await app.store.position(account.id) : ''
          return `${account.id} ${account.updated_at} ${app.presences.version(account.id)} ${place} ${reachOf(call, true)}`
        },
        // What is their own, such as a view, nobody else is told.
        (call, key) => shareInFlight(app, `presences ${key}`, () => presencesFor(app, call)),
      ),
  }),
  telemetry: (app) => ({
    onChange: (listener) => app.latestPoints.onChange(listener),
    follow() {
      let version: number | null = null
      return async (call) => {
        const from = version
        version = app.latestPoints.version
        const { id: account } = call.actor.account
        if (from === version) return null
        const key = `telemetry ${account} ${from} ${version} ${reachOf(call)}`
        const rows = await shareInFlight(app, key, () => pointsFor(app, call, from))
        return from === null || rows.length > 0 ? messageOf('telemetry', from === null, rows) : null
      }
    },
  }),
}

/** Where those are who moved after a version; all of them where there is none. */
async function pointsFor(app: App, call: Call, version: number | null) {
  const moved = version === null ? null : new Map(app.latestPoints.after(call.actor.account.id, version))
  if (moved?.size === 0) return []
  const rows = await lastPoints(call, moved && [...moved.keys()])
  const print = jsonOf(lastPoint)
  return rows.map((row) => ({
    id: row.id,
    text: JSON.stringify(print({ ...row, ...moved?.get(row.id) }, printingTo(call.actor, user))),
  }))
}

async function presencesFor(app: App, call: Call) {
  if (!may(call.actor, presence, 'read')) return []
  const all = app.presences.of(call.actor.account.id)
  const rows = await visiblePresences(call, (name) => app.records.find((record) => record.name === name), all)
  const print = jsonOf(presence)
  return rows.map((row) => ({ id: row.id, text: JSON.stringify(print(row, printingTo(call.actor, presence))) }))
}
