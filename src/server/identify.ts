import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { App } from '#app'
import { type Actor, type Call, isoNow, scopeOf, wholeAccount } from '#call'
import { Problem } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { type ApiKey, apiKey } from '#records/api-key'
import { type Session, session } from '#records/session'
import { type User, user } from '#records/user'
import { ownRecords } from '#rules/abilities'
import type { Reader } from '#store/store'

/** A key or a cookie begins with the number of its account, so that it can be looked up there like everything else. */
const form = /^([0-9a-z]{1,10})_[A-Za-z0-9_-]{20,100}$/

const cookie = /(?:^|;\s*)muster_session=([A-Za-z0-9_-]+)/

/**
 * Who asks: the key of the query, else that of `Authorization: Bearer`, else the person of the cookie.
 * @throws Problem unauthorized (401) for none, an unknown, an expired or a revoked one
 */
export async function identify(
  app: App,
  id: string,
  parameter: string | null,
  { headers }: IncomingMessage,
): Promise<Call> {
  const now = isoNow()
  const key = parameter || /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const secret = key ?? cookie.exec(headers.cookie ?? '')?.[1]
  if (!secret) throw unauthorized('An API key is required: send it as the query parameter api_key')
  const found = await known(app, key ? 'key' : 'user', secret)
  if (!found || (found.until && found.until <= now))
    throw unauthorized(key ? 'The API key is not valid' : 'Sign in again')
  const { actor, store, near } = found
  if (found.key) app.keyUse.note(actor.account.id, found.key, now)
  return { id, actor, store, near, now }
}

/** Who a secret stands for, and until when. */
interface Holder {
  actor: Actor
  until: string | null
  key?: ApiKey
}

/**
 * Who a secret was found to stand for, as long as the account's journal hasn't grown: what makes it another (a key that
 * is revoked, a group that is left, a feature that goes off) is an event there. What nobody holds isn't kept.
 */
async function known(app: App, kind: 'key' | 'user', secret: string): Promise<Known | null> {
  const kept = app.known.get(secret)
  const number = kept ? kept.actor.account.id : Number.parseInt(form.exec(secret)?.[1] ?? '', 36)
  if (!Number.isSafeInteger(number)) return null
  const place = await app.store.place(number)
  if (kept?.place === place && kept.actor.kind === kind) return kept
  const reader = app.store.as({ account: number, groups: null })
  const account = (await reader.find(accounts, number)) as Account | null
  const holder =
    account && (await (kind === 'key' ? keyHolder(reader, account, secret) : personOf(app, reader, account, secret)))
  if (!holder) return null
  const scope = scopeOf(holder.actor)
  const entry = { ...holder, place, store: app.store.as(scope), near: app.store.near(scope, place) }
  if (app.known.size >= MOST_KNOWN) app.known.clear()
  app.known.set(secret, entry)
  return entry
}

/** What is kept of a key or a cookie. */
export const digestOf = (secret: string) => hash('sha256', secret, 'hex')

/** A holder with what he sees, as of a place in the journal of his account. */
export type Known = Holder & { place: number; store: Reader; near: Reader }

const MOST_KNOWN = 10_000

/** A call of nobody, for the few routes that are open: it sees nothing. */
export function nobodysCall(app: App, id: string): Call {
  const account = { id: 0, time_zone: 'UTC', features: {} } as Account
  const actor: Actor = { kind: 'system', id: null, account, groups: null, readOnly: true, ...wholeAccount }
  const store = app.store.as(scopeOf(actor))
  return { id, actor, store, near: store, now: isoNow() }
}

async function keyHolder(reader: Reader, account: Account, secret: string): Promise<Holder | null> {
  const key = (await reader.findBy(apiKey, 'digest', digestOf(secret))) as ApiKey | null
  if (!key || key.revoked_at) return null
  // Limited to groups that are gone is not the whole account.
  const groups = key.limited ? key.group_ids : null
  const actor: Actor = { kind: 'key', id: key.id, account, groups, readOnly: key.read_only, ...wholeAccount }
  return { actor, until: key.expires_at, key }
}

async function personOf(app: App, reader: Reader, account: Account, secret: string): Promise<Holder | null> {
  const found = (await reader.findBy(session, 'digest', digestOf(secret))) as Session | null
  if (!found) return null
  const person = (await reader.find(user, found.user_id)) as User | null
  if (!person?.enabled) return null
  const { permissions } = person
  const actor: Actor = {
    kind: 'user',
    id: person.id,
    account,
    // A dispatcher sees the groups he is in, and what is in no group; an admin sees all.
    groups: permissions.admin === 'full' ? null : person.group_ids,
    readOnly: false,
    permissions,
    own: ownRecords(permissions, app.records),
    session: found.id,
  }
  return { actor, until: found.expires_at }
}

const unauthorized = (sentence: string) =>
  new Problem('unauthorized', sentence, { headers: { 'WWW-Authenticate': 'Bearer' } })
