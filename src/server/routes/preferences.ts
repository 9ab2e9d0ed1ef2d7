import { type FieldError, readFields } from '#fields'
import { invalid } from '#problem'
import { preferences } from '#records/preferences'
import { user } from '#records/user'
import type { ApiRequest } from '../http/request.ts'
import { requireUser } from '../http/require-user.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { readFlag } from '../http/target.ts'
import { wholeReader } from './people.ts'
import { print } from './row.ts'

const shown = { name: 'preferences', about: 'How a person likes the interface.', fields: preferences }

/** How the person who signed in likes the interface. No work of record: past the journal, and nobody else reads it. */
export const preferenceRoute = (): Route => ({
  path: '/preferences',
  record: { ...user, allow: { read: 'signed_in', write: 'signed_in' } },
  wireNames: { name: shown.name, plural: shown.name },
  responseSchema: shown,
  alone: true,
  userOnly: 'Preferences are of people who sign in, and a key has none',
  docs: {
    GET: { id: 'getPreferences', about: 'How the person who signed in likes the interface.' },
    PUT: {
      id: 'changePreferences',
      about: 'Changes what is said and keeps the rest; null forgets one.',
      body: { name: shown.name, fields: preferences },
    },
  },
  methods: { GET: show, PUT: change, PATCH: change },
})

const nothing = { theme: null, density: null, language: null, start_tab: null, zoom: null }

async function show(request: ApiRequest): Promise<ApiResponse> {
  const person = await wholeReader(request).find(user, requireUser(request))
  return { status: 200, headers: {}, body: print(request, person?.preferences ?? nothing, [], shown) }
}

async function change(request: ApiRequest): Promise<ApiResponse> {
  const errors: FieldError[] = []
  const draft = readFields(preferences, request.read([shown.name]), { path: '', errors })
  if (errors.length > 0) throw invalid(errors)
  const dryRun = readFlag(request.query, 'dry_run')
  const { id } = request.call.actor.account
  const merged = await request.app.store.writeAsSystem(id, 'preferences are of nobody else', async (tx) => {
    const person = await tx.find(user, requireUser(request))
    const value = { ...nothing, ...person?.preferences, ...draft }
    if (person && !dryRun) await tx.update(user, person, { preferences: value })
    return value
  })
  return { status: 200, headers: dryRun ? dryRunHeaders : {}, body: print(request, merged, [], shown) }
}
