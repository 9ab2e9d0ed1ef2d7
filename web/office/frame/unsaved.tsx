import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { isUnsaved } from '../../ui/unsaved.ts'
import { t } from '../../ui/words.ts'

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
  if (status !== 'blocked') return null
  return (
    <Dialog
      open
      alert
      onClose={reset}
      title={t('Not saved yet')}
      foot={
        <>
          <Button onClick={proceed}>{t('Discard')}</Button>
          <Button kind="primary" onClick={reset}>
            {t('Keep editing')}
          </Button>
        </>
      }
    >
      {t('What you have typed here is lost if you leave.')}
    </Dialog>
  )
}
