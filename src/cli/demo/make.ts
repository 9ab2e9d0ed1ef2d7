import type { App } from '#app'
import { scopeOf, systemCall } from '#call'
import { type RawRow, type RecordType, readFields } from '#fields'
import { invalid } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { accountOf, createAccount, type NewAccount, perform, write } from '../accounts.ts'
import { type Calendar, calendarOf, DAY } from './calendar.ts'
import { makeJobs } from './make-jobs.ts'
import { makePeople } from './make-people.ts'
import { makeThings } from './make-things.ts'
import { makeThreads } from './make-threads.ts'
import { company } from './people.ts'

export interface Demo extends NewAccount {
  signature_id: string
  attachment_id: string
}

/** What the parts of the demo are made with. */
export interface Desk {
  app: App
  calendar: Calendar
  accountId: number
  /** Everybody signs in with it. */
  password: string
  keep: Keep
  /** Keeps one record for each of some rows, as they were made when the company began here. */
  keepAll<T>(
    rows: readonly T[],
    record: RecordType,
    draftOf: (row: T, i: number) => RawRow,
    more?: Kept,
  ): Promise<RawRow[]>
}

export type Keep = (record: RecordType, raw: RawRow, more?: Kept) => Promise<RawRow>

export interface Kept {
  /** What only the server may say. */
  server?: RawRow
  /** What is changed, when it isn't new. */
  before?: RawRow
  /** The person who does it; the system unless said. */
  by?: RawRow | undefined
  /** Milliseconds; now unless said. */
  at?: number | undefined
}

/** A believable account, the same each time but for its secrets and for now. */
export async function makeDemo(app: App): Promise<Demo> {
  const made = await createAccount(app, company.name, company.zone, CALL)
  const desk = await deskOf(app, made)
  const people = await makePeople(desk)
  const town = { ...desk, ...people, ...(await makeThings(desk, people)) }
  const { jobs, signature_id, attachment_id } = await makeJobs(town)
  await makeThreads(town, jobs)
  const { account_id, api_key, admin_email, admin_password } = made
  return { account_id, api_key, signature_id, attachment_id, admin_email, admin_password }
}

/** What the journal says of it. */
const CALL = 'muster demo'

export const byName = (rows: RawRow[]) => new Map(rows.map((row) => [row.name as string, row]))

/** Letters and digits of a name: `Liam O’Connor` → `liam.oconnor`. */
export const plainName = (name: string, between = '.') =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9 ]/g, '')
    .toLowerCase()
    .trim()
    .replaceAll(' ', between)

async function deskOf(app: App, { account_id, admin_password }: NewAccount): Promise<Desk> {
  const made = await accountOf(app, String(account_id))
  const account = (await write(app, made, CALL, accounts, company.works, made)) as Account
  const calendar = calendarOf(company.zone)
  const began = calendar.now - 40 * DAY

  const keep: Keep = (record, raw, { server = {}, before, by, at = calendar.now } = {}) => {
    const call = systemCall(app.store, account, CALL, new Date(at).toISOString())
    if (by) call.actor = { ...call.actor, kind: 'user', id: by.id }
    // Read as if it came in, so that nothing gets into the demo that a client couldn't have sent.
    const faults: Parameters<typeof invalid>[0] = []
    const draft = readFields(record.fields, raw, { path: '', faults })
    if (faults.length > 0) throw invalid(faults)
    return perform(app, { ...call, store: app.store.as(scopeOf(call.actor)) }, record, { ...draft, ...server }, before)
  }

  return {
    app,
    calendar,
    accountId: account_id,
    password: admin_password,
    keep,
    keepAll: (rows, record, draftOf, more) =>
      Promise.all(rows.map((row, i) => keep(record, draftOf(row, i), { at: began, ...more }))),
  }
}
