import { hash } from 'node:crypto'
import type { Call } from '#call'
import { type FieldError, fieldError, type RecordType, ValidationError, validationError } from '#fields'
import { plainInstant } from '#fields/instant'
import { jsonOf } from '#formats/json'
import { invalid, Problem } from '#problem'
import { job } from '#records/job'
import { printingTo } from '#rules/abilities'
import { recordsOfSets, type SyncResult, type SyncSet, sync } from '#rules/sync'
import type { Event } from '#store/journal'
import { refuseUnknownParameters } from '../http/integer-parameters.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { fieldsIn } from '../http/selection.ts'
import { lastValue } from '../http/target.ts'

const schema = {
  type: 'object',
  required: ['cursor', 'whole', 'records', 'gone'],
  properties: {
    cursor: { type: 'string', description: 'What to ask with the next time' },
    whole: { type: 'boolean', description: 'Whether this is the whole set, in place of what the client has' },
    records: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'object' } },
      description:
        'Records by their plural, each whole and with its `revision`: `jobs`, `customers` …; users also with `can_message`, whether workers may write to them, and `is_worker`, whether they can be given jobs',
    },
    gone: {
      type: 'array',
      items: {
        type: 'object',
        required: ['record', 'id'],
        properties: { record: { type: 'string' }, id: { type: ['integer', 'string'] } },
      },
      description: 'What is no more of the set',
    },
  },
}

/** `GET /v5/sync.json`: what a phone or a board has to know, and then what changed of it. (docs/phone.md) */
export const syncRoute = (): Route => ({
  path: '/sync',
  record: { ...job, allow: { read: 'signed_in', write: 'nobody' } },
  wireNames: { name: 'sync', plural: 'syncs' },
  docs: {
    GET: {
      id: 'sync',
      about:
        'A set of records and, with the `cursor` of the last answer, what changed of it since; 304 when nothing did. Without `set` it is that of the worker who signed in; `set=board&from=&to=` is the jobs of a window and those without a worker or a time, with what they refer to. 410 for a cursor that is not of this server, this account and this caller.',
      query: {
        cursor: { type: 'string', description: 'That of the last answer: what changed since' },
        set: { type: 'string', enum: ['own', 'board'], description: '`own` unless said' },
        from: { type: 'string', format: 'date-time', description: 'Where the window of a board begins' },
        to: { type: 'string', format: 'date-time', description: 'Where it ends' },
        records: { type: 'string', description: 'Only these types of record: `jobs,users`' },
        'fields[jobs]': {
          type: 'string',
          description:
            'Only these fields of each job, as `fields` of a list says; likewise `fields[users]` and the others',
        },
      },
      response: schema,
    },
  },
  methods: { GET: answer },
})

/** Where a client is: who it is, of which set, up to which event, and by which clock. */
interface Cursor {
  who: string
  set: SyncSet
  position: number
  at: string
  /** Tells this journal from that of another server, or from one that was restored and went on otherwise. */
  event: string
  nextChangeAt: string | null
}

async function answer(request: ApiRequest): Promise<ApiResponse> {
  const { call, app, format } = request
  if (format.name !== 'json') throw new Problem('not_acceptable', 'A set comes in JSON: ask for sync.json')
  const chosen = chosenIn(request)
  const text = lastValue(request.query, 'cursor')
  const cursor = text ? await readCursor(request, text) : null
  const set = cursor?.set ?? setOf(request)
  const { account } = call.actor
  if (cursor && cursor.position === (await app.store.position(account.id)) && call.now < (cursor.nextChangeAt ?? '9'))
    return { status: 304, headers: {}, body: '' }
  const result = await sync(app.store, call, set, cursor, (record) => {
    const shown = chosen(record)
    return shown === null ? null : shown.only
  })
  const all = app.store.asSystem(account.id, 'the event that a cursor stands on is told to nobody')
  const last = await all.journal.find(result.position)
  const { position, at, nextChangeAt } = result
  const next: Cursor = { who: whoIs(call), set, position, at, event: digestOf(last), nextChangeAt }
  return { status: 200, headers: {}, body: printResult(call, result, next, chosen) }
}

/** Workers, who are not told the permissions of others, are told who can be written to, and who can be given a job. */
function printResult(call: Call, { whole, records, gone }: SyncResult, next: Cursor, chosen: Chosen): string {
  const shown = [...records].map(([record, rows]) => {
    const added = (row: { revision?: number | null; can_message?: boolean; is_worker?: boolean }) => ({
      revision: row.revision ?? 0,
      ...(record.name === 'user' && { can_message: row.can_message, is_worker: row.is_worker }),
    })
    const printing = { ...printingTo(call.actor, record), added }
    const print = jsonOf(chosen(record)?.shows ?? record)
    return [record.plural, rows.map((row) => print(row, printing))]
  })
  return JSON.stringify({
    cursor: Buffer.from(JSON.stringify(next)).toString('base64url'),
    whole,
    records: Object.fromEntries(shown),
    gone: gone.map(({ record, id }) => ({ record: record.name, id })),
  })
}

/** What is shown of a record, and read for that; null for what is left out. */
type Chosen = (record: RecordType) => ReturnType<typeof fieldsIn> | null

/** What `records` and `fields[…]` choose of a set. @throws Problem invalid (422) */
function chosenIn({ query, app }: ApiRequest): Chosen {
  const errors: FieldError[] = []
  const plurals = new Set(lastValue(query, 'records')?.split(',').filter(Boolean))
  const known = app.records.filter(({ name }) => recordsOfSets.includes(name))
  for (const plural of plurals)
    if (!known.some((record) => record.plural === plural))
      errors.push(fieldError('records', validationError.notInList(known.map((record) => record.plural))))
  const parameter = ({ plural }: RecordType) => `fields[${plural}]`
  refuseUnknownParameters(query, ['cursor', 'set', 'from', 'to', 'records', ...known.map(parameter)], errors)
  const shown = new Map(
    known
      .filter(({ plural }) => plurals.size === 0 || plurals.has(plural))
      .map((record) => [record.name, fieldsIn(record, query, parameter(record), errors)]),
  )
  if (errors.length > 0) throw invalid(errors)
  return ({ name }) => shown.get(name) ?? null
}

/** @throws Problem invalid (422) */
function setOf({ query, call }: ApiRequest): SyncSet {
  const name = lastValue(query, 'set') || 'own'
  if (name === 'own') {
    if (call.actor.kind === 'user') return { name }
    throw new Problem('forbidden', 'The set of a person is their own: sign in, or ask for set=board')
  }
  if (name !== 'board') throw invalid([fieldError('set', validationError.notInList(['own', 'board']))])
  const [from, to] = [instantOf(query, 'from'), instantOf(query, 'to')]
  if (to <= from) throw invalid([fieldError('to', new ValidationError('too_early', 'must be after from'))])
  return { name, from, to }
}

function instantOf(query: URLSearchParams, name: string): string {
  const value = lastValue(query, name)
  if (!value) throw invalid([fieldError(name, validationError.blank())])
  const instant = plainInstant(value)
  if (instant === null)
    throw invalid([fieldError(name, validationError.invalid('Say an instant: 2026-11-23T00:00:00Z'))])
  return instant
}

/** @throws Problem gone (410) for one that is of another place or time: the client starts anew */
async function readCursor({ app, call, query }: ApiRequest, text: string): Promise<Cursor> {
  const cursor = parsed(text)
  const all = app.store.asSystem(call.actor.account.id, 'the event that a cursor stands on is told to nobody')
  const asked = ['set', 'from', 'to'].some((name) => query.has(name))
    ? JSON.stringify(setOf({ query, call } as ApiRequest))
    : null
  const event = cursor && Number.isSafeInteger(cursor.position) ? await all.journal.find(cursor.position) : null
  if (
    !cursor ||
    cursor.who !== whoIs(call) ||
    cursor.event !== digestOf(event) ||
    (asked !== null && asked !== JSON.stringify(cursor.set))
  )
    throw new Problem(
      'gone',
      'The cursor belongs to another server, time, set or caller: ask without it for the whole set',
    )
  return cursor
}

function parsed(text: string): Cursor | null {
  try {
    const cursor: Cursor = JSON.parse(Buffer.from(text, 'base64url').toString())
    const { set, at } = cursor
    const isSet =
      set.name === 'own' ||
      (set.name === 'board' && plainInstant(set.from) === set.from && plainInstant(set.to) === set.to)
    return isSet && plainInstant(at) === at ? cursor : null
  } catch {
    return null
  }
}

const whoIs = ({ actor: { kind, id, account } }: Call) => `${account.id} ${kind} ${id}`

const digestOf = (event: Event | null) =>
  event ? hash('sha256', `${event.id} ${event.at} ${event.call_id} ${event.record_id}`, 'base64url').slice(0, 16) : ''
