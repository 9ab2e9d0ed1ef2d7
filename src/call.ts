import type { Account } from '#records/account'
import { permissionNames, type User } from '#records/user'
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
  ownOnly: ReadonlySet<string>
  /** Answered also without gzip, whatever the settings say. */
  gzipOptional?: boolean
  /** The account requires a second factor, and this person has none: they may set one up, and nothing else. */
  lacksSecondFactor?: boolean
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
  replica: Reader
  /** The moment it arrived; a value, so that tests can set it. */
  now: string
  /** The device whose entry it is, and when that says it was done, which may lie back for weeks and is never after `now`. */
  device?: string
  madeAt?: string
}

/** When what is asked for was done: the instant of acts that say none. */
export const madeAt = (call: Pick<Call, 'now' | 'madeAt'>): string => call.madeAt ?? call.now

export const scopeOf = (actor: Actor): Scope => ({
  account: actor.account.id,
  groups: actor.groups,
  userId: actor.kind === 'user' ? actor.id : null,
  ownOnly: actor.ownOnly,
  canAssign: actor.permissions?.mobile_jobs_assign === 'full',
  ...(seesSharedOnly(actor) && { permissions: permissionsOf(actor) }),
})

/** Who sees of what people keep for themselves only their own and what is shared: all but keys of the whole account. */
export const seesSharedOnly = ({ kind, groups }: Actor): boolean => kind === 'user' || groups !== null

/** The permissions that somebody has, if only to read. An admin has all, and a key all but that of admins. */
export const permissionsOf = ({ permissions }: Actor): string[] =>
  permissionNames.filter((name) =>
    permissions ? permissions[name] !== 'none' || permissions.admin === 'full' : name !== 'admin',
  )

/** The rights of who is no person. */
export const unrestricted = { permissions: null, ownOnly: new Set<string>() }

/** A call of the server itself or of its operator, who see all of one account. `id` says why, in the journal. */
export function systemCall(store: Store, account: Account, id: string, now = isoNow()): Call {
  const actor: Actor = { kind: 'system', id: null, account, groups: null, readOnly: false, ...unrestricted }
  const reader = store.as(scopeOf(actor))
  return { id, actor, store: reader, replica: reader, now }
}

/** A call of nobody, for the few addresses that are public: it sees nothing. */
export function anonymousCall(store: Store, id: string): Call {
  const account = { id: 0, time_zone: 'UTC', features: {} } as Account
  const actor: Actor = { kind: 'system', id: null, account, groups: null, readOnly: true, ...unrestricted }
  const reader = store.as(scopeOf(actor))
  return { id, actor, store: reader, replica: reader, now: isoNow() }
}

let [moment, text] = [0, '']

/** The moment, as records have it. To write it takes longer than to ask for it, and many ask within a millisecond. */
export function isoNow(): string {
  const now = Date.now()
  if (now !== moment) [moment, text] = [now, new Date(now).toISOString()]
  return text
}
