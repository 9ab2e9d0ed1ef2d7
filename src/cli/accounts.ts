import { randomBytes } from 'node:crypto'
import type { App } from '#app'
import { type Call, systemCall } from '#call'
import { beforeAll, type RawRow, type RecordType } from '#fields'
import { json } from '#formats/json'
import { Problem } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { apiKey } from '#records/api-key'
import { user } from '#records/user'
import { newApiKey } from '#rules/secrets'
import { UsageError } from './verb.ts'

/** What an operator does with accounts and keys; through the same door as everybody, in the journal as the system. */

export interface NewAccount {
  account_id: number
  api_key: string
  admin_email: string
  admin_password: string
}

/** An account with an admin and a key for the whole of it. */
export async function createAccount(app: App, name: string, timeZone: string, call: string): Promise<NewAccount> {
  // The first thing that is written in an account is itself, so its number comes before it.
  const id = await app.store.writeAsSystem(0, 'an account begins with its number', (tx) =>
    tx.nextIds(accounts.plural, 1),
  )
  const account = (await write(app, { id } as Account, call, accounts, { id, name, time_zone: timeZone })) as Account
  const admin_email = `admin@account-${id}.local`
  const admin_password = randomBytes(12).toString('base64url')
  const draft = { name: 'Admin', email: admin_email, password: admin_password, permissions: office }
  await write(app, account, call, user, draft)
  const { api_key } = await createKey(app, account, { name: 'First key' }, call)
  return { account_id: account.id, api_key, admin_email, admin_password }
}

/** Every tab of the office, and no work in the field. */
const office = Object.fromEntries(
  Object.keys(user.fields.permissions.fields ?? {})
    .filter((name) => !name.startsWith('mobile'))
    .map((name) => [name, 'full']),
)

/** A key; its text is shown this once and never kept. */
export async function createKey(
  app: App,
  account: Account,
  draft: RawRow,
  call: string,
): Promise<{ id: number; api_key: string }> {
  const { text, ...kept } = newApiKey(account.id)
  const { id } = await write(app, account, call, apiKey, { ...draft, ...kept })
  return { id, api_key: text }
}

/** Writes as the system; `call` says in the journal which command it was. */
export function write(
  app: App,
  account: Account,
  call: string,
  record: RecordType,
  draft: RawRow,
  before?: RawRow,
): Promise<RawRow> {
  return perform(app, systemCall(app.store, account, call), record, draft, before)
}

/** Writes as whoever the call says. */
export async function perform(
  app: App,
  call: Call,
  record: RecordType,
  draft: RawRow,
  before?: RawRow,
): Promise<RawRow> {
  const { row } = await app.mutations.execute(call, {
    record,
    action: before ? 'update' : 'create',
    ...(before && { target: (tx) => tx.find(record, before.id) }),
    draft,
  })
  return row
}

/** The account that a word of the command line means. */
export async function accountOf(app: App, word: string): Promise<Account> {
  const id = numberOf(word, 'the account')
  const found = await app.store.asSystem(id, 'a command of the operator').find(accounts, id)
  if (found) return found as Account
  throw noAccount(app, id)
}

export const noAccount = ({ config }: App, id: number) =>
  new Problem(
    'not_found',
    `there is no account ${id} in ${config.MUSTER_DATA_DIR}; muster account list shows those there are`,
  )

export async function allAccounts(app: App): Promise<Account[]> {
  const ids = await app.store.accountIds()
  return Promise.all(ids.map((id) => accountOf(app, String(id))))
}

/** Everything of one record in an account. */
export async function rowsOf(app: App, account: Account, record: RecordType): Promise<RawRow[]> {
  const reader = app.store.asSystem(account.id, 'a command of the operator')
  const rows: RawRow[] = []
  for (let page: RawRow[] | null = null; page === null || page.length === PAGE; rows.push(...page)) {
    const query = { filters: [], after: rows.at(-1)?.id ?? beforeAll(record), limit: PAGE }
    page = await reader.list(record, query)
  }
  return rows
}

const PAGE = 1000

/** A row as the JSON twin shows it. */
export const shown = (record: RecordType, row: RawRow): RawRow =>
  JSON.parse(json.one(record, record)(row, { zone: 'UTC' }))[record.name]

export function numberOf(word: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(word))
    throw new UsageError(`${what} is given by its number, and not ${JSON.stringify(word)}`)
  return Number(word)
}
