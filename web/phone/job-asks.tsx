import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { decline } from './acts.ts'
import { isFilled, missing } from './missing.ts'
import { Sheet, Side } from './parts.tsx'
import { currentPhone, type Job, rowsOf, useShown } from './store.ts'
import { tell } from './toast.tsx'

export function Decline({ job, onClose }: { job: Job; onClose: () => void }) {
  const [account] = rowsOf(useShown(), 'account')
  const reasons = account?.settings?.decline_reasons ?? []
  const send = async (reason: string | null) => {
    onClose()
    await currentPhone().act([decline(job, reason)])
    tell(t('Declined'))
  }
  return (
    <Sheet
      title={t('Why do you decline?')}
      sub={t('The office sees the reason and gives the job to somebody else.')}
      onClose={onClose}
      acts={
        <Side wide onAct={onClose}>
          {t('Keep it')}
        </Side>
      }
    >
      <div className="rows picks">
        {reasons.map((reason) => (
          <button type="button" key={reason} onClick={() => send(reason)}>
            <span className="w md">{reason}</span>
          </button>
        ))}
        {reasons.length === 0 && (
          <button type="button" onClick={() => send(null)}>
            <span className="w md">{t('Decline it')}</span>
          </button>
        )}
      </div>
    </Sheet>
  )
}

/** What must be filled before the last step. Choosing one leads to it. */
export function InTheWay({ job, onClose }: { job: Job; onClose: () => void }) {
  const fields = missing(job)
  const lead = (id: unknown) => {
    onClose()
    const slip = document.getElementById(`f-${id}`)
    slip?.scrollIntoView({ block: 'center' })
    slip?.focus()
  }
  return (
    <Sheet
      title={t('{count, plural, one {# thing before you can finish} other {# things before you can finish}}', {
        count: fields.length,
      })}
      sub={t('Tap one to go there.')}
      onClose={onClose}
      acts={
        <Side wide onAct={onClose}>
          {t('Not yet')}
        </Side>
      }
    >
      <div className="rows">
        {fields.map((field) => (
          <button type="button" key={field.id} onClick={() => lead(field.id)}>
            <span className="w">
              <b>{field.name}</b>
              <small>{isFilled(job, field) ? '' : t('empty')}</small>
            </span>
            <Icon name="right" className="go" />
          </button>
        ))}
      </div>
    </Sheet>
  )
}
