import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../ui/words.ts'
import { Section } from '../../job/section.tsx'
import { useSession } from '../../session.ts'
import { mayChange, useOpens } from '../../tabs.ts'
import { Talk, useJobThread, Write } from '../../talk.tsx'
import type { Job } from '../board/plan.ts'
import { useDesk } from '../desk.ts'
import { kindOf, titleOf } from '../words.ts'

const useThread = (job: Job) => useJobThread(job.id, [kindOf(job), titleOf(job)].filter(Boolean).join(', '))

/** What was written about a job. */
export function Messages({ job }: { job: Job }) {
  const opens = useOpens()
  return opens('messages') && <Thread job={job} />
}

function Thread({ job }: { job: Job }) {
  const { threadId } = useThread(job)
  return (
    threadId !== null && (
      <Section title={t('Messages')}>
        <Talk threadId={threadId} />
      </Section>
    )
  )
}

/** Writes to the worker of a job, or calls them. */
export function WriteToWorker({ job }: { job: Job }) {
  const session = useSession()
  return mayChange(session, 'messaging') && job.worker_id !== null && <Foot job={job} />
}

function Foot({ job }: { job: Job }) {
  const { board } = useDesk()
  const { send } = useThread(job)
  const phone = job.worker_id === null ? null : board.workers.get(job.worker_id)?.phone
  const name = job.worker_name ?? ''
  return (
    <div className="bar foot">
      <Write hint={t('Message {name}', { name })} send={send} isLine>
        {phone && (
          <a
            className="btn only"
            href={`tel:${phone.replace(/[^+\d]/g, '')}`}
            aria-label={t('Call {phone}', { phone })}
          >
            <Icon name="phone" />
          </a>
        )}
      </Write>
    </div>
  )
}
