import { useEffect } from 'react'
import { Observable } from './observable.ts'

/** Some keys, and what they do: `{ title: 'On the board', keys: [['Go to today', ['T']]] }`. */
export interface KeyGroup {
  title: string
  keys: [says: string, keys: string[]][]
}

/** What `?` shows beside what holds everywhere: the keys of the screens that are open. */
export const keyHelp = new Observable<KeyGroup[]>([])

/** Shows these keys while the screen is there; give it the same list until something of it changes. */
export function useKeyHelp(groups: KeyGroup[]): void {
  useEffect(() => {
    keyHelp.set([...keyHelp.get(), ...groups])
    return () => keyHelp.set(keyHelp.get().filter((group) => !groups.includes(group)))
  }, [groups])
}
