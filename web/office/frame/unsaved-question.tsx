import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../../ui/words.ts'

/** Whether what was typed may be lost. */
export default function UnsavedQuestion({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  return (
    <Dialog
      open
      alert
      onClose={onKeep}
      title={t('Not saved yet')}
      foot={
        <>
          <Button onClick={onDiscard}>{t('Discard')}</Button>
          <Button kind="primary" onClick={onKeep}>
            {t('Keep editing')}
          </Button>
        </>
      }
    >
      {t('What you have typed here is lost if you leave.')}
    </Dialog>
  )
}
