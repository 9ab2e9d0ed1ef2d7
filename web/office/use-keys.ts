import { useEffect, useRef } from 'react'

/** Whether the key goes into what is being written: lists under an input are told of its keys, too. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  [target, document.activeElement].some(
    (element) => element instanceof Element && element.closest('input, textarea, select, [contenteditable]'),
  )

/** Keys of a screen, by their letters; not while somebody types, and not where a dialog lies over it. */
export function useKeys(keys: { [letter: string]: () => void }): void {
  const now = useRef(keys)
  now.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = now.current[event.key.toLowerCase()]
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
