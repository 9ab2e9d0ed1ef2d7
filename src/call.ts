import type { Account } from '#records/account'
import type { User } from '#records/user'
import type { Reader, Scope, Store } from '#store/store'

/** Who asks. A key and the system have no user behind them. */
export interface Actor {
  kind: 'key' | 'user' | 'system'
  id: number | null
  account: Account
  /** The groups that limit what is seen; null sees the whole account. */
  groups: number[] | null
  readOnly: boolean
  /** What a person may do; null for keys and the system, whose rights are the above. */
  permissions: User['permissions'] | null
  /** Records of which only this person's own are seen. */
  own: ReadonlySet<string>
  /** The session that a person is signed in with. */
  session?: number
}

/** One request, or one run of a command: the first argument of everything that asks or writes. */
export interface Call {
  id: string
  actor: Actor
  /** What the actor may see. */
  store: Reader
  /**
   * The same, perhaps from a standby: not older than when the call began, but for what the journal doesn't hold. For
   * what is shown, and not for what is decided.
   */
  near: Reader
  /** The moment it arrived; a value, so that tests can set it. */
  now: string
}

export const scopeOf = (actor: Actor): Scope => ({
  account: actor.account.id,
  groups: actor.groups,
  me: actor.kind === 'user' ? actor.id : null,
  own: actor.own,
  assigns: actor.permissions?.mobile_jobs_assign === 'full',
})

/** The rights of who is no person. */
export const wholeAccount = { permissions: null, own: new Set<string>() }

/** A call of the server itself or of its operator, who see all of one account. `id` says why, in the journal. */
export function systemCall(store: Store, account: Account, id: string, now = isoNow()): Call {
  const actor: Actor = { kind: 'system', id: null, account, groups: null, readOnly: false, ...wholeAccount }
  const reader = store.as(scopeOf(actor))
  return { id, actor, store: reader, near: reader, now }
}

let [moment, text] = [0, '']

/** The moment, as records have it. To write it takes longer than to ask for it, and many ask within a millisecond. */
export function isoNow(): string {
  const now = Date.now()
  if (now !== moment) [moment, text] = [now, new Date(now).toISOString()]
  return text
}
