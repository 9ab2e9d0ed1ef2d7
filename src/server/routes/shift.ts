import { madeAt } from '#call'
import { type FieldError, fieldError, flag, instant, readFields, ValidationError, validationError } from '#fields'
import { Problem } from '#problem'
import { type User, user } from '#records/user'
import { applyShift, shiftFields } from '#rules/shift'
import type { Reader } from '#store/store'
import type { ApiRequest } from '../http/request.ts'
import { requireUser } from '../http/require-user.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { mutate } from './mutate.ts'
import { print, shown } from './row.ts'

const shift = {
  name: 'shift',
  about: 'Whether the worker who signed in is on shift.',
  fields: {
    on: flag({ about: 'Whether the worker is on shift' }),
    until: instant({ about: 'When the worker is back on shift by itself' }),
  },
}

/** Everybody may ask about themselves; whether they are a worker, the handler looks. */
const worker: typeof user = { ...user, allow: { read: 'signed_in', write: 'signed_in' } }

/** The worker's own shift; nobody else sets it, and no key does. (docs/contract.md#users-and-permissions) */
export const shiftRoute = (): Route => ({
  path: '/shift',
  record: worker,
  wireNames: { name: 'shift', plural: 'shifts' },
  responseSchema: shift,
  userOnly: "A shift is the worker's own: sign in, a key does not do",
  docs: {
    GET: { id: 'getShift', about: 'Whether the worker who signed in is on shift, and when again.' },
    POST: { id: 'changeShift', about: 'Goes on or off shift.', body: { name: 'shift', fields: shiftFields } },
  },
  methods: { GET: show, POST: change },
})

async function show(request: ApiRequest): Promise<ApiResponse> {
  const row = await findWorker(request, request.call.store)
  return shown(request, row, shiftOf(request, row))
}

async function change(request: ApiRequest): Promise<ApiResponse> {
  const { call } = request
  requireUser(request)
  const errors: FieldError[] = []
  const draft = readFields(shiftFields, request.read(['shift']), { path: '', errors })
  if ((draft.on ?? null) === null && errors.every(({ field }) => field !== 'on'))
    errors.push(fieldError('on', validationError.blank()))
  if (draft.on && draft.until)
    errors.push(fieldError('until', new ValidationError('on_shift', 'is for going off shift')))
  return mutate(
    request,
    {
      action: 'update',
      errors,
      target: (tx) => findWorker(request, tx.asSystem('workers change their own shift')),
      draft: () => applyShift(draft, madeAt(call), call.actor.account.time_zone),
    },
    { record: worker, status: 201, body: (row) => shiftOf(request, row) },
  )
}

const shiftOf = (request: ApiRequest, { shift_on: on, shift_off_until: until }: User) =>
  print(request, { on, until }, [], shift)

async function findWorker(request: ApiRequest, reader: Reader): Promise<User> {
  const found = await reader.find(worker, requireUser(request))
  if (!found?.is_worker) throw new Problem('forbidden', 'Only workers have a shift: this needs the permission mobile')
  return found
}
