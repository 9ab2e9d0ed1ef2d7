import { hash } from 'node:crypto'
import type { App } from '#app'
import { type Actor, type Call, scopeOf } from '#call'
import { Problem } from '#problem'
import type { Account } from '#records/account'
import { account as accounts } from '#records/account'
import { type ApiKey, apiKey } from '#records/api-key'

/** A key begins with the number of its account, so that it can be looked up there like everything else. */
const form = /^([0-9a-z]{1,10})_[A-Za-z0-9_-]{20,100}$/

/**
 * Who asks: the key of the query, else that of `Authorization: Bearer`.
 * @throws Problem unauthorized (401) for none, an unknown, an expired or a revoked one
 */
export async function identify(
  app: App,
  id: string,
  now: string,
  parameter: string | null,
  authorization: string | undefined,
): Promise<Call> {
  const text = parameter || /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  if (!text) throw unauthorized('An API key is required: send it as the query parameter api_key')
  const number = Number.parseInt(form.exec(text)?.[1] ?? '', 36)
  const system = Number.isSafeInteger(number) ? app.store.as({ account: number, groups: null }) : null
  const key = (await system?.findBy(apiKey, 'digest', digestOf(text))) as ApiKey | null | undefined
  if (!key || key.revoked_at || (key.expires_at && key.expires_at <= now))
    throw unauthorized('The API key is not valid')
  const account = (await system?.find(accounts, number)) as Account | null
  if (!account) throw unauthorized('The API key is not valid')
  app.keyUse.note(number, key, now)
  const actor: Actor = {
    kind: 'key',
    id: key.id,
    account,
    groups: key.group_ids.length > 0 ? key.group_ids : null,
    readOnly: key.read_only,
  }
  return { id, actor, store: app.store.as(scopeOf(actor)), now }
}

/** What is kept of a key. */
export const digestOf = (key: string) => hash('sha256', key, 'hex')

const unauthorized = (sentence: string) =>
  new Problem('unauthorized', sentence, { headers: { 'WWW-Authenticate': 'Bearer' } })
