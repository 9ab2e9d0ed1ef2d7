import type { IncomingMessage } from 'node:http'
import { type Actor, type Call, isoNow, scopeOf, unrestricted } from '#call'
import type { Config } from '#config'
import type { RecordType } from '#fields'
import { Problem } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { type ApiKey, apiKey } from '#records/api-key'
import { type Session, session } from '#records/session'
import { type User, user } from '#records/user'
import { ownOnlyRecords } from '#rules/abilities'
import { confirmedFactorOf } from '#rules/second-factor'
import { accountIn, digestOf } from '#rules/secrets'
import type { Reader, Store } from '#store/store'
import { secretIn } from './session-cookie.ts'

/**
 * Who asks: the key of the query, else that of `Authorization: Bearer`, else the person of the cookie.
 * @throws Problem unauthorized (401) for none, an unknown, an expired or a revoked one
 */
export async function identify(
  app: Identifying,
  id: string,
  parameter: string | null,
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
): Promise<Call> {
  const now = isoNow()
  const key = parameter || /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const secret = key ?? secretIn(app.config, request)
  if (!secret)
    throw unauthorized(
      'An API key is required: send it as Authorization: Bearer KEY, or as the query parameter api_key',
    )
  const found = await lookUp(app, key ? 'key' : 'user', secret, now)
  if (!found || isOver(found, now)) throw unauthorized(key ? 'The API key is not valid' : 'Sign in again')
  const { actor, store, replica } = found
  app.keyUsage.note(actor.account.id, found.used, now)
  return { id, actor, store, replica, now }
}

const isOver = ({ until }: Principal, now: string) => until !== null && until <= now

/** Who a secret stands for, and until when. */
interface Principal {
  actor: Actor
  until: string | null
  used: Used
}

type Used = { kind: 'key'; row: ApiKey } | { kind: 'session'; row: Session }

/** What it takes to find out who asks. */
interface Identifying {
  config: Config
  store: Store
  records: RecordType[]
  /** Those who asked before, by their keys and cookies. */
  identities: Map<string, KnownIdentity>
  keyUsage: { note(account: number, used: Used, now: string): void }
}

/**
 * Who a secret was found to stand for, as long as the account's journal hasn't grown: what makes it another (a key that
 * is revoked, a group that is left, a feature that goes off) is an event there. What nobody holds isn't kept.
 */
async function lookUp(app: Identifying, kind: 'key' | 'user', secret: string, now: string): Promise<Identity | null> {
  const kept = app.identities.get(secret)
  const account = kept?.account ?? accountIn(secret)
  if (account === null) return null
  const position = await app.store.position(account)
  // Whoever came first in this turn may be looking already.
  const last = app.identities.get(secret)
  const known = last?.position === position && last.kind === kind ? await last.identity : null
  // A session that seems over may have been used in another process.
  if (known && !isOver(known, now)) return known
  const identity = find(app, kind, secret, account, position)
  if (app.identities.size >= MAX_IDENTITIES) app.identities.clear()
  app.identities.set(secret, { account, kind, position, identity })
  let found: Identity | null = null
  try {
    found = await identity
  } finally {
    if (!found) app.identities.delete(secret)
  }
  return found
}

async function find(
  app: Identifying,
  kind: 'key' | 'user',
  secret: string,
  number: number,
  position: number,
): Promise<Identity | null> {
  const reader = app.store.asSystem(number, 'who asks is found before it is known what they see')
  const account = await reader.find(accounts, number)
  const holder =
    account &&
    (await (kind === 'key'
      ? principalOfKey(reader, account, secret)
      : principalOfSession(app, reader, account, secret)))
  if (!holder) return null
  const scope = scopeOf(holder.actor)
  return { ...holder, store: app.store.as(scope), replica: app.store.readerAt(scope, position) }
}

/** Who holds a key or session, and what they see. */
type Identity = Principal & { store: Reader; replica: Reader }

/** That, or the question for it, as of a place in the journal of their account. */
export interface KnownIdentity {
  account: number
  kind: 'key' | 'user'
  position: number
  identity: Promise<Identity | null>
}

const MAX_IDENTITIES = 10_000

async function principalOfKey(reader: Reader, account: Account, secret: string): Promise<Principal | null> {
  const key = await reader.findBy(apiKey, 'digest', digestOf(secret))
  if (!key || key.revoked_at) return null
  // Limited to groups that are gone is not the whole account.
  const groups = key.limited ? key.group_ids : null
  const { id, read_only: readOnly, gzip_optional } = key
  const actor: Actor = {
    kind: 'key',
    id,
    account,
    groups,
    readOnly,
    gzipOptional: gzip_optional === true,
    ...unrestricted,
  }
  return { actor, until: key.expires_at, used: { kind: 'key', row: key } }
}

async function principalOfSession(
  app: Identifying,
  reader: Reader,
  account: Account,
  secret: string,
): Promise<Principal | null> {
  const found = await reader.findBy(session, 'digest', digestOf(secret))
  if (!found) return null
  const person = await reader.find(user, found.user_id)
  if (!person?.enabled) return null
  const actor: Actor = {
    ...actorOf(app, account, person),
    session: found.id,
    lacksSecondFactor: account.settings.require_second_factor === true && !(await confirmedFactorOf(reader, person.id)),
  }
  return { actor, until: found.expires_at, used: { kind: 'session', row: found } }
}

/** A person as who acts. */
export function actorOf(
  { records }: Pick<Identifying, 'records'>,
  account: Account,
  { id, permissions, group_ids }: User,
): Actor {
  return {
    kind: 'user',
    id,
    account,
    // Dispatchers see the groups they are in, and what is in no group; admins see all.
    groups: permissions.admin === 'full' ? null : group_ids,
    readOnly: false,
    permissions,
    ownOnly: ownOnlyRecords(permissions, records),
  }
}

const unauthorized = (sentence: string) =>
  new Problem('unauthorized', sentence, { headers: { 'WWW-Authenticate': 'Bearer' } })
