import type { Notice } from '#records/notice'
import { type PushSubscription, pushSubscription } from '#records/push-subscription'
import type { User } from '#records/user'
import type { Reader } from '#store/store'
import { sessionsOf } from './sessions.ts'

/** How somebody can be told. `call` is left where nothing else is. */
export type Way = 'app' | 'push' | 'mail' | 'call'

/** A phone that says nothing for so long is silent, and its person is told by mail as well. */
export const SILENT_MS = 600_000

/** The devices of somebody who is signed in. */
export interface Devices {
  /** When one of them was last heard, to ten minutes; null where none is signed in. */
  heard_at: string | null
  subscriptions: PushSubscription[]
}

export async function devicesOf(reader: Pick<Reader, 'list'>, userId: number, now: string): Promise<Devices> {
  const sessions = (await sessionsOf(reader, userId)).filter(({ expires_at }) => expires_at > now)
  const lastUses = sessions.map(({ last_used_at, created_at }) => last_used_at ?? created_at).sort()
  const filters = [{ field: 'user_id' as const, op: '=' as const, value: userId }]
  const subscriptions = await reader.list(pushSubscription, { filters, limit: MAX_SUBSCRIPTIONS })
  const ids = new Set(sessions.map(({ id }) => id))
  // One whose session is over is not told what its person is told.
  return {
    heard_at: lastUses.at(-1) ?? null,
    subscriptions: subscriptions.filter(({ session_id }) => ids.has(session_id)),
  }
}

/** Each session has one at most. */
const MAX_SUBSCRIPTIONS = 1000

/** How a person is going to be told of something now. */
export function waysTo(person: Pick<User, 'email'>, devices: Devices, mailIsOn: boolean, now: string): Way[] {
  const { heard_at, subscriptions } = devices
  const silent = heard_at === null || Date.parse(now) - Date.parse(heard_at) >= SILENT_MS
  const ways: Way[] = [
    ...(heard_at ? (['app'] as const) : []),
    ...(subscriptions.length > 0 ? (['push'] as const) : []),
    ...(silent && mailIsOn && person.email ? (['mail'] as const) : []),
  ]
  return ways.length > 0 ? ways : ['call']
}

/** Who is off shift is not woken. */
export const isSilent = ({ is_worker, shift_on }: Pick<User, 'is_worker' | 'shift_on'>) => is_worker && !shift_on

/** How a conflict was decided. */
export const decisions = {
  open: null,
  taken: 'What was done offline is in the job now',
  noted: 'What was done offline is kept as a note',
  left: 'What was done offline is not in the job',
}

/** What a notice says, in the words of push and mail. */
export function wordsOf(
  { kind, old_plan, new_plan }: Pick<Notice, 'kind' | 'old_plan' | 'new_plan'>,
  about: { name: string | null; text: string | null },
  zone: string,
): { title: string; text: string } {
  const name = about.name ?? 'a job'
  const [was, now] = [old_plan, new_plan].map((plan) => plan && timeOf(plan, zone))
  const words = {
    given: { title: `New job: ${name}`, text: now },
    moved: { title: `Changed: ${name}`, text: `Was ${was}, now ${now}` },
    taken_off: { title: `No longer yours: ${name}`, text: `Was ${was}` },
    canceled: { title: `Canceled: ${name}`, text: `Was ${was}` },
    decided: { title: `Decided: ${name}`, text: about.text },
    message: { title: `Message from ${about.name ?? 'the office'}`, text: about.text },
  }[kind ?? 'given']
  return { title: words.title, text: words.text ?? '' }
}

function timeOf({ planned_start_at: at, planned_duration }: NonNullable<Notice['new_plan']>, zone: string): string {
  const minutes = Math.round((planned_duration ?? 0) / 60)
  const long = [minutes >= 60 && `${Math.floor(minutes / 60)} h`, minutes % 60 > 0 && `${minutes % 60} min`]
    .filter(Boolean)
    .join(' ')
  if (!at) return `at no set time, ${long}`
  const when = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  return `${when.format(new Date(at))}${long && `, ${long}`}`
}
