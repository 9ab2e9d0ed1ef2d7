import type { RawRow, RecordType } from '#fields'
import { jsonOf } from '#formats/json'
import { Problem } from '#problem'
import { event as events } from '#records/event'
import { nameOf } from '#rules/undo'
import type { Tx } from '#store/store'
import type { ApiRequest } from './request.ts'
import { isRevision } from './response.ts'
import { printingFor } from './selection.ts'

/** If-Match guards against changing what somebody else has changed: it names the revision that the caller read. */
export async function checkPrecondition(
  request: ApiRequest,
  record: RecordType,
  before: RawRow,
  tx: Tx,
): Promise<Problem | null> {
  const expected = request.header('if-match')
  if (!expected || isRevision(expected, before)) return null
  const { revision } = before
  const [event] = await tx.journal.newestOf(record.name, before.id, 1)
  const at = event && events.fields.at.json(event.at)
  const change = event ? `, changed by ${await nameOf(tx, event)} at ${at}` : ''
  return new Problem('precondition_failed', `The record has changed since: it is at revision ${revision}${change}`, {
    current: {
      revision,
      ...(event && { changed_at: at, changed_by: event.actor }),
      [record.name]: jsonOf(record)(before, printingFor({ ...request, route: { ...request.route, record } })),
    },
  })
}
