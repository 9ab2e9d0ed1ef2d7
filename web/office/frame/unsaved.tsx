import { useBlocker } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { isUnsaved, onUnsaved } from '../../ui/unsaved.ts'
import { t } from '../../ui/words.ts'

// With what draws dialogs the shell would be twice as large.
const importQuestion = () => import('./unsaved-question.tsx')
const UnsavedQuestion = lazy<ComponentType<Question>>(() => importQuestion().catch(() => ({ default: PlainQuestion })))

interface Question {
  onDiscard: () => void
  onKeep: () => void
}

/** Asks in the browser's own words where the dialog can't be loaded, so that nothing typed is lost with the network. */
function PlainQuestion({ onDiscard, onKeep }: Question) {
  useEffect(() => {
    const asked = setTimeout(() => {
      if (confirm(t('What you have typed here is lost if you leave.'))) onDiscard()
      else onKeep()
    })
    return () => clearTimeout(asked)
  }, [onDiscard, onKeep])
  return null
}

/** What of an address names the entry and the form that are open; by the rest of it a list is only ordered or narrowed. */
const placeOf = ({ pathname, search }: { pathname: string; search: object }) => {
  const { open, edit, job } = search as { [name: string]: unknown }
  return JSON.stringify([pathname, open, edit, job])
}

/** Asks before what was typed and not saved is lost: by a click, the browser's back, or its window being closed. */
export function Unsaved() {
  // Loaded while there is a network: it is asked also when that is gone.
  useEffect(() => onUnsaved(() => void importQuestion().catch(() => {})), [])
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved() && placeOf(current) !== placeOf(next),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  return (
    status === 'blocked' && (
      <Suspense>
        <UnsavedQuestion onDiscard={proceed} onKeep={reset} />
      </Suspense>
    )
  )
}
