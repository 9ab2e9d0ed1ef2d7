import { randomBytes } from 'node:crypto'
import type { App } from '#app'
import { createApp } from '#app/create'
import { type Call, systemCall } from '#call'
import { createAccount, perform } from '#cli/accounts'
import { readConfig } from '#config'
import type { RawRow, RecordType } from '#fields'
import { records } from '#records'
import { type Account, account as accounts } from '#records/account'
import { digestOf } from '#rules/secrets'
import { newFolder } from './folders.ts'

/** Settings of a Muster, and who is in it. */
export interface Place {
  folder: string
  settings: { [name: string]: string }
  account: number
  /** A key for the whole account. */
  key: string
}

/** A company at work, of a size. */
export interface Company extends Place {
  tags: number[]
  groups: number[]
  customers: number[]
  workers: number[]
  template: number
  /** Ids of the jobs run from 1 to this. */
  jobs: number
  /** A cookie for each of the workers. */
  cookies: string[]
  /** A cookie for each of those who plan the jobs of one group, which are taken in turn. */
  dispatchers: string[]
}

export interface Size {
  workers?: number
  jobs?: number
  /** People who plan one group each. */
  dispatchers?: number
  /** Whether workers are signed in. */
  signedIn?: boolean
  /** Jobs of two steps and three fields in place of five and ten. */
  light?: boolean
}

/** Keeps a record past HTTP: the same rules, and as many at once as there are. */
export type Keep = (record: string, draft: RawRow) => Promise<RawRow>

const DAY = 86_400_000

/** A folder, or a database elsewhere, with an account in it, and what `fill` puts there. */
export async function newPlace(
  settings: { [name: string]: string } = {},
  fill: (keep: Keep, app: App) => Promise<void> = async () => {},
): Promise<Place> {
  const folder = newFolder()
  const place = { folder, settings: { MUSTER_DATA_DIR: folder, ...settings } }
  const app = await createApp(readConfig({ ...place.settings, MUSTER_LOG_LEVEL: 'silent' }))
  try {
    const made = await createAccount(app, 'Bench', 'UTC', 'bench')
    const account = (await app.store.asSystem(made.account_id, 'a test').find(accounts, made.account_id)) as Account
    const call: Call = { ...systemCall(app.store, account, 'bench'), now: new Date().toISOString() }
    await fill((name, draft) => perform(app, call, named(name), draft), app)
    return { ...place, account: made.account_id, key: made.api_key }
  } finally {
    await app.close()
  }
}

const named = (name: string) => records.find((record) => record.name === name) as RecordType

/** 30 tags, 5 groups, 100 customers, a template with 5 steps and 10 fields; each worker has half of the tags. */
export async function newCompany(
  { workers = 200, jobs = 2000, dispatchers = 0, signedIn = false, light = false }: Size = {},
  settings = {},
): Promise<Company> {
  const many = <T>(count: number, make: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, i) => make(i)))
  const company = { cookies: [] as string[], dispatchers: [] as string[], jobs } as Company
  const place = await newPlace(settings, async (keep) => {
    const made = (record: string, count: number, draft: (i: number) => RawRow) =>
      many(count, async (i) => (await keep(record, draft(i))).id as number)
    company.tags = await made('tag', 30, (i) => ({ name: `Qualification ${i}`, expires: false }))
    company.groups = await made('group', 5, (i) => ({ name: `Region ${i}` }))
    company.customers = await made('customer', 100, (i) => ({ name: `Customer ${i}` }))
    const half = (i: number) => company.tags.filter((_, n) => (n + i) % 2 === 0)
    company.workers = await made('user', workers, (i) => ({
      name: `Worker ${i}`,
      email: `worker-${i}@example.com`,
      permissions: { mobile: 'full' },
      group_ids: [company.groups[i % 5]],
      tags: half(i).map((id) => ({ id })),
      start_location: { lat: at(-36, i), lng: at(174, i * 7) },
    }))
    company.template = (await keep('template', light ? lightened : template)).id
    // One after the other by the hundred: their ids are to be those that a loop would give.
    for (let from = 0; from < jobs; from += 100)
      await many(Math.min(100, jobs - from), (i) => keep('job', jobDraft(company, from + i)))
    const planners = await made('user', dispatchers, (i) => ({
      name: `Dispatcher ${i}`,
      email: `dispatcher-${i}@example.com`,
      permissions: { jobs: 'full', schedule: 'full' },
      group_ids: [company.groups[i % 5]],
    }))
    company.dispatchers = await many(dispatchers, (i) => signIn(keep, planners[i] ?? 0))
    if (signedIn) company.cookies = await many(workers, (i) => signIn(keep, company.workers[i] ?? 0))
  })
  // The first account's number is what a cookie begins with.
  return { ...company, ...place }
}

/** A job of tomorrow, ten a day for each of 200 workers. */
export const jobDraft = ({ customers, template, tags, workers, groups }: Company, i: number): RawRow => ({
  third_party_id: `WO-${i}`,
  customer_id: customers[i % customers.length],
  template_id: template,
  group_ids: [groups[i % groups.length]],
  tag_ids: [tags[(i + 2 * (i % 7)) % tags.length]],
  // One in twenty waits for somebody.
  worker_id: i % 20 === 19 ? null : workers[i % workers.length],
  planned_start_at: new Date(
    tomorrow() + 7 * 3600_000 + (Math.floor(i / workers.length) % 10) * 3600_000,
  ).toISOString(),
  planned_duration: 2700,
  published_at: i % 3 === 0 && i % 20 !== 19 ? new Date().toISOString() : null,
  notes: `Ring twice at gate ${String.fromCharCode(65 + (i % 20))}`,
  contact: {
    first_name: 'Ana',
    last_name: `Number ${i}`,
    mobile: '+64 21 555 0100',
    location: { formatted_address: `${i} Queen Street, Auckland`, lat: at(-36, i), lng: at(174, i * 3) },
  },
})

const template = {
  name: 'Boiler service',
  planned_duration: 2700,
  steps: ['Arrive on site', 'Isolate and open', 'Service', 'Test', 'Hand over'].map((name) => ({ name })),
  custom_fields: [
    { name: 'Gas pressure', type: 'number', permission: 'required', value: '20.9' },
    { name: 'Flue temperature', type: 'number', value: '118' },
    { name: 'Condition', type: 'pick_list', options: ['Good', 'Worn', 'Unsafe'] },
    { name: 'Parts fitted', type: 'multi_pick_list', options: ['Electrode', 'Fan', 'Gasket'] },
    { name: 'Valve tested', type: 'checkbox' },
    { name: 'Manual', type: 'link', permission: 'read_only', value: 'https://example.com/manuals/boilers' },
    { name: 'Remarks', type: 'text' },
    { name: 'Estimate', type: 'currency', value: '185.00' },
    { name: 'Photo of the boiler', type: 'image' },
    { name: 'Signature of the customer', type: 'signature' },
  ],
}

const lightened = { ...template, steps: template.steps.slice(0, 2), custom_fields: template.custom_fields.slice(0, 3) }

const tomorrow = () => (Math.floor(Date.now() / DAY) + 1) * DAY

/** Somewhere within half a degree. */
const at = (degrees: number, i: number) => (degrees + ((i * 37) % 500) / 1000).toFixed(4)

async function signIn(keep: Keep, user: number): Promise<string> {
  // The account of a new place is its first.
  const cookie = `1_${randomBytes(32).toString('base64url')}`
  await keep('session', {
    user_id: user,
    device: 'Phone',
    digest: digestOf(cookie),
    expires_at: new Date(Date.now() + 30 * DAY).toISOString(),
  })
  return cookie
}
