import type { AddressInfo } from 'node:net'
import type { App } from '#app'
import type { Config } from '#config'
import { createAccount } from './accounts.ts'
import { refuseDamaged } from './damage.ts'
import { makeDataFolder } from './data-folder.ts'
import type { Verb } from './verb.ts'

/** After a signal to stop, requests under way get this long. */
const STOP_MS = 25_000

export const serve: Verb = {
  usage: '',
  about:
    'Run the server. Makes the data folder, an account, an admin and a key at the first start, and migrates at each.',
  options: {},
  words: [0, 0],
  async run({ config }) {
    makeDataFolder(config)
    await refuseDamaged(config)
    const [{ createApp }, { createServer }, { backUpDaily }] = await Promise.all([
      import('#app'),
      import('#server/server'),
      import('#jobs/back-up'),
    ])
    const app = await createApp(config)
    const server = createServer(app)
    const stopped = stopOnSignals(app, () => server.close())
    try {
      await server.listen({ host: config.MUSTER_HOST, port: config.MUSTER_PORT })
    } catch (error) {
      await app.close()
      throw error
    }
    const address = addressOf(config, server.server.address() as AddressInfo)
    if ((await app.store.accountIds()).length === 0) await welcome(app, address)
    process.stdout.write(`Muster serves on ${address}\n`)
    const stopBackups = backUpDaily(app)
    await stopped
    stopBackups()
  },
}

/** The first start: something to sign in and to try with, shown once. */
async function welcome(app: App, address: string) {
  const made = await createAccount(app, 'My company', 'UTC', 'first start')
  process.stdout.write(`
Welcome to Muster. This is shown once; keep it.

  Address         ${address}
  Admin sign-in   ${made.admin_email}
  Admin password  ${made.admin_password}
  API key         ${made.api_key}

Try it:

  curl --compressed -H 'Content-Type: application/xml; charset=utf-8' \\
    -d '<tag><name>Working at height</name><expires>true</expires></tag>' \\
    '${address}/v5/tags.xml?api_key=${made.api_key}'

`)
}

function addressOf(config: Config, { address, port, family }: AddressInfo): string {
  if (config.MUSTER_BASE_URL) return config.MUSTER_BASE_URL
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}

/** SIGTERM and SIGINT: refuse what is new, finish what runs, close the database. A second signal doesn't wait. */
function stopOnSignals(app: App, close: () => Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stop = async () => {
      if (app.stopping) process.exit(1)
      app.stopping = true
      setTimeout(() => process.exit(1), STOP_MS).unref()
      await close()
      await app.close()
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
