import type { Call } from '#call'
import type { FieldError, RecordType, Row } from '#fields'
import { jsonOf } from '#formats/json'
import { withFullMessage } from '#formats/problem'
import { invalid, Problem } from '#problem'
import { type Conflict, conflict } from '#records/conflict'
import { job } from '#records/job'
import { keepDoneOffline } from '#rules/done-offline'
import type { Mutation } from '#rules/mutation'
import type { Event } from '#store/journal'
import { idempotencyOf } from '../http/idempotency-key.ts'
import { checkPrecondition } from '../http/precondition.ts'
import { reasonOf } from '../http/reason.ts'
import type { ApiRequest } from '../http/request.ts'
import { type ApiResponse, dryRunHeaders, etagOfRow } from '../http/response.ts'
import { printingFor } from '../http/selection.ts'
import { readFlag } from '../http/target.ts'
import { print } from './row.ts'

/** What an answer to a write is, where it differs from the record with 200. */
interface ResponseOptions<R extends RecordType = RecordType> {
  record?: R
  status?: number | ((event: Event | null) => number)
  headers?(row: Row<R>, event: Event | null): Record<string, string>
  body?(row: Row<R>, warnings: FieldError[], event: Event | null): string
  /** Whether a repeat under its Idempotency-Key gets it again: not where it has a secret that is kept nowhere. */
  repeatable?: boolean
  /** Where it isn't the request that says so. */
  dryRun?: boolean
}

/** Writes, and answers with the record and with what the rules warn of. */
export function mutate<R extends RecordType>(
  request: ApiRequest,
  write: Pick<Mutation<R>, 'action' | 'base' | 'bypassWorkerFilter' | 'draft' | 'errors' | 'target' | 'keepItemIds'>,
  {
    record = request.route.record as R,
    status = 200,
    headers = () => ({}),
    body = (row, warnings) => print(request, row, warnings),
    repeatable = true,
    dryRun = readFlag(request.query, 'dry_run'),
  }: ResponseOptions<R> = {},
): Promise<ApiResponse> {
  const { lost } = request
  if (lost && record.name === job.name)
    return mutate(request, keepDoneOffline(lost, write), {
      record: conflict,
      status: 202,
      // Of the bytes that came with it.
      headers: () => Object.fromEntries(Object.entries(headers(lost.row, null)).filter(([name]) => name === SHA256)),
      body: (row, warnings) => withConflicts(request, JSON.stringify({ warnings }), [row]),
      dryRun,
    })
  const answer = request.app.mutations.answer(request.call, {
    ...write,
    record,
    dryRun,
    once: dryRun || !repeatable ? undefined : idempotencyOf(request),
    reason: reasonOf(request),
    precondition: (before, tx) => checkPrecondition(request, record, before, tx),
    respond({ row, event, conflicts, ...outcome }) {
      const warnings = [...request.passedOver, ...outcome.warnings]
      const text = withConflicts(request, body(row, warnings.map(withFullMessage), event), conflicts)
      return {
        status: typeof status === 'number' ? status : status(event),
        headers: {
          // Nothing is there to be located, or to be changed on, after a dry run.
          ...(dryRun
            ? dryRunHeaders
            : { ...headers(row, event), ...receiptOf(request.call, event, conflicts), ETag: etagOfRow(row, text) }),
          ...(warnings.length > 0 && {
            'X-Muster-Warnings': [...new Set(warnings.map(({ code }) => code))].join(', '),
          }),
        },
        body: text,
      }
    },
  })
  return answer.catch((error: unknown) => {
    throw withPassedOver(error, request.passedOver)
  })
}

/** A refusal with the names that no field has: what is said to be missing may be there, misspelt. */
const withPassedOver = (error: unknown, passedOver: FieldError[]): unknown =>
  error instanceof Problem && error.kind === 'invalid' && passedOver.length > 0
    ? invalid([...error.errors, ...passedOver])
    : error

/** An answer in JSON with what could not be merged beside the record. */
function withConflicts(request: ApiRequest, text: string, found: Conflict[]): string {
  if (found.length === 0) return text
  const printing = printingFor({ ...request, route: { ...request.route, record: conflict } })
  const conflicts = found.map((one) => jsonOf(conflict)(one, printing))
  return `${text.slice(0, -1)},"conflicts":${JSON.stringify(conflicts)}}`
}

/** The header of an upload's receipt. */
export const SHA256 = 'Muster-SHA256'

/** What a device keeps of its entry: when it came here, and which event it became; none when nothing changed. */
const receiptOf = ({ now }: Call, event: Event | null, conflicts: Conflict[]) => {
  const id = event?.id ?? conflicts[0]?.revision
  return { ...(id && { 'Muster-Event': String(id) }), 'Muster-Received-At': now }
}
