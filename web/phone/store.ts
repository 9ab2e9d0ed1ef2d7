import { useSyncExternalStore } from 'react'
import type { Shown as ShownOf } from '../../src/fields/index.ts'
import type { account } from '../../src/records/account.ts'
import type { asset } from '../../src/records/asset.ts'
import type { customer } from '../../src/records/customer.ts'
import type { equipment } from '../../src/records/equipment.ts'
import type { job } from '../../src/records/job.ts'
import type { site } from '../../src/records/site.ts'
import type { template } from '../../src/records/template.ts'
import type { thread } from '../../src/records/thread.ts'
import type { user } from '../../src/records/user.ts'
import { ApiError, connect, newCallId } from '../client/index.ts'
import type { Conflict } from '../client/phone/entry.ts'
import { type Person, Phone, type Shown } from '../client/phone/phone.ts'
import { formatsOf } from '../ui/formats.ts'
import { type Language, localeOf } from '../ui/language.ts'
import { about } from './about.ts'

export type Job = ShownOf<typeof job>
export type Field = Job['custom_fields'][number]
export type Step = Job['steps'][number]
export type Item = Job['line_items'][number]
export type Thread = ShownOf<typeof thread>
export type Message = Thread['messages'][number]
export type Template = ShownOf<typeof template>
/** Of others a worker is not told the permissions, but what follows from them. (docs/api/sync.md) */
export type User = ShownOf<typeof user> & { can_message: boolean; is_worker: boolean }
interface Records {
  job: Job
  asset: ShownOf<typeof asset>
  conflict: Conflict
  template: Template
  thread: Thread
  message: Message
  customer: ShownOf<typeof customer>
  equipment: ShownOf<typeof equipment>
  site: ShownOf<typeof site>
  user: User
  account: ShownOf<typeof account>
}

export const api = connect({ base: document.baseURI })

/** As the person of this phone, and nobody else: a tab of the office may have signed somebody else in. @throws for anyone else, and without a connection */
export async function apiOfPerson(): Promise<typeof api> {
  if (!(await currentPhone().isSignedIn())) throw new Error('somebody else has signed in, or nobody')
  return api
}

const plurals: { [plural: string]: string } = { pricebooks: 'pricebook', equipment: 'equipment' }
const singular = (plural: string) => plurals[plural] ?? plural.replace(/ies$/, 'y').replace(/s$/, '')

let phone: Phone | null = null
const listeners = new Set<() => void>()

/** Whose it is, as it is known without a connection. */
const kept = {
  get person(): Person | null {
    return JSON.parse(localStorage.getItem('muster.phone.person') ?? 'null')
  },
  get device(): string {
    const id = localStorage.getItem('muster.phone.device') ?? newCallId()
    localStorage.setItem('muster.phone.device', id)
    return id
  },
}

/** Opens what the last person left; null for a phone on which nobody has signed in. */
export const wake = async () => (kept.person ? open(kept.person) : void endSession())

async function open(person: Person): Promise<Phone> {
  phone?.close()
  phone = await Phone.open({
    base: new URL('./', document.baseURI).href,
    person,
    device: kept.device,
    singular,
    onOutdated: () => location.reload(),
    about,
    onSealed: () => void signOut('keep'),
  })
  for (const listener of listeners) listener()
  phone.ask()
  return phone
}

/** @returns the companies to choose from, where there are several; null when somebody has signed in */
export async function signIn(said: { [field: string]: unknown }): Promise<{ id: number; name: string }[] | null> {
  const { body } = await api.request<{ accounts?: { id: number; name: string }[]; session?: Person }>(
    'POST',
    'session',
    {
      body: { session: said },
    },
  )
  if (!body.session) return body.accounts ?? []
  const { account_id, user_id, user_name } = body.session
  localStorage.removeItem(leaving)
  localStorage.setItem('muster.phone.person', JSON.stringify({ account_id, user_id, user_name }))
  if (phone?.person.user_id === user_id && phone.person.account_id === account_id) phone.signedIn()
  else await open({ account_id, user_id, user_name })
  // Asked when there is something to keep, so that the browser says yes.
  await navigator.storage?.persist?.()
  return null
}

/**
 * Forgets the set. What waits stays, for this person alone, until they sign in again; or is thrown away with the rest, where
 * they said so. The session ends now, or as soon as there is a connection.
 */
export async function signOut(waiting: 'keep' | 'throw away') {
  localStorage.setItem(leaving, 'yes')
  localStorage.removeItem('muster.phone.person')
  await phone?.forget(waiting)
  phone = null
  for (const listener of listeners) listener()
  await endSession()
}

const leaving = 'muster.phone.leaving'

/** The cookie is the browser's: only the server takes it away. */
async function endSession(): Promise<void> {
  if (!localStorage.getItem(leaving)) return
  const error = await api.request('DELETE', 'session/current').then(
    () => null,
    (error: unknown) => error,
  )
  if (error === null || (error instanceof ApiError && error.status === 401)) localStorage.removeItem(leaving)
}

/** Tells of each person who has signed in, also of who is now. @param begin answers what ends it */
export function onPhone(begin: () => () => void): void {
  let end: (() => void) | null = null
  const turn = () => {
    end?.()
    end = phone && begin()
  }
  listeners.add(turn)
  turn()
}

export const usePhone = (): Phone | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => phone,
  )

/** Null where nobody has signed in. */
export const openPhone = (): Phone | null => phone

/** Inside of the app, where somebody has signed in. */
export function currentPhone(): Phone {
  if (!phone) throw new Error('nobody has signed in')
  return phone
}

export function useShown(): Shown {
  const phone = currentPhone()
  return useSyncExternalStore(phone.subscribe, phone.shown)
}

/** The server's rows are what the descriptions say: its contract tests hold every route to it. */
export const rowsOf = <Name extends keyof Records>({ rows }: Shown, name: Name): Records[Name][] =>
  [...rows.values()].filter(({ record }) => record === name).map(({ row }) => row as unknown as Records[Name])

export const rowOf = <Name extends keyof Records>({ rows }: Shown, name: Name, id: number | string | null) =>
  rows.get(`${name}/${id}`)?.row as unknown as Records[Name] | undefined

/** What somebody may do, as the set says it of them. */
export function useMay(permission: keyof NonNullable<User['permissions']>): boolean {
  const me = rowOf(useShown(), 'user', currentPhone().person.user_id)
  return me?.permissions?.[permission] === 'full'
}

export function useFormats() {
  const [account] = rowsOf(useShown(), 'account')
  return formatsOf(localeOf(document.documentElement.lang as Language), account?.time_zone ?? 'UTC')
}

addEventListener('online', () => (phone ? phone.ask() : endSession()))
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && phone?.ask())
