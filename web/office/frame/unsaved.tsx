import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isUnsaved } from '../../ui/unsaved.ts'

// With what draws dialogs the shell would be twice as large.
const UnsavedQuestion = lazy(() => import('./unsaved-question.tsx'))

/** What of an address names the entry and the form that are open; by the rest of it a list is only ordered or narrowed. */
const placeOf = ({ pathname, search }: { pathname: string; search: object }) => {
  const { open, edit, job } = search as { [name: string]: unknown }
  return JSON.stringify([pathname, open, edit, job])
}

/** Asks before what was typed and not saved is lost: by a click, the browser's back, or its window being closed. */
export function Unsaved() {
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
