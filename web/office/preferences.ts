import { useSyncExternalStore } from 'react'
import { type Language, languageOfBrowser, languages, speak } from '../ui/language.ts'
import { api } from './api.ts'

/** How a person wants it. Without a choice the system and the browser decide. */
export interface Preferences {
  theme: 'light' | 'dark' | null
  density: 'compact' | null
  language: Language
}

const key = 'muster.preferences'
const listeners = new Set<() => void>()
let now = read()

function read(): Preferences {
  const said = JSON.parse(localStorage.getItem(key) ?? '{}')
  return {
    theme: ['light', 'dark'].includes(said.theme) ? said.theme : null,
    density: said.density === 'compact' ? 'compact' : null,
    language: said.language in languages ? said.language : languageOfBrowser(),
  }
}

export const preferences = (): Preferences => now

export function prefer(change: Partial<Preferences>): void {
  take(change)
  // Kept with the person as well; whoever can't be asked now is told by this browser next time.
  const kept = { ...change, ...('density' in change && { density: change.density ?? 'comfortable' }) }
  api.request('PUT', 'preferences', { body: { preferences: kept } }).catch(() => {})
}

/** What the person chose elsewhere holds here too, once they are signed in. */
export async function takeOver(): Promise<void> {
  const { body } = await api.request<{ preferences: Kept }>('GET', 'preferences')
  const { theme, density, language } = body.preferences
  if (theme === null && density === null && language === null) return
  const known = language !== null && language in languages ? (language as Language) : now.language
  if (known !== now.language) await speak(known)
  take({ theme, density: density === 'compact' ? density : null, language: known })
}

/** As the server keeps them; null where nothing was chosen. */
interface Kept {
  theme: 'light' | 'dark' | null
  density: 'comfortable' | 'compact' | null
  language: string | null
}

function take(change: Partial<Preferences>) {
  now = { ...now, ...change }
  localStorage.setItem(key, JSON.stringify(now))
  apply()
  for (const listener of listeners) listener()
}

/** Writes theme and density to the page; the tokens do the rest. */
export function apply(): void {
  const { dataset } = document.documentElement
  for (const name of ['theme', 'density'] as const) {
    if (now[name]) dataset[name] = now[name]
    else delete dataset[name]
  }
}

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, preferences)
}
