import { Icon } from '../../../ui/icon.tsx'
import { isMoved, isOver, stateOf } from '../../../ui/job-state.ts'
import { Face, StateWord, Tab, Tag, Urgent } from '../../../ui/marks.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import { useNames } from '../../../ui/records/names.ts'
import { t } from '../../../ui/words.ts'
import { FieldsInPlace } from '../../job/in-place.tsx'
import { useOpenJob } from '../../job/open-job.ts'
import { PlanInPlace } from '../../job/plan.tsx'
import { stateText } from '../../job/state-text.ts'
import { Acts } from './acts.tsx'
import { wayOf } from './way.ts'

/** The job as its card: a head in the colour of its state, what it is, when and who, and how it came here. */
export function Head() {
  const { job } = useOpenJob()
  const { formats } = useRecords()
  const state = stateOf(job)
  const nameOf = useNames({ user: job.locked_by_user_id ? [job.locked_by_user_id] : [] })
  const lockedBy = job.locked_by_user_id && nameOf('user', job.locked_by_user_id)
  return (
    <article className="t-card" data-state={state}>
      <div className="cap">
        <Tab state={state} />
        <span>{stateText(job)}</span>
        {isMoved(job) && !isOver(job) && <span className="sm risk">{t('Moved since it was sent')}</span>}
        {job.priority === 'urgent' && <Urgent />}
        <span className="push" />
        {job.locked_at && (
          <span className="line sm dim plain">
            <Icon name="lock" />
            {lockedBy ? t('Locked by {name}', { name: lockedBy }) : t('Locked')}
          </span>
        )}
        <Acts />
      </div>
      <div className="in">
        <div className="top">
          <div>
            <h1 dir="auto">{job.customer_name ?? t('No customer')}</h1>
            <FieldsInPlace label={t('What')} asked={['template_name', 'third_party_id', 'priority']}>
              <span className="two-ink" dir="auto">
                {job.template_name ?? t('No name of the work')}
              </span>
            </FieldsInPlace>
            <Needs />
          </div>
          <div>
            <PlanInPlace />
          </div>
          <div>
            <FieldsInPlace label={t('Worker')} asked={['worker_id']}>
              <span className="line">
                {job.worker_name === null ? (
                  <span className="dim">{t('No worker')}</span>
                ) : (
                  <>
                    <Face name={job.worker_name} />
                    <b dir="auto">{job.worker_name}</b>
                  </>
                )}
              </span>
            </FieldsInPlace>
            {job.confirmation === 'declined' && (
              <p className="bad sm">
                {t('Declined: {reason}', { reason: job.decline_reason ?? t('no reason given') })}
              </p>
            )}
            {job.cancel_reason && <p className="two-ink sm">{job.cancel_reason}</p>}
            {job.paused_at && job.pause_reason && <p className="two-ink sm">{job.pause_reason}</p>}
          </div>
        </div>
        <ol className="way" aria-label={t('How it came here')}>
          {wayOf(job).map(({ state: step, at, isHere }) => (
            <li key={step} className={isHere ? 'here' : at === null ? 'next' : ''} aria-current={isHere || undefined}>
              <StateWord state={step} {...(step === 'waiting' && { word: t('Sent') })} />
              <span>{at && formats.brief(at)}</span>
            </li>
          ))}
        </ol>
      </div>
    </article>
  )
}

/** What it takes: tags of the worker, equipment, the customer's assets, the groups that see it. */
function Needs() {
  const { job } = useOpenJob()
  const { tag_ids, equipment_ids, asset_ids, group_ids } = job
  const nameOf = useNames({ tag: tag_ids, equipment: equipment_ids, asset: asset_ids, group: group_ids })
  const all = [
    ...tag_ids.map((id) => ({ key: `tag ${id}`, name: nameOf('tag', id), icon: 'tag' as const })),
    ...equipment_ids.map((id) => ({
      key: `equipment ${id}`,
      name: nameOf('equipment', id),
      icon: 'equipment' as const,
    })),
    ...asset_ids.map((id) => ({ key: `asset ${id}`, name: nameOf('asset', id), icon: 'data' as const })),
    ...group_ids.map((id) => ({ key: `group ${id}`, name: nameOf('group', id), icon: 'users' as const })),
  ]
  return (
    <FieldsInPlace label={t('What it takes')} asked={['tag_ids', 'equipment_ids', 'asset_ids', 'group_ids']}>
      {all.length === 0 && <span className="dim">{t('No tags, no equipment')}</span>}
      <span className="needs">
        {all.map(({ key, name, icon }) =>
          icon === 'tag' ? (
            name && <Tag key={key} name={name} />
          ) : (
            <span key={key} className="tag word" dir="auto">
              <Icon name={icon} />
              {name ?? '…'}
            </span>
          ),
        )}
      </span>
    </FieldsInPlace>
  )
}
