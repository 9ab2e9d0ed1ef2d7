import { useSyncExternalStore } from 'react'

/** Where in the app one is: `/`, `/jobs/5`, whatever path the server itself lies under. */
const root = () => new URL('phone', document.baseURI).pathname

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
addEventListener('popstate', tell)

export const place = () => location.pathname.slice(root().length) || '/'

export const usePlace = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, place)

export const addressOf = (to: string) => root() + (to === '/' ? '' : to)

/** Over Today, so that back leads there; from a place of the bar to another there is nothing to go back to. */
export function go(to: string, how: 'over' | 'instead' = 'over') {
  if (how === 'over') history.pushState({ over: true }, '', addressOf(to))
  else history.replaceState(null, '', addressOf(to))
  tell()
}

export function goBack() {
  if (history.state?.over) history.back()
  else go('/', 'instead')
}
