import { systemCall } from '#call'
import type { Config } from '#config'
import type { Log } from '#log'
import { messageOf } from '#problem'
import { account as accounts } from '#records/account'
import { conflict } from '#records/conflict'
import { type Job, job } from '#records/job'
import { message } from '#records/message'
import { type Notice, notice } from '#records/notice'
import { type PushSubscription, pushSubscription } from '#records/push-subscription'
import { type User, user } from '#records/user'
import type { Mutations } from '#rules/mutations'
import { decisions, devicesOf, isSilent, SILENT_MS, wordsOf } from '#rules/notice-ways'
import type { ListQuery } from '#store/select'
import type { Reader, Store, Tx } from '#store/store'
import type { SendMail } from './mailer.ts'
import type { Post } from './post-webhook.ts'
import { repeatOnLeader } from './repeat.ts'
import { loadVapidKeys, type VapidKeys } from './vapid.ts'
import { MAX_PAYLOAD_BYTES, pushRequest } from './web-push.ts'

/** What it needs of the world; tests bring their own clock. */
export interface Environment {
  post: Post<Buffer>
  sendMail: SendMail | null
  now(): number
}

/** Whether it was woken or not, one process looks up this often. */
const EVERY_MS = 5_000
/** What is written together is sent together. */
const GATHER_MS = 30
const AT_ONCE = 8
/** Who takes a notice on has so long before it is taken for lost: longer than any attempt lasts. */
const LEASE_MS = 120_000
/** The first retry comes after this, each next after twice as long. */
const FIRST_RETRY_MS = 15_000
const MAX_ATTEMPTS = 5
/** What could not be told in a day is told no more. */
const GIVE_UP_MS = 24 * 3600_000
const REASON = 'everybody is told of what is theirs'

interface Needs {
  store: Store
  mutations: Mutations
  log: Log
  config: Config
}

/**
 * Tells people what was noted for them: by push, and by mail where no device has it after ten minutes or there is none;
 * else the office must call. A notice is taken on by one process at a time, and by another where that was killed: what was
 * under way then is sent once more, under the same topic and message id, by which the receiver keeps one.
 */
export class Notices {
  private readonly app: Needs
  private readonly environment: Environment
  private readonly awake = new Set<number>()
  /** By account, what is under way; and those that are to be looked after once more. */
  private readonly running = new Map<number, Promise<void>>()
  private readonly again = new Set<number>()
  private keys: Promise<VapidKeys> | null = null
  private stops: (() => void)[] = []
  private stopped = false

  constructor(app: Needs, environment: Environment) {
    this.app = app
    this.environment = environment
  }

  /** Whether people are told by mail at all. */
  get sendsMail(): boolean {
    return this.environment.sendMail !== null
  }

  /** What browsers subscribe with. */
  vapidKeys(): Promise<VapidKeys> {
    this.keys ??= loadVapidKeys(this.app.config.MUSTER_DATA_DIR)
    this.keys.catch(() => {
      this.keys = null
    })
    return this.keys
  }

  start(): void {
    const { store, mutations, log } = this.app
    this.vapidKeys().catch((err) => log.error({ err }, 'nobody can be pushed to'))
    this.stops = [
      mutations.onCommit((account, here) => {
        if (here) this.wake(account)
      }),
      repeatOnLeader(store, EVERY_MS, () => this.wakeAll(), this.warn),
    ]
  }

  /** Lets what is under way come to its end. */
  async stop(): Promise<void> {
    this.stopped = true
    for (const stop of this.stops) stop()
    await Promise.all(this.running.values())
  }

  private async wakeAll() {
    for (const account of await this.app.store.accountIds()) this.wake(account)
  }

  /** Does what is due in an account now. */
  async round(account: number): Promise<void> {
    this.run(account)
    await this.running.get(account)
  }

  private wake(account: number): void {
    if (this.stopped || this.awake.has(account)) return
    this.awake.add(account)
    setTimeout(() => {
      this.awake.delete(account)
      if (!this.stopped) this.run(account)
    }, GATHER_MS).unref()
  }

  private run(account: number): void {
    if (this.running.has(account)) return void this.again.add(account)
    const done = this.drain(account)
      .catch(this.warn)
      .then(() => {
        this.running.delete(account)
        if (this.again.delete(account) && !this.stopped) this.run(account)
      })
    this.running.set(account, done)
  }

  private readonly warn = (err: unknown) => this.app.log.warn({ err }, 'could not tell people of changes')

  private async drain(account: number): Promise<void> {
    while (!this.stopped) {
      const taken = await this.lease(account)
      if (taken.length === 0) return
      await Promise.all(taken.map((one) => this.attempt(account, one)))
    }
  }

  /** Takes on some of what is due: until the lease is over, nobody else does. */
  private async lease(account: number): Promise<Notice[]> {
    const due: ListQuery<keyof Notice> = {
      filters: [{ field: 'due_at', op: '<', value: this.now(1) }],
      sort: { field: 'due_at', down: false },
      limit: AT_ONCE,
    }
    // Looked at from outside first, so that nothing is written where nothing is to be done.
    const [any] = await this.app.store.asSystem(account, REASON).list(notice, { ...due, limit: 1 })
    if (!any) return []
    return this.write(account, async (tx) => {
      const found = await tx.list(notice, due)
      for (const one of found) await tx.update(notice, one, { due_at: this.now(LEASE_MS) })
      return found
    })
  }

  private async attempt(account: number, one: Notice): Promise<void> {
    const reader = this.app.store.asSystem(account, REASON)
    const person = await reader.find(user, one.user_id)
    const age = this.environment.now() - Date.parse(one.created_at)
    if (!person?.enabled || age > GIVE_UP_MS) return this.record(account, one, { due_at: null })
    const { heard_at, subscriptions } = await devicesOf(reader, person.id, this.now())
    const silentAt = new Date(Date.parse(one.created_at) + SILENT_MS).toISOString()
    if (subscriptions.length > 0 && !one.pushed_at && one.push_attempts < MAX_ATTEMPTS)
      return this.record(account, one, await this.push(account, one, person, subscriptions, silentAt))
    // A device without push has the app, and ten minutes to say so.
    if (heard_at && silentAt > this.now()) return this.record(account, one, { due_at: silentAt })
    await this.record(account, one, await this.mail(account, one, person))
  }

  /** Pushes to every device of a person; answers what became of it. */
  private async push(
    account: number,
    one: Notice,
    person: User,
    subscriptions: PushSubscription[],
    silentAt: string,
  ): Promise<Partial<Notice>> {
    const silent = isSilent(person)
    const words = await this.words(account, one)
    const outcomes = await Promise.all(
      subscriptions.map((device) => this.pushTo(account, one, device, words, silent).catch((error: Error) => error)),
    )
    const push_attempts = one.push_attempts + 1
    const errors = outcomes.filter((outcome) => outcome instanceof Error)
    if (errors.length < outcomes.length)
      return { push_attempts, pushed_at: this.now(), push_error: null, silent, due_at: silentAt }
    const wait = FIRST_RETRY_MS * 2 ** one.push_attempts
    return { push_attempts, push_error: errors[0]?.message.slice(0, 255) ?? null, silent, due_at: this.now(wait) }
  }

  /** @throws Error with why a push service did not take it; a subscription that is gone is dropped */
  private async pushTo(
    account: number,
    one: Notice,
    device: PushSubscription,
    { title, text }: { title: string; text: string },
    silent: boolean,
  ): Promise<void> {
    const navigate = `${device.base_url}/phone${one.kind === 'message' ? '/messages' : `/jobs/${one.job_id}`}`
    const payload = (body: string) =>
      JSON.stringify({
        web_push: 8030,
        notification: { title, body, navigate, tag: one.id, silent },
        notice: { id: one.id, kind: one.kind, job_id: one.job_id, message_id: one.message_id },
      })
    const whole = payload(text)
    const request = pushRequest(
      device,
      {
        payload: Buffer.byteLength(whole) > MAX_PAYLOAD_BYTES ? payload('') : whole,
        topic: one.id.replaceAll('-', ''),
        ttlSeconds: GIVE_UP_MS / 1000,
        urgency: silent ? 'low' : 'high',
      },
      await this.vapidKeys(),
      contactOf(this.app.config, device),
      this.environment.now(),
    )
    const { status, body } = await this.environment.post(device.endpoint, request.headers, request.body)
    if (status >= 200 && status < 300) return
    if (status === 404 || status === 410) await this.drop(account, device)
    throw new Error(`The push service answered ${status} ${body}`.trim())
  }

  /** Mails it where that is possible; else the office must call. */
  private async mail(account: number, one: Notice, person: User): Promise<Partial<Notice>> {
    const { sendMail } = this.environment
    const unable = { call_needed_at: this.now(), due_at: null }
    if (!sendMail || !person.email) return unable
    const { title, text } = await this.words(account, one)
    const mail_attempts = one.mail_attempts + 1
    const link = `${this.app.config.MUSTER_BASE_URL}/phone`
    const id = `${account}.${one.id}`
    try {
      // A subject is one line.
      const subject = title.replace(/\s+/g, ' ')
      await sendMail({ to: person.email, subject, text: `${text}\n\n${link}\n`, id })
      return { mail_attempts, mailed_at: this.now(), mail_error: null, due_at: null }
    } catch (error) {
      const mail_error = messageOf(error).slice(0, 255)
      if (mail_attempts >= MAX_ATTEMPTS) return { ...unable, mail_attempts, mail_error }
      return { mail_attempts, mail_error, due_at: this.now(FIRST_RETRY_MS * 2 ** mail_attempts) }
    }
  }

  private async words(account: number, one: Notice) {
    const reader = this.app.store.asSystem(account, REASON)
    const zone = (await reader.find(accounts, account))?.time_zone ?? 'UTC'
    if (one.kind === 'message') return wordsOf(one, await aboutMessage(reader, one), zone)
    const about: Job | null = one.job_id ? await reader.find(job, one.job_id) : null
    const found = one.conflict_id ? await reader.find(conflict, one.conflict_id) : null
    const text = found && decisions[found.state ?? 'open']
    return wordsOf(one, { name: about?.customer_name ?? about?.template_name ?? null, text }, zone)
  }

  /** Notes what became of it; what the person has said meanwhile stays the end of it. */
  private record(account: number, { id }: Notice, changes: Partial<Notice>): Promise<void> {
    return this.write(account, async (tx) => {
      const now = await tx.find(notice, id)
      if (!now) return
      const isOver = now.received_at !== null || now.called_at !== null
      await tx.update(notice, now, { ...changes, ...(isOver && { due_at: null }), updated_at: this.now() })
    })
  }

  private async drop(account: number, { id }: PushSubscription): Promise<void> {
    const owner = await this.app.store.asSystem(account, REASON).find(accounts, account)
    if (!owner) return
    await this.app.mutations
      .execute(systemCall(this.app.store, owner, 'notices'), {
        record: pushSubscription,
        action: 'delete',
        target: (tx) => tx.find(pushSubscription, id),
        draft: {},
      })
      // Another push may have found it gone at the same moment.
      .catch(this.warn)
  }

  private write<T>(account: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.app.store.writeAsSystem(account, REASON, work)
  }

  private readonly now = (later = 0) => new Date(this.environment.now() + later).toISOString()
}

async function aboutMessage(reader: Reader, { message_id: id }: Notice) {
  const found = id ? await reader.find(message, id) : null
  const author = found?.from_user_id ? await reader.find(user, found.from_user_id) : null
  return { name: author?.name ?? found?.from_user_name ?? null, text: found?.body.slice(0, 500) ?? null }
}

/** Whom a push service turns to: it takes an address of mail or of the web. */
const contactOf = ({ MUSTER_MAIL_FROM: from, MUSTER_BASE_URL: base }: Config, device: PushSubscription) =>
  from ? `mailto:${from}` : base.startsWith('https:') ? base : (device.base_url ?? '')
