import { useSyncExternalStore } from 'react'
import { languageOfBrowser } from '../ui/language.ts'

/** How the app looks on this phone. */
export interface Look {
  theme: string
  contrast: string
  text: string
  language: string
  /** Which maps show the way: `phone`, `apple`, `google`. */
  maps: string
}

const listeners = new Set<() => void>()
let look: Look = {
  theme: 'auto',
  contrast: 'normal',
  text: '100',
  language: languageOfBrowser(),
  // Only Android leads `geo:` to whatever maps there are.
  maps: /Android/.test(navigator.userAgent)
    ? 'phone'
    : /iPhone|iPad|Macintosh/.test(navigator.userAgent)
      ? 'apple'
      : 'google',
  ...JSON.parse(localStorage.getItem('muster.phone.look') ?? '{}'),
}

export const chosen = (): Look => look

export const useLook = (): Look =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, chosen)

export function choose(name: keyof Look, value: string) {
  look = { ...look, [name]: value }
  localStorage.setItem('muster.phone.look', JSON.stringify(look))
  apply()
  for (const listener of listeners) listener()
}

export function apply() {
  const { dataset, style } = document.documentElement
  const theme = look.contrast === 'sun' ? 'light' : look.theme
  if (theme === 'auto') delete dataset.theme
  else dataset.theme = theme
  dataset.contrast = look.contrast
  style.fontSize = `${look.text}%`
}
