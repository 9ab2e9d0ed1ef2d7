import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { App } from '#app'
import { createApp, type Definitions } from '#app/create'
import { createAccount, createKey, type NewAccount, write } from '#cli/accounts'
import { readConfig } from '#config'
import type { Feature, RawRow } from '#fields'
import { type Account, account as accounts } from '#records/account'
import { createServer } from '#server/server'
import { newClient, type Request } from './client.ts'
import { conformsTo } from './conforms.ts'
import { databases, type TestDatabase } from './databases.ts'
import { removeFolder, temporaryFolder } from './folders.ts'

export interface TestAppOptions {
  /** Closes the app when this test ends; without it, `await using` or `close()` does. */
  t?: TestContext
  database?: TestDatabase
  /** Settings beside those of the folder, the port and the database: `{ MUSTER_STRICT_GZIP: 'false' }`. */
  settings?: { [name: string]: string }
  /** A database without anything in it, and not a copy of the migrated one. */
  empty?: true
  /** Other records, rules and migrations than ours. */
  house?: Definitions
  /** Of the account. */
  timeZone?: string
}

/** An account of the app, and what can be done with it. */
export interface TestAccount {
  /** As it is kept, from when it was made. */
  account: Account
  /** A key for the whole account. */
  key: string
  made: NewAccount
  /** Asks with this account's key. */
  request: Request
  /** Another key of it: `{ read_only: true }`, `{ group_ids: [1] }`. */
  newKey(draft?: RawRow): Promise<string>
  turn(feature: Feature, on: boolean): Promise<void>
}

export interface TestApp extends TestAccount, AsyncDisposable {
  app: App
  /** `http://127.0.0.1:PORT` */
  base: string
  folder: string
  newAccount(options?: { timeZone?: string }): Promise<TestAccount>
  close(): Promise<void>
}

/** A whole Muster: a database of its own, a server on a free port, an account with a key. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { database = databases[0] as TestDatabase, house } = options
  const folder = temporaryFolder()
  const fresh = house || options.empty ? await database.empty(folder) : await database.migrated(folder)
  const config = readConfig({
    MUSTER_DATA_DIR: folder,
    MUSTER_PORT: '0',
    // A bug is printed, and the runner shows it where a test fails.
    MUSTER_LOG_LEVEL: 'error',
    ...fresh.settings,
    ...options.settings,
  })
  const app = await createApp(config, house)
  const server = createServer(app)
  await server.listen({ host: config.MUSTER_HOST, port: config.MUSTER_PORT })
  const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const agent = new Agent({ keepAlive: true })
  const conforms = conformsTo(app)

  let closed: Promise<void> | null = null
  const close = () => {
    closed ??= (async () => {
      agent.destroy()
      await server.close()
      await app.close()
      await fresh.drop()
      removeFolder(folder)
    })()
    return closed
  }
  options.t?.after(close)

  return {
    app,
    base,
    folder,
    ...(await newAccount(options)),
    newAccount,
    close,
    [Symbol.asyncDispose]: close,
  }

  async function newAccount({ timeZone = 'UTC' }: { timeZone?: string } = {}): Promise<TestAccount> {
    const made = await createAccount(app, 'Acme Field Services', timeZone, 'test')
    const read = () => app.store.asSystem(made.account_id, 'a test').find(accounts, made.account_id)
    const account = (await read()) as Account
    return {
      account,
      key: made.api_key,
      made,
      request: newClient(base, made.api_key, agent, conforms),
      newKey: async (draft) => (await createKey(app, account, { name: 'Another key', ...draft }, 'test')).api_key,
      async turn(feature, on) {
        const now = (await read()) as Account
        await write(app, now, 'test', accounts, { features: { [feature]: on } }, now)
      },
    }
  }
}
