import { Link } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { stateOf } from '../../../ui/job-state.ts'
import { Tab } from '../../../ui/marks.tsx'
import { useMenu } from '../../../ui/use-menu.tsx'
import { t } from '../../../ui/words.ts'
import { PlanInPlace } from '../../job/plan.tsx'
import { stateText } from '../../job/state-text.ts'
import { addressOf, durationOf, isWhole, type Job, planOf } from '../board/plan.ts'
import { useDesk, useLooking } from '../desk.ts'
import { entriesOf } from '../menu.tsx'
import { windowText } from '../tray.tsx'
import { durationText, kindOf, rangeText, titleOf } from '../words.ts'

/** The job as a card that stands upright: state, customer, when, who, where. */
export function Head({ job, onClose }: { job: Job; onClose: () => void }) {
  const desk = useDesk()
  const { scale } = useLooking()
  const state = stateOf(job)
  const plan = planOf(job)
  const address = addressOf(job)
  const when = (
    <span>
      {plan && <b>{rangeText(plan.from, plan.to, desk.zone)}</b>}{' '}
      <span className="dim">{durationText(durationOf(job))}</span>
      {!plan && <span className="dim"> {windowText(job, desk.now.get(), desk)}</span>}
    </span>
  )
  const menu = useMenu(t('What can be done'), entriesOf(desk, job, scale))
  return (
    <div className="dhead" data-state={state}>
      <div className="cap">
        <Tab state={state} />
        {stateText(job)}
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
          {isWhole(job) && desk.mayPlan ? <PlanInPlace>{when}</PlanInPlace> : when}
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
