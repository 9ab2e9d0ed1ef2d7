import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { messagesOf } from './conversations.ts'
import { Card, To } from './parts.tsx'
import { type Job, rowsOf, useShown } from './store.ts'
import { Bubble } from './thread.tsx'

const NEWEST = 3

/** The newest of what was written about a job. */
export function JobMessages({ job }: { job: Job }) {
  const shown = useShown()
  const thread = rowsOf(shown, 'thread').find(({ job_id }) => job_id === job.id)
  const messages = thread ? messagesOf(shown, thread) : []
  return (
    <Card
      kind="sec"
      flush
      head={
        <>
          <h2 id="messages">{t('Messages')}</h2>
          {messages.length > 0 && <span className="end">{messages.length}</span>}
        </>
      }
    >
      {messages.length > 0 && (
        <ol className="bubbles">
          {messages.slice(-NEWEST).map((message) => (
            <Bubble key={message.id} message={message} />
          ))}
        </ol>
      )}
      <div className="under">
        <To to={`/jobs/${job.id}/messages`} className="btn block">
          <Icon name="messages" />
          <span>{t('Write about this job')}</span>
        </To>
      </div>
    </Card>
  )
}
