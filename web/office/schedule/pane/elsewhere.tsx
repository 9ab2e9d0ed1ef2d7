import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { job as jobRecord } from '../../../../src/records/job.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/told.tsx'
import { t } from '../../../ui/words.ts'
import { planOf } from '../board/plan.ts'
import { useDesk, useLooking } from '../desk.ts'
import { dayOf } from '../time/zone.ts'
import { titleOf } from '../words.ts'

/** A link named a job that is not on this board: it is on another day, or over, or there is none. */
export function Elsewhere({ id, onClose }: { id: number; onClose: () => void }) {
  const desk = useDesk()
  const { look } = useLooking()
  const { data: job, isPending } = useQuery({
    queryKey: ['job', 'elsewhere', id],
    queryFn: async ({ signal }) => (await desk.board.live.client.find(jobRecord, id, { signal })).row,
    retry: false,
  })
  if (isPending) return null
  const plan = job && !job.canceled_at ? planOf(job) : null
  return (
    <aside className="details elsewhere" aria-label={t('Job')}>
      <Empty
        title={
          job ? t('{customer} is not on this board', { customer: titleOf(job) }) : t('There is no job {id}', { id })
        }
        actions={
          <>
            {plan && (
              <Button kind="primary" onClick={() => look({ day: dayOf(plan.from, desk.zone) })}>
                {t('Show its day')}
              </Button>
            )}
            {job && (
              <Link className="btn" to={`/jobs/${id}` as string}>
                {t('Open the job’s page')}
              </Link>
            )}
            <Button onClick={onClose}>{t('Close')}</Button>
          </>
        }
      >
        {!job && t('It does not exist, or you may not see it.')}
      </Empty>
    </aside>
  )
}
