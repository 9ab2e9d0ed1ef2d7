import { Button } from '../../../ui/button.tsx'
import { Verdict } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { cardOf } from '../board/card.ts'
import { expectedEndOf, type Job, planOf, travelBetween } from '../board/plan.ts'
import { useDesk, useRow } from '../desk.ts'
import { markText, timeText, titleOf } from '../words.ts'

/** The next quarter of an hour. */
const quarterMs = 15 * 60_000

/** What is wrong or at risk, in a sentence, and what mends it. */
export function Matter({ job }: { job: Job }) {
  const desk = useDesk()
  const now = useObservable(desk.now)
  useRow(job.worker_id ?? 'timed')
  const { mark } = cardOf(desk.board, job, now)
  if (!mark) return null
  const isMovable = desk.acts.staysWhy(job) === null && job.progress_state === 'not_started'
  const after = 'after' in mark ? mark.after : null
  const free = after ? (expectedEndOf(after, now) ?? 0) + (travelBetween(after, job) ?? 0) : now
  const better = Math.ceil(Math.max(free, now) / quarterMs) * quarterMs
  const isLater = better > (planOf(job)?.from ?? better)
  return (
    <section className="sec">
      <Verdict kind={mark.kind === 'late' ? 'no' : 'warn'} title={markText(mark)}>
        {after && t('Before it: {customer}', { customer: titleOf(after) })}
        {isMovable && (
          <span className="line buttons">
            {isLater && (
              <Button small onClick={() => void desk.acts.moveTo([job], better)}>
                {t('Move it to {time}', { time: timeText(better, desk.zone) })}
              </Button>
            )}
            <Button small onClick={() => desk.acts.ask({ kind: 'give', jobs: [job] })}>
              {t('Who else can')}
            </Button>
          </span>
        )}
      </Verdict>
    </section>
  )
}
