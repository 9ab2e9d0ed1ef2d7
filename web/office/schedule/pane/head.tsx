import { Link } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { jobStates, stateOf } from '../../../ui/job-state.ts'
import { Tab } from '../../../ui/marks.tsx'
import { useMenu } from '../../../ui/use-menu.tsx'
import { t } from '../../../ui/words.ts'
import { addressOf, durationOf, isOver, type Job, planOf } from '../board/plan.ts'
import { useDesk } from '../desk.ts'
import { entriesOf } from '../menu.tsx'
import { saidDuration } from '../time/said.ts'
import { windowText } from '../tray.tsx'
import { durationText, kindOf, rangeText, titleOf } from '../words.ts'
import { InPlace } from './in-place.tsx'

/** The job as a card that stands upright: state, customer, when, who, where. */
export function Head({ job, onClose }: { job: Job; onClose: () => void }) {
  const desk = useDesk()
  const state = stateOf(job)
  const plan = planOf(job)
  const done = job.steps.filter(({ completed_at }) => completed_at !== null).length
  const isBusy = state === 'started' || state === 'paused'
  const address = addressOf(job)
  const menu = useMenu(t('What can be done'), entriesOf(desk, job))
  return (
    <div className="dhead" data-state={state}>
      <div className="cap">
        <Tab state={state} />
        {isBusy
          ? t('{state}, step {step} of {steps}', {
              state: t(jobStates[state]),
              step: Math.min(done + 1, job.steps.length),
              steps: job.steps.length,
            })
          : t(jobStates[state])}
        <span className="push" />
        <Link
          className="btn quiet small only"
          to={`/jobs/${job.id}` as string}
          aria-label={t('Open the job’s page')}
          title={t('Open the job’s page')}
        >
          <Icon name="expand" />
        </Link>
        <button type="button" className="btn quiet small only" aria-label={t('What can be done')} {...menu.trigger}>
          <Icon name="more" />
        </button>
        {menu.popover}
        <Button kind="quiet" small icon="x" aria-label={t('Close')} onClick={onClose} />
      </div>
      <div className="b">
        <div className="line">
          <h2 className="cust push clip">{titleOf(job)}</h2>
          <span className="dim sm">{job.id}</span>
        </div>
        <div className="two-ink">{kindOf(job)}</div>
        <div className="when">
          <Icon name="clock" />
          <span>
            {plan && <b>{rangeText(plan.from, plan.to, desk.zone)}</b>} <Takes job={job} />
            {!plan && <span className="dim">{windowText(job, desk.now.get(), desk)}</span>}
          </span>
          {job.locked_at ? <Icon name="lock" /> : <span />}
          <Icon name="user" />
          <span className="clip">{job.worker_name ?? t('No worker')}</span>
          <span />
          {job.tag_ids.length > 0 && (
            <>
              <Icon name="tag" />
              <span className="clip">
                {job.tag_ids.flatMap((id) => desk.board.tags.get(id)?.name ?? []).join(', ')}
              </span>
              <span />
            </>
          )}
          {address && (
            <>
              <Icon name="map" />
              <span className="clip">{address}</span>
              <span />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

/** How long it takes; typed over, it takes so long. */
function Takes({ job }: { job: Job }) {
  const { acts, mayPlan } = useDesk()
  const text = durationText(durationOf(job))
  if (!mayPlan || acts.staysWhy(job) !== null || isOver(job)) return <span className="dim">{text}</span>
  const save = (said: string) => {
    const seconds = saidDuration(said)
    if (seconds !== null)
      void acts.change(t('{customer} takes {time}', { customer: titleOf(job), time: durationText(seconds * 1000) }), [
        { job, changes: { planned_duration: seconds } },
      ])
  }
  return <InPlace label={t('Takes')} value={text} onSave={save} />
}
