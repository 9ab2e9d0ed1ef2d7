import { Fragment, useEffect, useRef } from 'react'
import { Icon } from '../ui/icon.tsx'
import { jobStates, stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { authorOf, messagesOf, nameOfThread, namesOf, tellMarks } from './conversations.ts'
import { useDraft } from './draft.ts'
import { begin, writeOn, writeTo } from './message-acts.ts'
import { Say, Tab, To } from './parts.tsx'
import { ReceiptWords } from './receipts.tsx'
import { go } from './route.ts'
import { Screen } from './screen.tsx'
import { currentPhone, type Job, type Message, rowOf, rowsOf, type Thread, useFormats, useShown } from './store.ts'

/** One thread: `/messages/ID`. */
export function ThreadPage({ id }: { id: string }) {
  const shown = useShown()
  const thread = rowOf(shown, 'thread', id)
  if (!thread)
    return (
      <Screen page title={t('Messages')}>
        <Say how="note" head={t('This thread is not on this phone')} />
      </Screen>
    )
  return (
    <Conversation
      title={nameOfThread(shown, thread)}
      thread={thread}
      job={rowOf(shown, 'job', thread.job_id)}
      place={`messages/${id}`}
      onSend={(text) => currentPhone().act([writeTo(id, text)], `messages/${id}`)}
    />
  )
}

/** What is written about a job, whether there is a thread yet or not. */
export function JobThreadPage({ id }: { id: string }) {
  const shown = useShown()
  const job = rowOf(shown, 'job', id)
  if (!job) return <ThreadPage id="" />
  return (
    <Conversation
      title={job.customer_name ?? ''}
      thread={rowsOf(shown, 'thread').find(({ job_id }) => job_id === job.id)}
      job={job}
      place={`jobs/${id}/messages`}
      onSend={(text) => currentPhone().act(writeOn(job, text), `jobs/${id}/messages`)}
    />
  )
}

/** A thread that begins with its first message. @param ids of people, joined by `+` */
export function NewThreadPage({ ids }: { ids: string }) {
  const userIds = ids.split('+').map(Number)
  const place = `messages/to/${ids}`
  const send = async (text: string) => {
    const { id, acts } = begin({ subject: null, userIds, jobId: null }, text)
    await currentPhone().act(acts, place)
    go(`/messages/${id}`, 'instead')
  }
  return <Conversation title={namesOf(useShown(), userIds)} place={place} onSend={send} />
}

interface ConversationProps {
  title: string
  thread?: Thread | undefined
  job?: Job | undefined
  /** Where the draft is kept. */
  place: string
  onSend: (text: string) => Promise<unknown>
}

function Conversation({ title, thread, job, place, onSend }: ConversationProps) {
  const shown = useShown()
  const { date } = useFormats()
  const end = useRef<HTMLLIElement>(null)
  const messages = thread ? messagesOf(shown, thread) : []
  useEffect(() => {
    if (thread) tellMarks(thread, 'reading')
  }, [thread])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest is looked at as it comes
  useEffect(() => {
    // Newer browsers answer a promise here: it is no clean-up.
    void end.current?.scrollIntoView({ block: 'end' })
  }, [messages.length])
  return (
    <Screen page title={title} bar={<Write place={place} onSend={onSend} />}>
      {job && (
        <To to={`/jobs/${job.id}`} className="strip" data-state={stateOf(job)}>
          <Tab state={stateOf(job)} />
          <span className="push">
            <b>{[t('Job {id}', { id: job.id }), job.template_name].filter(Boolean).join(', ')}</b>
            <span className="w2">{t(jobStates[stateOf(job)])}</span>
          </span>
          <Icon name="right" />
        </To>
      )}
      <ol className="bubbles wide">
        {messages.map((message, i) => {
          const day = message.created_at && date(message.created_at)
          const before = messages[i - 1]?.created_at
          return (
            <Fragment key={message.id}>
              {day && day !== (before && date(before)) && <li className="daymark">{day}</li>}
              <Bubble message={message} />
            </Fragment>
          )
        })}
        <li ref={end} aria-hidden="true" />
      </ol>
    </Screen>
  )
}

export function Bubble({ message }: { message: Message }) {
  const shown = useShown()
  const { time } = useFormats()
  const { user_id } = currentPhone().person
  const isMine = message.from_user_id === user_id
  const entry = shown.entries.find(({ effects = [] }) => effects.some((effect) => effect.id === message.id))
  const isOpen = entry !== undefined && !entry.settled
  const readers = namesOf(
    shown,
    message.read_by_user_ids.filter((id) => id !== user_id),
  )
  return (
    <li className={isMine ? 'bub me' : 'bub'}>
      {!isMine && <span className="by">{authorOf(shown, message)}</span>}
      {message.body}
      {isMine && isOpen ? (
        <span className="seen">
          <ReceiptWords id={entry.id} />
        </span>
      ) : (
        <span className="seen">
          {isMine
            ? [
                message.created_at && t('Received {time}', { time: time(message.created_at) }),
                readers ? t('read by {readers}', { readers }) : t('not read yet'),
              ]
                .filter(Boolean)
                .join(' · ')
            : message.created_at && time(message.created_at)}
        </span>
      )}
    </li>
  )
}

function Write({ place, onSend }: Pick<ConversationProps, 'place' | 'onSend'>) {
  const [text, setText] = useDraft(place, '')
  const send = async () => {
    if (text.trim() === '') return
    await onSend(text.trim())
    setText('')
  }
  return (
    <div className="write">
      <span className="input">
        <textarea
          rows={1}
          aria-label={t('Message')}
          placeholder={t('Message')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </span>
      <button type="button" className="act" aria-label={t('Send')} onClick={send}>
        <Icon name="send" />
      </button>
    </div>
  )
}
