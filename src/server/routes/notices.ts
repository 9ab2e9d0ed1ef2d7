import { notFound } from '#problem'
import { type Notice, notice } from '#records/notice'
import type { ApiRequest } from '../http/request.ts'
import { requireUser } from '../http/require-user.ts'
import { type ApiResponse, dryRunHeaders } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { readFlag } from '../http/target.ts'
import { find, print } from './row.ts'

/** What becomes of a notice: who is told says so of their own, the office of a call. Again is as good as once. */
const marks = [
  {
    name: 'receipt',
    id: 'noteNoticeReceipt',
    about: 'That it is on the device of who is told; said by the device, and no mail is sent any more.',
    allowed: 'signed_in',
    change: (row: Notice, now: string) => ({ received_at: row.received_at ?? now }),
  },
  {
    name: 'reading',
    id: 'noteNoticeReading',
    about: 'That who is told has read it.',
    allowed: 'signed_in',
    change: (row: Notice, now: string) => ({ received_at: row.received_at ?? now, read_at: row.read_at ?? now }),
  },
  {
    name: 'phone_call',
    id: 'noteNoticeCall',
    about: 'That somebody of the office has called who is told.',
    allowed: 'jobs',
    change: (row: Notice, now: string) => ({ called_at: row.called_at ?? now }),
  },
] as const

export const noticeRoutes = (): Route[] =>
  marks.map(({ name, id, about, allowed, change }) => ({
    path: `${notice.path}/{id}/${name}`,
    record: { ...notice, allow: { read: allowed, write: allowed } },
    wireNames: notice,
    alone: true,
    ...(allowed === 'signed_in' && { userOnly: 'It is said by who is told: sign in, a key does not do' }),
    docs: { POST: { id, about, query: { dry_run: { type: 'boolean', description: 'Change nothing' } } } },
    methods: { POST: (request) => mark(request, change, allowed === 'signed_in') },
  }))

/** Past the journal, as all of a notice: it changes nobody's work. */
async function mark(
  request: ApiRequest,
  change: (row: Notice, now: string) => Partial<Notice>,
  isOwn: boolean,
): Promise<ApiResponse> {
  const { app, call, query } = request
  const dryRun = readFlag(query, 'dry_run')
  const { id: account } = call.actor.account
  const mine = isOwn ? requireUser(request) : null
  const reader = mine === null ? call.store : app.store.asSystem(account, 'a notice is also of a job that is gone')
  const { id } = await find(request, reader, { of: notice })
  const row = await app.store.writeAsSystem(account, 'notices are written past the journal', async (tx) => {
    const found = await tx.find(notice, id)
    if (!found || (mine !== null && found.user_id !== mine)) throw notFound()
    const changes = { ...change(found, call.now), due_at: null, updated_at: call.now }
    if (!dryRun) await tx.update(notice, found, changes)
    return { ...found, ...changes }
  })
  return { status: 201, headers: dryRun ? dryRunHeaders : {}, body: print(request, row) }
}
