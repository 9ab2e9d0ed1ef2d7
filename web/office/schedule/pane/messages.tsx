import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { thread as threads } from '../../../../src/records/thread.ts'
import { ApiError } from '../../../client/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Badge } from '../../../ui/marks.tsx'
import { toast } from '../../../ui/toast.tsx'
import { t } from '../../../ui/words.ts'
import { useSession } from '../../session.ts'
import { mayChange } from '../../tabs.ts'
import type { Job } from '../board/plan.ts'
import { useDesk } from '../desk.ts'
import { kindOf, timeText, titleOf } from '../words.ts'

/** So many of the newest are shown. */
const newest = 5

/** The thread about a job that was written to last. The second word of its key names what it is read anew for. */
function useThread(job: Job) {
  const { client } = useDesk().board.live
  return useQuery({
    queryKey: ['of-job', 'message', job.id],
    queryFn: async ({ signal }) => {
      const { rows } = await client.list(threads, { job_id: job.id, sort: '-last_reply_at', per_page: 1 }, { signal })
      return rows[0] ?? null
    },
  })
}

/** What was written about a job. */
export function Messages({ job }: { job: Job }) {
  const desk = useDesk()
  const { data } = useThread(job)
  if (!data || data.messages.length === 0) return null
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Messages')}</h3>
        <Badge count={data.messages.length} />
      </div>
      <ul className="messages">
        {data.messages.slice(-newest).map((message) => (
          <li key={message.id} className="msg">
            <span dir="auto">{message.body}</span>
            <span className="by">
              {`${message.from_user_name ?? ''}, ${timeText(Date.parse(message.created_at ?? ''), desk.zone)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Writes to the worker of a job, or calls them. */
export function Write({ job }: { job: Job }) {
  const desk = useDesk()
  const session = useSession()
  const queries = useQueryClient()
  const { data: thread } = useThread(job)
  const [body, setBody] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { client } = desk.board.live
  const phone = job.worker_id === null ? null : desk.board.workers.get(job.worker_id)?.phone
  if (!mayChange(session, 'messaging') || job.worker_id === null) return null
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || body.trim() === '') return
    setBusy(true)
    try {
      const subject = [kindOf(job), titleOf(job)].filter(Boolean).join(', ')
      await (thread
        ? client.request('POST', `messaging/${thread.id}/messages`, { body: { message: { body } } })
        : client.request('POST', 'messaging', { body: { thread: { job_id: job.id, subject, messages: [{ body }] } } }))
      setBody('')
      await queries.invalidateQueries({ queryKey: ['of-job', 'message', job.id] })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast({ kind: 'failed', title: error.message, detail: t('The message was not sent.') })
    } finally {
      setBusy(false)
    }
  }
  const label = t('Message {name}', { name: job.worker_name ?? '' })
  return (
    <form className="bar foot" onSubmit={(event) => void send(event)}>
      <span className="input push">
        <input
          value={body}
          dir="auto"
          maxLength={10_000}
          placeholder={label}
          aria-label={label}
          onChange={(event) => setBody(event.target.value)}
        />
      </span>
      <Button type="submit" icon="send" aria-label={t('Send')} busy={isBusy} />
      {phone && (
        <a className="btn only" href={`tel:${phone.replace(/[^+\d]/g, '')}`} aria-label={t('Call {phone}', { phone })}>
          <Icon name="phone" />
        </a>
      )}
    </form>
  )
}
