import { type Dispute, decide, disputesOf } from '../client/phone/conflicts.ts'
import type { Json } from '../client/phone/entry.ts'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { itemName } from './acts.ts'
import { State } from './parts.tsx'
import { currentPhone, type Job, rowOf, rowsOf, useFormats, useShown } from './store.ts'
import { tell } from './toast.tsx'

/** The fields of which there are two values; of one job, or of all. */
export function useDisputes(job?: Job): Dispute[] {
  const all = disputesOf(rowsOf(useShown(), 'conflict'))
  return job ? all.filter(({ conflict }) => String(conflict.job_id) === String(job.id)) : all
}

/** Where on its page a value stands: `f-12` of a custom field, `i-5` of a line item, else the name of the field. */
export const anchorOf = ({ conflict: { path } }: Dispute): string =>
  (path ?? '').replace(/^custom_fields\[(.+?)\].*/, 'f-$1').replace(/^line_items\[(.+?)\].*/, 'i-$1')

export function nameOf({ conflict: { path } }: Dispute, job: Job | undefined): string {
  const [, list, id] = /^(\w+)\[(.+?)\]/.exec(path ?? '') ?? []
  const field = list === 'custom_fields' && job?.custom_fields.find((one) => String(one.id) === id)
  if (field) return field.name
  const item = list === 'line_items' && job?.line_items.find((one) => String(one.id) === id)
  if (item) return itemName(item)
  return path === 'notes' ? t('Notes') : (path ?? '')
}

/** Both values, whose they are, and the two ways on. It goes when either side has decided. */
export function TwoValues({ dispute }: { dispute: Dispute }) {
  const shown = useShown()
  const { time } = useFormats()
  const { conflict } = dispute
  const job = rowOf(shown, 'job', conflict.job_id)
  const name = nameOf(dispute, job)
  const author = rowOf(shown, 'user', conflict.theirs_by_user_id)?.name ?? t('the office')
  const choose = async (choice: 'taken' | 'left') => {
    const words = { key: choice, values: { name, job: job?.customer_name ?? null } }
    await currentPhone().act(decide(dispute, choice, words))
    tell(choice === 'taken' ? t('Yours counts now.') : t('{author}’s value stays.', { author }))
  }
  return (
    <section className="two" id={anchorOf(dispute)} tabIndex={-1} aria-label={t('{name}, two values', { name })}>
      <div className="l">
        <b>{name}</b>
        <State state="conflict">{t('Two values')}</State>
      </div>
      <div className="val counts">
        <span>
          <b className="cond">{t('Counts now')}</b>
          <span>{[author, conflict.theirs_at && time(conflict.theirs_at)].filter(Boolean).join(', ')}</span>
        </span>
        <b>{said(conflict.theirs)}</b>
      </div>
      <div className="val">
        <span>
          <b className="cond">{t('Yours, kept')}</b>
          <span>{time(conflict.mine_at)}</span>
        </span>
        <b>{said(conflict.mine)}</b>
      </div>
      <div className="btns even">
        <button type="button" className="btn tall" onClick={() => choose('left')}>
          {t('Leave theirs')}
        </button>
        <button type="button" className="btn tall strong" onClick={() => choose('taken')}>
          <Icon name="check" />
          <span>{t('Take mine')}</span>
        </button>
      </div>
    </section>
  )
}

const said = (value: Json): string =>
  value === null || value === '' ? t('Empty') : typeof value === 'object' ? JSON.stringify(value) : String(value)
