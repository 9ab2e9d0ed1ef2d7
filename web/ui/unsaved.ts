import { useEffect, useId } from 'react'

/** Forms in which something was typed and not saved. */
const forms = new Set<string>()

const listeners = new Set<() => void>()

export const isUnsaved = (): boolean => forms.size > 0

/** Woken when a form begins to hold what would be lost. @returns what ends it */
export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Notes that a form holds what would be lost. @returns notes that it was saved, before what follows from that leads away */
export function useUnsaved(isChanged: boolean): () => void {
  const id = useId()
  useEffect(() => {
    if (!isChanged) return
    forms.add(id)
    for (const listener of listeners) listener()
    return () => void forms.delete(id)
  }, [id, isChanged])
  return () => void forms.delete(id)
}
