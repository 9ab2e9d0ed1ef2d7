import { fieldError, isUuid, validationError } from '#fields'
import { invalid, Problem } from '#problem'
import { device, reportFields } from '#records/device'
import { deviceOf, forgetSilent, reportedBy } from '#rules/devices'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { readFlag } from '../http/target.ts'
import { mutate } from './mutate.ts'
import { said, signedInPerson, wholeReader } from './people.ts'
import { find, print } from './row.ts'

/** What phones tell of themselves, and that the office asks one to sign out. (docs/api/devices.md) */
export const deviceRoutes = (): Route[] => [
  {
    path: '/session/current/device',
    record: { ...device, allow: { read: 'signed_in', write: 'signed_in' } },
    wireNames: device,
    userOnly: 'A device tells of itself as who is signed in on it: a key has none',
    alone: true,
    docs: {
      PUT: {
        id: 'reportDevice',
        about:
          'What the app on this device tells of itself. Where `sign_out_asked_at` is set in the answer, it signs out: it shows nothing more, hands in what waits, and ends its session.',
        body: { name: device.name, fields: reportFields },
        query: { dry_run: { type: 'boolean', description: 'Change nothing' } },
      },
    },
    methods: { PUT: put },
  },
  {
    path: '/devices/{id}/sign_out',
    record: device,
    wireNames: device,
    docs: {
      POST: {
        id: 'askSignOut',
        about: 'Asks the device to sign out as soon as it is heard; what waits on it is handed in first.',
        writes: ['dry_run', 'idempotency_key', 'if_match'],
      },
      DELETE: {
        id: 'withdrawSignOut',
        about: 'Takes that back, as long as it has not signed out.',
        writes: ['dry_run', 'idempotency_key', 'if_match'],
      },
    },
    methods: { POST: (request) => ask(request, true), DELETE: (request) => ask(request, false) },
  },
]

/** Past the journal, but for the first: it changes nobody's work, and comes every minute. */
async function put(request: ApiRequest): Promise<ApiResponse> {
  const { app, call } = request
  const { row: session, person } = await signedInPerson(request)
  const report = said(request, device.name, reportFields)
  const deviceId = report.device_id.toLowerCase()
  if (!isUuid(deviceId)) throw invalid([fieldError('device_id', validationError.invalid('Say the UUID of the device'))])
  const seen = { ...report, device_id: deviceId, name: report.name ?? session.device }
  const now = { session: session.id, now: call.now }
  const dryRun = readFlag(request.query, 'dry_run')
  const reader = wholeReader(request)
  if (!(await deviceOf(reader, person.id, deviceId)))
    return mutate(
      request,
      {
        action: 'create',
        errors: [],
        // Two first reports at once are of one device.
        target: (tx) => deviceOf(tx.asSystem(REASON), person.id, deviceId),
        async draft(before, context) {
          if (!before.id) await forgetSilent(context, person.id)
          return { user_id: person.id, ...reportedBy(before.id ? before : null, seen, now) }
        },
      },
      { record: device },
    )
  const row = await app.store.writeAsSystem(call.actor.account.id, REASON, async (tx) => {
    const known = await deviceOf(tx, person.id, deviceId)
    if (!known) throw new Problem('conflict', 'The server no longer knows this device: report it again')
    const changes = reportedBy(known, seen, now)
    if (!dryRun) await tx.update(device, known, changes)
    return { ...known, ...changes }
  })
  return { status: 200, headers: dryRun ? dryRunHeaders : {}, body: print(request, row) }
}

const REASON = 'devices tell of themselves past the journal'

async function ask(request: ApiRequest, isAsked: boolean): Promise<ApiResponse> {
  const { now } = request.call
  return mutate(
    request,
    {
      action: 'update',
      errors: [],
      target: (tx) => find(request, tx, { of: device }),
      draft(row) {
        if (row.signed_out_at) throw new Problem('conflict', 'The device has signed out already')
        return { sign_out_asked_at: isAsked ? (row.sign_out_asked_at ?? now) : null }
      },
    },
    { record: device, status: isAsked ? 201 : 200 },
  )
}
