/** Directus from npm: a Node service that puts an API on SQLite. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cores } from '../support/cores.ts'
import { freePort } from '../support/ports.ts'
import { root, start } from '../support/processes.ts'
import { requestOf } from '../support/requests.ts'
import type { Peer } from './peer.ts'

const VERSION = '12.4.0'

/** The isolated-vm that it asks for knows no Node 24. */
const manifest = { private: true, dependencies: { directus: VERSION }, overrides: { 'isolated-vm': '7.0.1' } }

const folder = join(root, 'bench/.peers', `directus-${VERSION}`)
const [database, fresh] = [join(folder, 'data.db'), join(folder, 'fresh.db')]
const TOKEN = 'bench-0123456789-bench-0123456789'

const environment = (port: number) => ({
  HOME: folder,
  SECRET: TOKEN,
  DB_CLIENT: 'sqlite3',
  DB_FILENAME: database,
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'bench',
  ADMIN_TOKEN: TOKEN,
  HOST: '127.0.0.1',
  PORT: String(port),
  TELEMETRY: 'false',
  // It would answer 503 as soon as its core is busy.
  PRESSURE_LIMITER_ENABLED: 'false',
})

const cli = [process.execPath, join(folder, 'node_modules/directus/cli.js')]

export const directus: Peer = {
  name: 'Directus',
  goal: 10,
  hindrance: () => null,

  install() {
    if (existsSync(fresh)) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    // Of what is compiled, only its SQLite is needed and not brought along.
    must('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    must('npm', 'rebuild', 'sqlite3', '--loglevel=error')
    rmSync(database, { force: true })
    must(...(cli as [string, string]), 'bootstrap')
    copyFileSync(database, fresh)
  },

  async start() {
    copyFileSync(fresh, database)
    const port = await freePort()
    const began = performance.now()
    const server = start({
      command: [...cli, 'start'],
      core: cores?.server,
      cwd: folder,
      env: environment(port),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
    const call = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const field = (name: string, type: string, column: object = {}) => ({ field: name, type, schema: column })
    const collection = {
      collection: 'tags',
      schema: {},
      fields: [
        field('id', 'integer', { is_primary_key: true, has_auto_increment: true }),
        field('name', 'string'),
        field('description', 'text'),
        field('expires', 'boolean'),
      ],
    }
    let made = await call('/collections', collection).catch(() => null)
    for (
      ;
      made === null && server.child.exitCode === null;
      made = await call('/collections', collection).catch(() => null)
    )
      await sleep(20)
    const startedMs = performance.now() - began
    let last = 0
    const tag = () => ({ name: `Tag ${++last}`, description: 'Holds a current harness certificate', expires: true })
    const answer = await call('/items/tags', tag())
    if (!answer.ok) throw new Error(`Directus answered ${answer.status}: ${await answer.text()}`)
    const { data } = (await answer.json()) as { data: { id: number } }
    return {
      ...server,
      port,
      startedMs,
      connections: { read: 16, create: 16 },
      read: requestOf('GET', `/items/tags/${data.id}`, headers),
      create: () => requestOf('POST', '/items/tags', headers, JSON.stringify(tag())),
    }
  },
}

function must(command: string, ...words: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    env: {
      ...process.env,
      ...environment(0),
      // npm on the Node that will run it, with the headers of that.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      npm_config_nodedir: dirname(dirname(process.execPath)),
    },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed:\n${stdout}${stderr}`)
}
