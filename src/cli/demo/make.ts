import type { App } from '#app'
import { account as accounts } from '#records/account'
import { accountOf, createAccount, type NewAccount, write } from '../accounts.ts'
import type { NewPerson, Person, Request } from './actors.ts'
import { makeCrowd, namedWorkers } from './crowd.ts'
import { deskOf } from './desk.ts'
import { serverOf } from './in-process.ts'
import { makeHours } from './make-hours.ts'
import { makeJobs } from './make-jobs.ts'
import { makePeople } from './make-people.ts'
import { makeThings } from './make-things.ts'
import { makeThreads } from './make-threads.ts'
import { company, dispatchers } from './people.ts'
import { sendWays } from './send-ways.ts'

export interface Demo extends NewAccount, Week {}

/** What is told of a week that was made. */
export interface Week {
  signature_id: string
  attachment_id: string
  people: NewPerson[]
}

export interface DemoOptions {
  /** How many workers there are in all; without it, those that are named. */
  workers?: number
  /** Told once it is made; the account is played until what it answers with is settled. */
  made?: (demo: Demo, crew: readonly Person[]) => Promise<void>
}

/** A believable account, the same each time but for its ids, its secrets and for now. */
export async function makeDemo(app: App, { workers, made: whenMade }: DemoOptions = {}): Promise<Demo> {
  const made = await createAccount(app, company.name, company.zone, CALL)
  // An account and how it works are the operator's: no route writes them. Everything else is asked for as anybody would.
  const account = await accountOf(app, String(made.account_id))
  await write(app, account, CALL, accounts, company.works, account)
  const { request, close } = await serverOf(app)
  try {
    const { account_id, api_key, admin_email, admin_password } = made
    const { people, crew, ...files } = await makeWeek(request, account_id, api_key, workers)
    const demo = { account_id, api_key, ...files, admin_email, admin_password, people }
    await whenMade?.(demo, crew)
    return demo
  } finally {
    await close()
  }
}

/**
 * A week at work in an account that is empty yet, by requests alone: a program with the key hires people, who then sign
 * in and do the rest themselves. Phones say when steps were completed, work was signed and where they were; when a
 * record was made and a message was written only the server says, so that is now.
 */
async function makeWeek(
  request: Request,
  accountId: number,
  key: string,
  workers = namedWorkers,
): Promise<Week & { crew: Person[] }> {
  const desk = deskOf(request, accountId, key)
  const people = await makePeople(desk)
  await makeHours(people, desk)
  const town = { ...desk, ...people, ...(await makeThings(people)) }
  const { plans, jobs, ...files } = await makeJobs(town)
  await sendWays(town, plans)
  await makeThreads(town, jobs)
  if (workers > namedWorkers) await makeCrowd(town, workers - namedWorkers)
  const told = [...people.people.values()].map(({ name, email, password }) => ({ name, email, password }))
  const office = new Set(dispatchers.map(({ name }) => name))
  return { ...files, people: told, crew: [...people.people.values()].filter(({ name }) => !office.has(name)) }
}

/** What the journal says of what the operator did. */
const CALL = 'muster demo'
