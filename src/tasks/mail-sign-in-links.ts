import type { Config } from '#config'
import type { Log } from '#log'
import { messageOf } from '#problem'
import { type Account, account as accounts } from '#records/account'
import { type SignInLink, signInLink } from '#records/sign-in-link'
import { type User, user } from '#records/user'
import { digestOf, newSecret } from '#rules/secrets'
import type { Store, Tx } from '#store/store'
import { repeatOnLeader } from '#tasks/repeat'
import type { SendMail } from './mailer.ts'

/** Whether it was woken or not, one process looks up this often. */
const EVERY_MS = 5_000
const AT_ONCE = 4
/** Who takes a mail on has so long before it is taken for lost: longer than any attempt lasts. */
const LEASE_MS = 120_000
/** The first retry comes after this, each next after twice as long, until the link is over. */
const FIRST_RETRY_MS = 15_000
const LONGEST_RETRY_MS = 3600_000

interface Needs {
  store: Store
  log: Log
  config: Config
}

/**
 * Mails links to those whom they are for. Which are to be mailed is kept with the link, in its own transaction: one that was
 * asked for is mailed after any crash. The secret is made as a mail is sent, since only its digest is kept; so a second
 * attempt carries another, and what an attempt of unknown end may have carried is good for nothing.
 */
export class SignInMails {
  private readonly app: Needs
  private readonly send: SendMail | null
  private running: Promise<void> | null = null
  private again = false
  private stopLooking = () => {}

  constructor(app: Needs, send: SendMail | null) {
    this.app = app
    this.send = send
  }

  /** Whether mails are sent at all. */
  get isOn(): boolean {
    return this.send !== null
  }

  start(): void {
    if (!this.send) return
    this.stopLooking = repeatOnLeader(
      this.app.store,
      EVERY_MS,
      () => this.round(),
      (err) => this.app.log.warn({ err }, 'could not look for mails to send'),
    )
  }

  async stop(): Promise<void> {
    this.stopLooking()
    await this.running
  }

  /** Sends what is due, now; whoever asked for it does not wait. */
  wake(): void {
    if (!this.send) return
    void this.round().catch((err) => this.app.log.warn({ err }, 'could not send mails'))
  }

  /** Sends what is due; one round at a time, and another when something came meanwhile. */
  round(): Promise<void> {
    this.again = true
    this.running ??= this.drain().finally(() => {
      this.running = null
    })
    return this.running
  }

  private async drain() {
    while (this.again) {
      this.again = false
      for (const id of await this.app.store.accountIds()) await this.look(id)
    }
  }

  private async look(id: number) {
    const reader = this.app.store.asSystem(id, 'mails are sent for everybody')
    const now = new Date().toISOString()
    const filters = [{ field: 'mail_due_at' as const, op: '<' as const, value: now }]
    for (let due = await reader.list(signInLink, { filters, limit: AT_ONCE }); due.length > 0; ) {
      const account = await reader.find(accounts, id)
      await Promise.all(due.map((link) => account && this.attempt(account, link)))
      due = await reader.list(signInLink, { filters, limit: AT_ONCE })
    }
  }

  private async attempt(account: Account, link: SignInLink) {
    const { store, log } = this.app
    const write = <T>(work: (tx: Tx) => Promise<T>) =>
      store.writeAsSystem(account.id, 'mails are sent for everybody', work)
    const secret = newSecret(account.id)
    const attempts = (link.mail_attempts ?? 0) + 1
    // Taken on by one: others find it due when its lease is over.
    const taken = await write(async (tx) => {
      const now = new Date().toISOString()
      const [kept, person] = await Promise.all([tx.find(signInLink, link.id), tx.find(user, link.user_id)])
      if (!kept?.mail_due_at || kept.mail_due_at > now) return null
      const isOver = kept.expires_at <= now || !person?.enabled
      await tx.update(signInLink, kept, {
        mail_attempts: attempts,
        mail_due_at: isOver ? null : after(LEASE_MS),
        ...(!isOver && { digest: digestOf(secret) }),
      })
      return isOver ? null : person
    })
    if (!taken) return
    try {
      await this.send?.({
        ...this.worded(account, taken, link, secret),
        to: taken.email,
        id: `${account.id}.${link.id}`,
      })
      await write((tx) =>
        tx.update(signInLink, link, { mailed_at: new Date().toISOString(), mail_due_at: null, mail_error: null }),
      )
    } catch (err) {
      log.warn({ err, account: account.id, link: link.id }, 'could not mail a link')
      const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
      const mail_error = messageOf(err).slice(0, 500)
      await write((tx) => tx.update(signInLink, link, { mail_due_at: after(wait), mail_error }))
    }
  }

  private worded({ name }: Account, person: User, link: SignInLink, secret: string) {
    const url = `${this.app.config.MUSTER_BASE_URL}/welcome#${secret}`
    const until = `It works once, until ${link.expires_at.slice(0, 16).replace('T', ' ')} UTC.`
    return link.kind === 'invitation'
      ? {
          subject: `${name} invites you to Muster`,
          text: `Hello ${person.name},\n\n${name} works with Muster. Choose your password here:\n\n${url}\n\n${until}\n`,
        }
      : {
          subject: 'Choose a new password for Muster',
          text: `Hello ${person.name},\n\nchoose a new password for ${name} here:\n\n${url}\n\n${until} If you did not ask for it, do nothing: your password stays.\n`,
        }
  }
}

const after = (ms: number) => new Date(Date.now() + ms).toISOString()
