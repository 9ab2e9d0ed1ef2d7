import { useEffect, useSyncExternalStore } from 'react'
import type { Looked, Seen } from '../client/index.ts'
import { presences } from './live.ts'

/** Tells the others what is looked at here, for as long as it is. */
export function useLooked(looked: Looked): void {
  const said = JSON.stringify(looked)
  useEffect(() => presences.look(JSON.parse(said)), [said])
  useEffect(() => () => presences.look(null), [])
}

const subscribe = (listener: () => void) => presences.onChange(listener)

/** Everybody else, by the tabs that they have open: each person once, and not who signed in here. */
export function useOthers(isHere: (seen: Seen) => boolean, me: number): Seen[] {
  const all = useSyncExternalStore(subscribe, () => presences.all)
  const found = new Map(all.filter((one) => one.user_id !== me && isHere(one)).map((one) => [one.user_id, one]))
  return [...found.values()]
}
