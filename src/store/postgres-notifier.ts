import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ChangeNotifier } from './change-notifier.ts'
import type { DatabaseObserver } from './database.ts'

/** What was written to, and messages that nobody keeps. */
const [CHANNEL, BROADCASTS] = ['muster', 'muster_broadcasts']
/** Rings that come together go out together. */
const GATHER_MS = 5
/** PostgreSQL takes 8000 bytes at once; an account's number has up to 16. */
const MAX_AT_ONCE = 400
const MAX_BYTES = 7_900
/** Messages that wait for a connection; more are lost. */
const MAX_WAITING = 1_000
/** A statement that takes longer belongs to a connection that is dead. */
const SILENCE_MS = 5_000
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [100, 5_000]
/** The lock of the process that leads; two numbers, so that it is in the way of no account's. */
const LEADER_LOCK = '77, 1'

/**
 * What the processes on one PostgreSQL tell each other: one connection of each listens and rings, and of all that are
 * connected one leads. Rings go out after the commit and by themselves: a NOTIFY inside a transaction would make the
 * commits of all accounts wait for each other. A ring that is lost costs seconds, since readers look by themselves.
 * (docs/decisions/0011-several-processes.md)
 */
export class PostgresNotifier {
  private readonly url: string
  private readonly observer: Pick<DatabaseObserver, 'reported'>
  private readonly local = new ChangeNotifier()
  private readonly waiting = new Set<number>()
  private messages: string[] = []
  private client: pg.Client | null = null
  private connecting: Promise<void> | null = null
  private sending: Promise<void> | null = null
  private leading = false
  private retryMs = FIRST_RETRY_MS
  private closed = false

  constructor(url: string, observer: Pick<DatabaseObserver, 'reported'>) {
    this.url = url
    this.observer = observer
  }

  notify(partition: number): void {
    this.local.notify(partition)
    this.waiting.add(partition)
    this.sending ??= this.send()
  }

  subscribe(listener: Parameters<ChangeNotifier['subscribe']>[0]): () => void {
    void this.connect()
    return this.local.subscribe(listener)
  }

  broadcast(partition: number, message: string): void {
    this.local.broadcast(partition, message)
    if (this.messages.length < MAX_WAITING) this.messages.push(`${partition} ${message}`)
    this.sending ??= this.send()
  }

  onBroadcast(listener: Parameters<ChangeNotifier['onBroadcast']>[0]): () => void {
    void this.connect()
    return this.local.onBroadcast(listener)
  }

  /** Whether this process is the one of all that does what only one needs to. The lock ends with the connection. */
  async isLeader(): Promise<boolean> {
    await this.connect()
    if (!this.client || this.leading) return this.leading
    const asked = this.client.query(`select pg_try_advisory_lock(${LEADER_LOCK}) as mine`)
    this.leading = await asked.then(({ rows }) => rows[0].mine).catch(this.onConnectionLost)
    return this.leading
  }

  /** Sends what still waits, and hangs up. */
  async close(): Promise<void> {
    await this.sending
    this.closed = true
    await this.connecting
    await this.client?.end().catch(() => {})
  }

  private async send(): Promise<void> {
    await sleep(GATHER_MS)
    await this.connect()
    const partitions = [...this.waiting]
    const messages = this.messages
    this.waiting.clear()
    this.messages = []
    this.sending = null
    for (let i = 0; i < partitions.length; i += MAX_AT_ONCE)
      await this.tell(CHANNEL, partitions.slice(i, i + MAX_AT_ONCE).join())
    for (const piece of piecesOf(messages)) await this.tell(BROADCASTS, piece)
  }

  private async tell(channel: string, payload: string): Promise<void> {
    await this.client?.query(`select pg_notify('${channel}', $1)`, [payload]).catch(this.onConnectionLost)
  }

  /** One attempt for who asks now; after it has failed, more are made on the side. */
  private connect(): Promise<void> {
    if (this.client || this.closed) return Promise.resolve()
    this.connecting ??= this.attempt().then((found) => {
      this.connecting = null
      this.retryMs = found ? FIRST_RETRY_MS : Math.min(2 * this.retryMs, LONGEST_RETRY_MS)
      if (!found) setTimeout(() => void this.connect(), this.retryMs * (0.5 + Math.random())).unref()
    })
    return this.connecting
  }

  private async attempt(): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: SILENCE_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Rings need not be on the disk. A machine that lost its power leads no longer than this.
      options:
        '-c synchronous_commit=off -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    })
    const lost = (error: Error = new Error('The connection ended')) => {
      if (this.client === client) this.onConnectionLost(error)
    }
    client.on('error', lost)
    client.on('end', () => lost())
    client.on('notification', ({ processId, channel, payload = '' }) => {
      if (processId === ownPid(client)) return
      if (channel === CHANNEL) for (const partition of payload.split(',')) this.local.notify(Number(partition), false)
      else
        for (const line of payload.split('\n')) {
          const space = line.indexOf(' ')
          this.local.broadcast(Number(line.slice(0, space)), line.slice(space + 1))
        }
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}; listen ${BROADCASTS}`)
    } catch (error) {
      this.observer.reported('notifier', error)
      await client.end().catch(() => {})
      return false
    }
    this.client = client
    this.observer.reported('notifier', null)
    return true
  }

  /** Another connection is made; who leads was decided by this one. */
  private readonly onConnectionLost = (error: Error): false => {
    if (!this.closed) this.observer.reported('notifier', error)
    const client = this.client
    this.client = null
    this.leading = false
    void client?.end().catch(() => {})
    void this.connect()
    return false
  }
}

const ownPid = (client: pg.Client) => (client as unknown as { processID: number }).processID

/** Messages, a line each, in pieces that PostgreSQL takes. */
function piecesOf(messages: string[]): string[] {
  const pieces: string[] = []
  let bytes = MAX_BYTES
  for (const message of messages) {
    const length = Buffer.byteLength(message) + 1
    bytes += length
    if (bytes > MAX_BYTES) {
      pieces.push(message)
      bytes = length
    } else pieces[pieces.length - 1] += `\n${message}`
  }
  return pieces
}
