import { randomBytes } from 'node:crypto'
import type { App } from '#app'
import { systemCall } from '#call'
import type { RawRow, RecordType } from '#fields'
import { type Account, account as accounts } from '#records/account'
import { apiKey } from '#records/api-key'
import { user } from '#records/user'
import { digestOf } from '#server/identify'

/** What an operator does with accounts and keys; through the same door as everybody, in the journal as the system. */

export interface NewAccount {
  account_id: number
  api_key: string
  admin_email: string
  admin_password: string
}

const secret = (bytes: number) => randomBytes(bytes).toString('base64url')

/** An account with an admin and a key for the whole of it. */
export async function createAccount(app: App, name: string, timeZone: string, call: string): Promise<NewAccount> {
  // The first thing that is written in an account is itself, so its number comes before it.
  const id = await app.store.write({ account: 0, groups: null }, (tx) => tx.nextIds(accounts.plural, 1))
  const account = (await write(app, { id } as Account, call, accounts, { id, name, time_zone: timeZone })) as Account
  const admin_email = `admin@account-${id}.local`
  const admin_password = secret(12)
  const draft = { name: 'Admin', email: admin_email, password: admin_password, permissions: { admin: 'full' } }
  await write(app, account, call, user, draft)
  const { api_key } = await createKey(app, account, { name: 'First key' }, call)
  return { account_id: account.id, api_key, admin_email, admin_password }
}

/** A key; its text is shown this once and never kept. */
export async function createKey(
  app: App,
  account: Account,
  draft: RawRow,
  call: string,
): Promise<{ id: number; api_key: string }> {
  const api_key = `${account.id.toString(36)}_${secret(24)}`
  const kept = { ...draft, prefix: api_key.slice(0, 6), digest: digestOf(api_key) }
  const { id } = await write(app, account, call, apiKey, kept)
  return { id, api_key }
}

export async function write(
  app: App,
  account: Account,
  call: string,
  record: RecordType,
  draft: RawRow,
  before?: RawRow,
): Promise<RawRow> {
  return app.act.perform(systemCall(app.store, account, call), {
    record: record as RecordType,
    action: before ? 'update' : 'create',
    ...(before && { target: (tx) => tx.find(record, before.id) }),
    draft,
    faults: [],
    answer: (row) => row,
  })
}
