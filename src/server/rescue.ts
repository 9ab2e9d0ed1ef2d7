import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { App } from '#app'
import { type Call, isoNow, scopeOf } from '#call'
import { type FieldError, fieldError, ValidationError } from '#fields'
import { addressOf, bodyOf, givenIds, type Id, type Json, type RescueEntry } from '#formats/entry'
import { json } from '#formats/json'
import { openRescue, type Rescue, rescueHeadOf } from '#formats/rescue-file'
import { invalid, Problem } from '#problem'
import type { Account } from '#records/account'
import { user } from '#records/user'
import { isRescueToken, rescueKeysOf } from '#rules/rescue-key'
import { asDeviceEntry } from './http/device-entry.ts'
import { actorOf } from './http/identify.ts'
import { perform } from './http/perform.ts'
import { ApiRequest } from './http/request.ts'
import type { ApiResponse } from './http/response.ts'
import { handlerOf, newExchange, permit, refuse } from './http/stages.ts'

/** What became of an entry: received now, known already, kept as a conflict, refused, or held as another that it needs was. */
export const outcomes = ['received', 'known', 'conflicted', 'refused', 'held'] as const

export interface Rescued {
  id: string
  method: string
  path: string
  made_at: string
  outcome: (typeof outcomes)[number]
  /** As if it had come from the phone; null for what was held. */
  status: number | null
  event_id: number | null
  errors: FieldError[]
}

/** A file as it was handed in, and what became of each of its entries. */
export interface RescueReport {
  user_id: number
  user_name: string
  device_id: string
  made_at: string
  entries: Rescued[]
}

type Asked = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>
/** A request that the one carries by which the file came. */
type Carrying = (url: string, headers: IncomingHttpHeaders) => Asked

/**
 * Plays the entries of a rescue file as their person, in their order, each at its instant and under its own key: what the server
 * has already, from the phone or from the same file, is not done again.
 * @throws Problem invalid for a file that is none, damaged, of another company, or not of who it says; then nothing was played
 */
export async function playRescue(
  app: App,
  account: Account,
  file: Buffer,
  callId: string,
  carrying: Carrying,
): Promise<RescueReport> {
  const rescue = await opened(account, file)
  const { head, author, entries } = rescue
  const person = await app.store.asSystem(account.id, 'entries are played as their person').find(user, head.user_id)
  if (!person)
    throw invalid([fieldError('file', new ValidationError('not_found', 'is of somebody who is not there any more'))])
  const actor = actorOf(app, account, person)
  const store = app.store.as(scopeOf(actor))
  const given = new Map<number, Id>(author.given)
  const missing = new Set<string>()
  const report: Rescued[] = []
  for (const [i, { entry, bytes }] of entries.entries()) {
    const { id, method, path, made_at } = entry
    const url = entry.after.some((other) => missing.has(other)) ? null : addressOf(entry, given)
    const call: Call = { id: `${callId}-${i}`, actor, store, replica: store, now: isoNow() }
    const response = url === null ? null : await play(app, call, head.device_id, entry, bytes, url, given, carrying)
    const outcome = response ? outcomeOf(response) : 'held'
    if (outcome === 'refused' || outcome === 'held') missing.add(id)
    const { shown, errors } = bodyIn(response)
    for (const { record, row } of outcome === 'refused' ? [] : entry.made)
      for (const [made, real] of shown[record] ? givenIds(row, shown[record] as { [field: string]: Json }) : [])
        given.set(made, real)
    report.push({
      ...{ id, method, path, made_at, outcome },
      status: response?.status ?? null,
      event_id: Number(response?.headers['Muster-Event']) || null,
      errors,
    })
  }
  const { user_name, device_id, made_at } = head
  return { user_id: person.id, user_name: person.name ?? user_name, device_id, made_at, entries: report }
}

/** All of a file, that is of this account and of the person whom it names. */
async function opened(account: Account, file: Buffer): Promise<Rescue> {
  try {
    const head = rescueHeadOf(file)
    if (head.account_id !== account.id) throw new ValidationError('other_account', 'is of another company')
    if (!account.rescue_key)
      throw new ValidationError('damaged', 'is for another server: this one has given out no key')
    const rescue = await openRescue(file, (await rescueKeysOf(account.rescue_key)).privateKey)
    if (isRescueToken(account, head.user_id, rescue.author.token)) return rescue
    throw new ValidationError('not_theirs', 'is not of the person whom it names')
  } catch (error) {
    throw error instanceof ValidationError ? invalid([fieldError('file', error)]) : error
  }
}

async function play(
  app: App,
  call: Call,
  device: string,
  entry: RescueEntry,
  bytes: Buffer,
  url: string,
  given: ReadonlyMap<number, Id>,
  carrying: Carrying,
): Promise<ApiResponse> {
  const { type } = entry
  const headers: IncomingHttpHeaders = {
    'content-type': type ?? 'application/json',
    'idempotency-key': entry.id,
    'muster-device': device,
    'muster-made-at': entry.made_at,
  }
  const exchange = newExchange(app, { method: entry.method, url, headers })
  exchange.id = call.id
  exchange.format = json
  try {
    if (exchange.addressError) throw exchange.addressError
    const { match } = exchange
    if (!match || match.route.extension) throw new Problem('not_found', `There is no address ${url}`)
    // Of what comes alone, files are what a phone sends.
    if (match.route.alone && !type)
      throw new Problem('forbidden', `${entry.method} ${match.route.path} can't be rescued`)
    const made = asDeviceEntry(call, headers)
    permit(exchange, match, made)
    const request = new ApiRequest(app, carrying(url, headers), exchange, match, made)
    const body = bodyOf(entry, given)
    request.body = type ? bytes : Buffer.from(body ? JSON.stringify(body) : '')
    return await perform(request, handlerOf(match.route, entry.method))
  } catch (error) {
    return refuse(app, exchange, error)
  }
}

function outcomeOf({ status, headers, body }: ApiResponse): Rescued['outcome'] {
  if (status >= 400) return 'refused'
  if (headers['Idempotent-Replayed']) return 'known'
  return bodyIn({ body }).conflicts.length > 0 ? 'conflicted' : 'received'
}

/** An answer in JSON: what it shows, or what was wrong; printed by this server itself. */
interface AnswerBody {
  shown: { [root: string]: Json | undefined }
  errors: FieldError[]
  conflicts: Json[]
}

function bodyIn(response: Pick<ApiResponse, 'body'> | null): AnswerBody {
  const body = typeof response?.body === 'string' && response.body ? JSON.parse(response.body) : {}
  return { shown: body, errors: body.errors ?? [], conflicts: body.conflicts ?? [] }
}
