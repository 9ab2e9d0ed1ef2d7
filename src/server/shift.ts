import { type Fault, faultAt, flag, instant, type RawRow, type RecordType, readFields, Wrong, wrong } from '#fields'
import { Problem } from '#problem'
import { said, shifted } from '#rules/shift'
import type { Reader } from '#store/store'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { signedIn } from './signed-in.ts'
import { act, printed } from './verbs.ts'

const shift = {
  name: 'shift',
  about: 'Whether the worker who signed in is on shift.',
  fields: {
    on: flag({ about: 'Whether the worker is on shift' }),
    until: instant({ about: 'When the worker is back on shift by itself' }),
  },
}

/** The worker's own shift; nobody else sets it, and no key does. (records.md, 5) */
export const shiftRoute = (user: RecordType): Route => ({
  path: '/shift',
  // Everybody may ask about himself; whether he is a worker, the handler looks.
  record: { ...user, allow: { read: 'signed_in', write: 'signed_in' } },
  naming: { name: 'shift', plural: 'shifts' },
  shows: shift,
  signedIn: "A shift is the worker's own: sign in, a key does not do",
  tells: {
    GET: { id: 'getShift', about: 'Whether the worker who signed in is on shift, and when again.' },
    POST: { id: 'changeShift', about: 'Goes on or off shift.', sends: { name: 'shift', fields: said } },
  },
  methods: { GET: show, POST: change },
})

async function show(request: ApiRequest): Promise<Answer> {
  return { status: 200, headers: {}, body: shown(request, await worker(request, request.call.store)) }
}

async function change(request: ApiRequest): Promise<Answer> {
  const { call } = request
  signedIn(request)
  const faults: Fault[] = []
  const draft = readFields(said, request.read(['shift']), { path: '', faults })
  if ((draft.on ?? null) === null && faults.every(({ field }) => field !== 'on'))
    faults.push(faultAt('on', wrong.blank()))
  if (draft.on && draft.until) faults.push(faultAt('until', new Wrong('on_shift', 'is for going off shift')))
  return act(
    request,
    {
      action: 'update',
      faults,
      target: (tx) => worker(request, tx.unlimited()),
      draft: () => shifted(draft, call.now, call.actor.account.time_zone),
    },
    { status: 201, body: (row) => shown(request, row) },
  )
}

const shown = (request: ApiRequest, { shift_on: on, shift_off_until: until }: RawRow) =>
  printed(request, { on, until }, [], shift)

async function worker(request: ApiRequest, reader: Reader): Promise<RawRow> {
  const found = await reader.find(request.route.record, signedIn(request))
  if (!found?.is_worker) throw new Problem('forbidden', 'Only workers have a shift: it needs the permission mobile')
  return found
}
