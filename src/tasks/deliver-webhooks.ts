import { createHmac } from 'node:crypto'
import { systemCall } from '#call'
import { jsonOf } from '#formats/json'
import type { Log } from '#log'
import { account as accounts } from '#records/account'
import { eventOf, rowOf } from '#records/event'
import { type Delivery, delivery, type Webhook, webhook } from '#records/webhook'
import { pendingDelivery, TEST_EVENT_ID } from '#rules/delivery'
import { meaningsOf } from '#rules/event-types'
import type { Mutations } from '#rules/mutations'
import { idFor } from '#rules/past'
import { visibleEvents } from '#rules/visible-events'
import type { ListQuery } from '#store/select'
import type { Store } from '#store/store'
import type { Post } from './post-webhook.ts'
import { repeatOnLeader } from './repeat.ts'

/** What it needs of the world; tests bring their own. */
export interface Environment {
  post: Post
  now(): number
  /** From 0 to 1, for the jitter. */
  random(): number
}

/** Whatever woke it or not, one process looks up this often: for retries, and for what nobody rang for any more. */
const EVERY_MS = 2_000
const PURGE_MS = 3600_000
/** What is written together is sent together. */
const GATHER_MS = 30
/** Why it sees whole accounts. */
const REASON = 'webhooks are told of everything in their account'
/** Of one account, at most. */
const MAX_WEBHOOKS = 1000
/** Events that become deliveries, and deliveries that are under way to one webhook, at a time. */
const MAX_EVENTS_PER_ROUND = 200
const MAX_CONCURRENT_DELIVERIES = 8
/** Who takes a delivery on has so long before another process takes it for lost. */
const LEASE_MS = 60_000

/** The first retry comes after this, the next after four times that, and so on up to the longest. */
const FIRST_RETRY_MS = 5_000
const RETRY_FACTOR = 4
const LONGEST_RETRY_MS = 12 * 3600_000
/** So much of a wait, up or down, is left to chance, so that what failed together doesn't come back together. */
const JITTER = 0.2
const GIVE_UP_MS = 3 * 24 * 3600_000
/** A webhook where nothing but failures came for so long is switched off. */
const DISABLE_AFTER_MS = 5 * 24 * 3600_000
const RETENTION_MS = 30 * 24 * 3600_000

interface Needs {
  store: Store
  mutations: Mutations
  log: Log
}

/**
 * Tells webhooks of events. Deliveries are made of the journal, each with the webhook's place in it in one transaction:
 * nothing is sent that was not kept, and nothing that was kept is forgotten, whenever the process ends. What was under
 * way then is sent again. (docs/decisions/0006-outbox.md)
 */
export class WebhookDeliveries {
  private readonly app: Needs
  private readonly environment: Environment
  /** By webhook, what is under way; and those that are to be looked after once more. */
  private readonly running = new Map<string, Promise<void>>()
  private readonly again = new Set<string>()
  /** Accounts that are about to be looked after. */
  private readonly awake = new Set<number>()
  private stops: (() => void)[] = []
  private stopped = false

  constructor(app: Needs, world: Environment) {
    this.app = app
    this.environment = world
  }

  start(): void {
    const { store, mutations } = this.app
    this.stops = [
      // Who wrote looks after it; others would only be in its way.
      mutations.onCommit((account, here) => {
        if (here) this.wake(account)
      }),
      repeatOnLeader(store, EVERY_MS, () => this.wakeAll(), this.warn),
      repeatOnLeader(store, PURGE_MS, () => this.purge(), this.warn),
    ]
  }

  /** Lets what is under way come to its end. */
  async stop(): Promise<void> {
    this.stopped = true
    for (const stop of this.stops) stop()
    await Promise.all(this.running.values())
  }

  /** Looks after an account soon, together with what else happens there by then. */
  wake(account: number): void {
    if (this.stopped || this.awake.has(account)) return
    this.awake.add(account)
    setTimeout(() => {
      this.awake.delete(account)
      if (!this.stopped) void this.checkAccount(account).catch(this.warn)
    }, GATHER_MS).unref()
  }

  private async wakeAll() {
    for (const account of await this.app.store.accountIds()) this.wake(account)
  }

  /** Does what is to be done for an account now. */
  async round(account: number): Promise<void> {
    await this.checkAccount(account)
    await Promise.all(this.running.values())
  }

  private async checkAccount(account: number): Promise<void> {
    const reader = this.app.store.asSystem(account, REASON)
    const filters = [{ field: 'enabled', op: '=', value: 1 } as const]
    for (const { id } of await reader.list(webhook, { filters, limit: MAX_WEBHOOKS })) this.run(account, id)
  }

  /** One at a time for each webhook, so that a slow receiver holds up nobody else. */
  private run(account: number, id: number): void {
    const key = `${account} ${id}`
    if (this.running.has(key)) return void this.again.add(key)
    const served = this.drain(account, id)
      .catch(this.warn)
      .then(() => {
        this.running.delete(key)
        if (this.again.delete(key) && !this.stopped) this.run(account, id)
      })
    this.running.set(key, served)
  }

  private readonly warn = (err: unknown) => this.app.log.warn({ err }, 'could not deliver to webhooks')

  private async drain(account: number, id: number): Promise<void> {
    for (;;) {
      const behind = await this.makeDeliveries(account, id)
      const taken = await this.lease(account, id)
      await Promise.all(taken.map((one) => this.attempt(account, one)))
      if (this.stopped || (!behind && taken.length === 0)) return
    }
  }

  /** Makes deliveries of the events after the webhook's place; answers whether there are more. */
  private async makeDeliveries(account: number, id: number): Promise<boolean> {
    // Looked at from outside first, so that nothing is written where nothing is to be done.
    const reader = this.app.store.asSystem(account, REASON)
    const hook = await reader.find(webhook, id)
    if (!hook?.enabled || (await reader.journal.head()) <= hook.cursor) return false
    const owner = await reader.find(accounts, account)
    if (!owner) return false
    const call = systemCall(this.app.store, owner, 'webhooks')
    return this.app.store.writeAsSystem(account, REASON, async (tx) => {
      const mine = await tx.find(webhook, id)
      if (!mine?.enabled) return false
      const upTo = await tx.journal.head()
      const { events, more } = await tx.journal.between(mine.cursor, upTo, MAX_EVENTS_PER_ROUND)
      const now = this.now()
      for (const event of await visibleEvents(call, tx, this.record, events)) {
        for (const type of meaningsOf(mine.events, event))
          await tx.insert(delivery, pendingDelivery({ webhook_id: id, event_id: event.id, event_type: type }, now))
      }
      const cursor = more ? (events.at(-1)?.id ?? upTo) : upTo
      await tx.update(webhook, mine, { cursor })
      return cursor < upTo
    })
  }

  /** Takes on some of the deliveries that are due: until the lease is over, nobody else does. */
  private async lease(account: number, id: number): Promise<Delivery[]> {
    // By when they are due, as the index has them: a long log or a long queue costs nothing.
    const due: ListQuery<keyof Delivery> = {
      filters: [
        { field: 'webhook_id', op: '=', value: id },
        { field: 'next_attempt_at', op: '<', value: this.now(1) },
      ],
      sort: { field: 'next_attempt_at', down: false },
      limit: MAX_CONCURRENT_DELIVERIES,
    }
    const [any] = await this.app.store.asSystem(account, REASON).list(delivery, { ...due, limit: 1 })
    if (!any) return []
    return this.app.store.writeAsSystem(account, REASON, async (tx) => {
      const found = await tx.list(delivery, due)
      for (const one of found)
        await tx.update(delivery, one, { next_attempt_at: this.now(LEASE_MS), attempts: one.attempts + 1 })
      return found
    })
  }

  private async attempt(account: number, one: Delivery): Promise<void> {
    const reader = this.app.store.asSystem(account, REASON)
    const hook = await reader.find(webhook, one.webhook_id)
    const body = await this.body(account, one)
    if (!hook?.enabled || body === null || !hook.secret) return
    const id = one.id
    const timestamp = String(Math.floor(this.environment.now() / 1000))
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Muster-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secretsOf(hook, this.now())
        .map((secret) => signature(secret, id, timestamp, body))
        .join(' '),
    }
    const outcome = await this.environment
      .post(hook.url, headers, body)
      .then(({ status, body: text }) => ({ response_status: status, response_body: text, error: null }))
      .catch((error: Error) => ({ response_status: null, response_body: null, error: sentenceOf(error) }))
    await this.recordOutcome(account, hook.id, one, outcome)
  }

  /** Keeps what came of an attempt, and what follows for the webhook. */
  private async recordOutcome(
    account: number,
    hookId: number,
    one: Delivery,
    outcome: { response_status: number | null; response_body: string | null; error: string | null },
  ): Promise<void> {
    const status = outcome.response_status ?? 0
    const delivered = status >= 200 && status < 300
    const now = this.now()
    const next = delivered || status === 410 ? null : this.nextAttempt(one)
    const reason = await this.app.store.writeAsSystem(account, REASON, async (tx) => {
      await tx.update(delivery, one, {
        ...outcome,
        attempted_at: now,
        updated_at: now,
        status: delivered ? 'delivered' : next ? 'pending' : 'failed',
        next_attempt_at: next,
        delivered_at: delivered ? now : null,
      })
      const hook = await tx.find(webhook, hookId)
      if (!hook) return null
      const since = delivered ? null : (hook.failing_since ?? now)
      if (since !== hook.failing_since) await tx.update(webhook, hook, { failing_since: since })
      if (status === 410) return 'The receiver answered 410 Gone'
      return since && this.environment.now() - Date.parse(since) >= DISABLE_AFTER_MS
        ? `Nothing but failures since ${since.slice(0, 19)}Z`
        : null
    })
    if (reason) await this.switchOff(account, hookId, reason)
  }

  private nextAttempt({ attempts, created_at }: Delivery): string | null {
    const wait = Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** attempts, LONGEST_RETRY_MS)
    const at = this.environment.now() + wait * (1 - JITTER + 2 * JITTER * this.environment.random())
    return at - Date.parse(created_at) > GIVE_UP_MS ? null : new Date(at).toISOString()
  }

  /** In the journal, so that its history tells it. */
  private async switchOff(account: number, id: number, reason: string): Promise<void> {
    const owner = await this.app.store.asSystem(account, REASON).find(accounts, account)
    if (!owner) return
    const now = new Date(this.environment.now()).toISOString()
    await this.app.mutations.execute(systemCall(this.app.store, owner, 'webhooks', now), {
      record: webhook,
      action: 'update',
      target: (tx) => tx.find(webhook, id),
      draft: (row) => (row.enabled ? { enabled: false, disabled_reason: reason } : {}),
    })
  }

  /** What is sent: the event, and the record as it is now; null when it is deleted. */
  private async body(account: number, { event_id, event_type, created_at }: Delivery): Promise<string | null> {
    if (event_id === TEST_EVENT_ID) return JSON.stringify({ type: event_type, timestamp: created_at, data: {} })
    const reader = this.app.store.asSystem(account, REASON)
    const event = await reader.journal.find(event_id)
    if (!event) return null
    const record = this.record(event.record)
    const owner = await reader.find(accounts, account)
    if (!owner) return null
    const printing = { zone: owner.time_zone }
    const row = await reader.find(record, idFor(record)(event.record_id))
    return JSON.stringify({
      type: event_type,
      timestamp: event.at,
      data: {
        event: jsonOf(eventOf(record))(rowOf(event, record), printing),
        [record.name]: row && jsonOf(record)(row, printing),
      },
    })
  }

  /** Forgets deliveries of long ago. */
  async purge(): Promise<void> {
    for (const account of await this.app.store.accountIds())
      await this.app.store.purge(account, delivery, this.now(-RETENTION_MS))
  }

  private readonly record = (name: string) => this.app.store.statements.record(name)
  private readonly now = (later = 0) => new Date(this.environment.now() + later).toISOString()
}

/** What deliveries are signed with: the secret, and the one before as long as it counts. */
const secretsOf = ({ secret, old_secret, old_secret_until }: Webhook, now: string): string[] =>
  [secret, old_secret_until && old_secret_until > now ? old_secret : null].filter((one) => one !== null)

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body`, under the bytes of the secret. (standardwebhooks.com) */
export function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

const sentenceOf = ({ message, name, ...more }: Error & { code?: string }) =>
  (message || more.code || name).slice(0, 255)
