import { Button } from '../../ui/button.tsx'
import { JobCard } from '../../ui/card.tsx'
import { type JobState, jobStates } from '../../ui/job-state.ts'
import { msg, t } from '../../ui/words.ts'

const states: { [state in JobState]: string } = {
  unallocated: msg('Nobody has it yet'),
  draft: msg('Has a worker, who has not been told'),
  waiting: msg('Published, the worker is asked'),
  accepted: msg('The worker knows and will do it'),
  started: msg('Steps done show along the foot'),
  paused: msg('Started, stopped for now'),
  completed: msg('All steps are done'),
  declined: msg('The worker said no, with a reason'),
  canceled: msg('Kept, can be taken back'),
}

/** What the cards say. */
export function Legend({ onClose }: { onClose: () => void }) {
  const sample = { title: 'Lim & Daughters', width: 92, className: 'sample' }
  const kind = t('Boiler service')
  return (
    <div
      className="menu legendbox"
      role="dialog"
      aria-label={t('Legend')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="line">
        <h2 className="h2 push">{t('What the cards say')}</h2>
        <span className="dim sm">{t('A dashed edge: the worker has not been told yet')}</span>
        <Button kind="quiet" small icon="x" aria-label={t('Close')} onClick={onClose} autoFocus />
      </div>
      <div className="g">
        {(Object.keys(states) as JobState[]).map((state) => (
          <div className="r" key={state}>
            <JobCard
              {...sample}
              state={state}
              line={kind}
              steps={state === 'started' ? { done: 2, of: 4 } : null}
              aria-hidden="true"
            />
            <span>
              <b>{t(jobStates[state])}</b>
              <small>{t(states[state])}</small>
            </span>
          </div>
        ))}
        <div className="r">
          <JobCard
            {...sample}
            state="started"
            line={t('25 min over')}
            late
            steps={{ done: 1, of: 3 }}
            aria-hidden="true"
          />
          <span>
            <b>{t('Late')}</b>
            <small>{t('Red edge; its words say by how much')}</small>
          </span>
        </div>
        <div className="r">
          <JobCard {...sample} state="accepted" line={t('Starts 20 min late')} atRisk aria-hidden="true" />
          <span>
            <b>{t('At risk')}</b>
            <small>{t('Amber foot; its words say why')}</small>
          </span>
        </div>
        <div className="r">
          <JobCard {...sample} state="accepted" line={kind} movedBy="AM" aria-hidden="true" />
          <span>
            <b>{t('Changed by somebody else')}</b>
            <small>{t('Their initials, for ten minutes')}</small>
          </span>
        </div>
      </div>
    </div>
  )
}
