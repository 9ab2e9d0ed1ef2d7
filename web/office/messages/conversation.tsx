import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { job } from '../../../src/records/job.ts'
import { thread } from '../../../src/records/thread.ts'
import { Button } from '../../ui/button.tsx'
import { stateOf } from '../../ui/job-state.ts'
import { Face, StateWord } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { useNames } from '../../ui/records/names.ts'
import { Empty } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { useSession } from '../session.ts'
import { useOpens } from '../tabs.ts'
import { post, Talk, Write } from '../talk.tsx'
import type { Thread } from '../threads.ts'
import { titleOf } from './thread-line.tsx'

interface Props {
  id: string
  /** As the list knows it. */
  known: Thread | undefined
  onBack: () => void
}

/** One thread: what was written, a place to answer, and beside it the job and the people. */
export function Conversation({ id, known, onBack }: Props) {
  const { client } = useRecords()
  const { user_id } = useSession()
  const { data, error } = useQuery({
    queryKey: ['one', 'thread', id],
    queryFn: ({ signal }) => client.find(thread, id, { signal, query: { fields: headFields } }),
    enabled: known === undefined,
  })
  const shown = known ?? data?.row
  const nameOf = useNames({ user: shown?.user_ids ?? [] })
  if (error)
    return (
      <div className="blank">
        <Empty title={t('This thread is not there')}>{t('It was deleted, or you may not see it.')}</Empty>
      </div>
    )
  if (!shown) return null
  const title = titleOf(shown, user_id, (one) => nameOf('user', one))
  return (
    <>
      <section className="conversation" aria-label={title}>
        <div className="hd line">
          <Button kind="quiet" icon="back" aria-label={t('Back to the threads')} onClick={onBack} />
          <Face name={title} />
          <span className="clip">
            <b dir="auto">{title}</b>
            <br />
            <span className="sm dim" dir="auto">
              {shown.subject ?? t('Without a subject')}
            </span>
          </span>
        </div>
        <Talk threadId={id} />
        <div className="foot">
          <Write hint={t('Write to {names}', { names: title })} send={(body) => post(client, id, body)} />
        </div>
      </section>
      <aside className="context scroll" aria-label={t('About this thread')}>
        {shown.job_id !== null && <About jobId={shown.job_id} />}
        <section className="sec">
          <h2 className="sechead">{t('In this conversation')}</h2>
          <ul>
            {shown.all_workers && <li>{t('All workers')}</li>}
            {shown.user_ids.map((one) => (
              <li key={one} className="line">
                <Face name={nameOf('user', one) ?? '…'} />
                <span className="clip" dir="auto">
                  {nameOf('user', one) ?? '…'}
                  {one === user_id && <span className="dim"> {t('you')}</span>}
                </span>
              </li>
            ))}
          </ul>
        </section>
      </aside>
    </>
  )
}

const headFields = 'id,job_id,user_ids,subject,all_workers'

function About({ jobId }: { jobId: number }) {
  const { client, formats } = useRecords()
  const opens = useOpens()
  const { data } = useQuery({
    queryKey: ['one', 'job', jobId],
    enabled: opens('jobs'),
    queryFn: ({ signal }) => client.find(job, jobId, { signal }),
  })
  if (!data) return null
  const { row } = data
  return (
    <section className="sec">
      <div className="sechead">
        <h2 className="push">{t('The job')}</h2>
        <Link to="/jobs/$id" params={{ id: String(jobId) }}>
          {t('Open {number}', { number: row.third_party_id ?? jobId })}
        </Link>
      </div>
      <div className="about">
        <StateWord state={stateOf(row)} />
        <b dir="auto">{row.customer_name}</b>
        <span className="two-ink" dir="auto">
          {row.template_name}
        </span>
        <span className="two-ink">
          {row.planned_start_at ? formats.dateTime(row.planned_start_at) : t('no time')}
          {row.worker_name && `, ${row.worker_name}`}
        </span>
      </div>
    </section>
  )
}
