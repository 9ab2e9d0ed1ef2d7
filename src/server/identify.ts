import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from '#app'
import { type Actor, type Call, scopeOf, wholeAccount } from '#call'
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
  { headers }: FastifyRequest,
): Promise<Call> {
  const now = new Date().toISOString()
  const key = parameter || /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const secret = key ?? cookie.exec(headers.cookie ?? '')?.[1]
  if (!secret) throw unauthorized('An API key is required: send it as the query parameter api_key')
  const number = Number.parseInt(form.exec(secret)?.[1] ?? '', 36)
  if (!Number.isSafeInteger(number)) throw unauthorized('The API key is not valid')
  const reader = app.store.as({ account: number, groups: null })
  const account = (await reader.find(accounts, number)) as Account | null
  const actor =
    account &&
    (key ? await keyActor(app, reader, account, secret, now) : await personActor(app, reader, account, secret, now))
  if (!actor) throw unauthorized(key ? 'The API key is not valid' : 'Sign in again')
  return { id, actor, store: app.store.as(scopeOf(actor)), now }
}

/** What is kept of a key or a cookie. */
export const digestOf = (secret: string) => hash('sha256', secret, 'hex')

/** A call of nobody, for the few routes that are open: it sees nothing. */
export function nobodysCall(app: App, id: string): Call {
  const account = { id: 0, time_zone: 'UTC', features: {} } as Account
  const actor: Actor = { kind: 'system', id: null, account, groups: null, readOnly: true, ...wholeAccount }
  return { id, actor, store: app.store.as(scopeOf(actor)), now: new Date().toISOString() }
}

async function keyActor(
  app: App,
  reader: Reader,
  account: Account,
  secret: string,
  now: string,
): Promise<Actor | null> {
  const key = (await reader.findBy(apiKey, 'digest', digestOf(secret))) as ApiKey | null
  if (!key || key.revoked_at || (key.expires_at && key.expires_at <= now)) return null
  app.keyUse.note(account.id, key, now)
  // Limited to groups that are gone is not the whole account.
  const groups = key.limited ? key.group_ids : null
  return { kind: 'key', id: key.id, account, groups, readOnly: key.read_only, ...wholeAccount }
}

async function personActor(
  app: App,
  reader: Reader,
  account: Account,
  secret: string,
  now: string,
): Promise<Actor | null> {
  const found = (await reader.findBy(session, 'digest', digestOf(secret))) as Session | null
  if (!found || found.expires_at <= now) return null
  const person = (await reader.find(user, found.user_id)) as User | null
  if (!person?.enabled) return null
  const { permissions } = person
  return {
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
}

const unauthorized = (sentence: string) =>
  new Problem('unauthorized', sentence, { headers: { 'WWW-Authenticate': 'Bearer' } })
