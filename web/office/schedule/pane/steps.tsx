import { job as jobs } from '../../../../src/records/job.ts'
import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../ui/words.ts'
import type { WholeJob } from '../board/plan.ts'
import { useDesk } from '../desk.ts'
import { timeText, titleOf } from '../words.ts'
import { isoOf } from '../writes.ts'

/** The steps of a job; a tick completes one, for a worker who called in. */
export function Steps({ job }: { job: WholeJob }) {
  const desk = useDesk()
  const isOpen = desk.mayPlan && job.worker_id !== null && job.canceled_at === null
  const tick = (step: WholeJob['steps'][number]) => {
    const completed_at = step.completed_at ? null : isoOf(Date.now())
    const steps = job.steps.map((one) => (one.id === step.id ? { ...one, completed_at } : one))
    const path = `jobs/${job.id}/steps/${step.id}/completion`
    const says = completed_at
      ? t('{step} is done at {customer}', { step: step.name, customer: titleOf(job) })
      : t('{step} is open again at {customer}', { step: step.name, customer: titleOf(job) })
    void desk.acts.write(says, titleOf(job), [
      {
        ...(completed_at ? { method: 'POST', body: { completion: { completed_at } } } : { method: 'DELETE' }),
        path,
        expected: { record: jobs, id: job.id, changes: { steps } },
      },
    ])
  }
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Steps')}</h3>
        <span className="push" />
        <span className="dim plain">
          {t('{done} of {all}', { done: job.steps.filter((step) => step.completed_at).length, all: job.steps.length })}
        </span>
      </div>
      {job.steps.map((step, i) => {
        const isNow =
          !step.completed_at &&
          job.progress_state === 'started' &&
          job.steps.slice(0, i).every((one) => one.completed_at)
        return (
          <label key={step.id} className={step.completed_at ? 'step d' : isNow ? 'step now' : 'step'}>
            <input
              type="checkbox"
              className="vh"
              checked={step.completed_at !== null}
              disabled={!isOpen}
              onChange={() => tick(step)}
            />
            <span className="box">{step.completed_at ? <Icon name="check" /> : isNow && <Icon name="play" />}</span>
            <span>{step.name}</span>
            <span className="t">{step.completed_at && timeText(Date.parse(step.completed_at), desk.zone)}</span>
          </label>
        )
      })}
    </section>
  )
}
