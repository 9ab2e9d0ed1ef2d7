import { useEffect, useId } from 'react'

/** Forms in which something was typed and not saved. */
const forms = new Set<string>()

export const isUnsaved = (): boolean => forms.size > 0

/** Notes that a form holds what would be lost. @returns notes that it was saved, before what follows from that leads away */
export function useUnsaved(isChanged: boolean): () => void {
  const id = useId()
  useEffect(() => {
    if (!isChanged) return
    forms.add(id)
    return () => void forms.delete(id)
  }, [id, isChanged])
  return () => void forms.delete(id)
}
