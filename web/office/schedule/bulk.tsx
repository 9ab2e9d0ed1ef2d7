import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useMenu } from '../../ui/use-menu.tsx'
import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { durationOf, type Job } from './board/plan.ts'
import { nothingSelected } from './board/selection.ts'
import { useDesk, useLooking } from './desk.ts'
import { entriesOfMany } from './menu.tsx'
import { durationText } from './words.ts'

/** What can be done with several jobs at once. */
export function Bulk() {
  const desk = useDesk()
  const { scale } = useLooking()
  const isSuggested = useObservable(desk.suggest.shown) !== null
  const { ids } = useObservable(desk.selection)
  const jobs = ids.flatMap((id) => desk.job(id) ?? [])
  // What is suggested for them lies where it would.
  if (jobs.length < 2 || isSuggested) return null
  return (
    <div className="bulk" role="toolbar" aria-label={t('Selected jobs')}>
      <b>{t('{count} jobs', { count: jobs.length })}</b>
      <span className="dim">{durationText(jobs.reduce((sum, job) => sum + durationOf(job), 0))}</span>
      {desk.mayPlan && (
        <>
          <span className="sep" />
          <Button small icon="clock" shortcut="M" onClick={() => desk.acts.ask({ kind: 'move', jobs })}>
            {t('Move')}
          </Button>
          <Button small icon="user" shortcut="G" onClick={() => desk.acts.ask({ kind: 'give', jobs })}>
            {t('Give to')}
          </Button>
          <Button small icon="route" shortcut="S" onClick={() => void desk.suggest.ask(jobs, scale)}>
            {t('Suggest')}
          </Button>
          <Button small icon="lock" shortcut="L" onClick={() => void desk.acts.lock(jobs)}>
            {t('Lock')}
          </Button>
          <Button small icon="send" shortcut="P" onClick={() => void desk.acts.publish(jobs)}>
            {t('Publish')}
          </Button>
          <More jobs={jobs} />
        </>
      )}
      <span className="sep" />
      <Button
        kind="quiet"
        small
        icon="x"
        aria-label={t('Clear the selection')}
        onClick={() => desk.selection.set(nothingSelected)}
      />
    </div>
  )
}

/** Everything else that is done to several. */
function More({ jobs }: { jobs: readonly Job[] }) {
  const desk = useDesk()
  const { scale } = useLooking()
  const menu = useMenu(t('More'), entriesOfMany(desk, jobs, scale))
  return (
    <>
      <button type="button" className="btn small only" aria-label={t('More')} {...menu.trigger}>
        <Icon name="more" />
      </button>
      {menu.popover}
    </>
  )
}
