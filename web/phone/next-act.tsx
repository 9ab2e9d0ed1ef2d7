import { t } from '../ui/words.ts'
import { completeStep, resume, uncompleteStep } from './acts.ts'
import { missing } from './missing.ts'
import { wayTo } from './navigate.ts'
import { Act, Side, SideLink } from './parts.tsx'
import { go } from './route.ts'
import { currentPhone, type Job } from './store.ts'
import { tell } from './toast.tsx'

/** The next thing to do on a job: the same on Today and on its page. (docs/phone.md) */
export function nextAct(job: Job, on: 'today' | 'job', onMissing?: () => void) {
  const at = job.steps.findIndex((step) => !step.completed_at)
  const step = job.steps[at]
  if (!step || job.canceled_at || job.confirmation === 'declined') return null
  const toJob = on === 'today' && (
    <Side icon="jobs" onAct={() => go(`/jobs/${job.id}`)}>
      {t('Job')}
    </Side>
  )
  if (job.paused_at)
    return (
      <>
        <Act icon="play" onAct={() => currentPhone().act([resume(job)])}>
          {t('Go on')}
        </Act>
        {toJob}
      </>
    )
  const isLast = job.steps.filter((one) => !one.completed_at).length === 1
  const count = isLast ? missing(job).length : 0
  const way = wayTo(job)
  const complete = async () => {
    if (count > 0) return onMissing ? onMissing() : go(`/jobs/${job.id}`)
    const [entry] = await currentPhone().act([completeStep(job, step)])
    tell(
      t('Completed {name}', { name: step.name }),
      () => entry && currentPhone().undo(entry.id, uncompleteStep(job, step)),
    )
  }
  return (
    <>
      <Act
        icon="s-completed"
        onAct={complete}
        {...(count > 0
          ? { small: t('{count, plural, one {# thing first} other {# things first}}', { count }) }
          : { before: isLast ? t('Finish the job') : t('Complete step {at}', { at: at + 1 }) })}
      >
        {count > 0 ? t('Finish the job') : step.name}
      </Act>
      {at === 0 && way ? (
        // One beside the act: three don't fit on a small phone, and the card leads to the job as well.
        <SideLink icon="route" href={way}>
          {t('Navigate')}
        </SideLink>
      ) : (
        toJob
      )}
    </>
  )
}
