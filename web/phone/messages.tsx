import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { stateOf } from '../ui/job-state.ts'
import { initialsOf } from '../ui/names.ts'
import { t } from '../ui/words.ts'
import { isUnread, messagesOf, nameOfThread } from './conversations.ts'
import { Act, Sheet, Tab, To } from './parts.tsx'
import { go } from './route.ts'
import { Screen } from './screen.tsx'
import { currentPhone, rowOf, rowsOf, type Thread, useFormats, useShown } from './store.ts'

/** The threads that the person is on, unread ones first. */
export function Messages() {
  const shown = useShown()
  const [asks, setAsks] = useState(false)
  const threads = rowsOf(shown, 'thread').toSorted((a, b) => lastAt(b).localeCompare(lastAt(a)))
  const unread = threads.filter((thread) => isUnread(shown, thread))
  const read = threads.filter((thread) => !unread.includes(thread))
  return (
    <Screen
      title={t('Messages')}
      acts={
        <Act icon="pen" onAct={() => setAsks(true)}>
          {t('Write a message')}
        </Act>
      }
    >
      {threads.length === 0 && (
        <div className="empty">
          <h2 className="xl">{t('No messages yet')}</h2>
          <p className="two-ink md">{t('What the office writes to you comes here, also what you write from a job.')}</p>
        </div>
      )}
      <Group title={t('Unread')} threads={unread} />
      <Group title={t('Read')} threads={read} />
      {asks && <Recipients onClose={() => setAsks(false)} />}
    </Screen>
  )
}

const lastAt = (thread: Thread) => thread.last_reply_at ?? thread.created_at ?? ''

function Group({ title, threads }: { title: string; threads: Thread[] }) {
  if (threads.length === 0) return null
  return (
    <>
      <h2 className="cap">{title}</h2>
      <div className="list rows">
        {threads.map((thread) => (
          <Row key={thread.id} thread={thread} />
        ))}
      </div>
    </>
  )
}

function Row({ thread }: { thread: Thread }) {
  const shown = useShown()
  const { time, date } = useFormats()
  const { user_id } = currentPhone().person
  const messages = messagesOf(shown, thread)
  const last = messages.at(-1)
  const unread = messages.filter((one) => one.from_user_id !== user_id && !one.read_by_user_ids.includes(user_id))
  const job = rowOf(shown, 'job', thread.job_id)
  const name = nameOfThread(shown, thread)
  const at = last?.created_at ?? thread.last_reply_at
  const isToday = at && date(at) === date(new Date().toISOString())
  return (
    <To to={`/messages/${thread.id}`} className={unread.length > 0 ? 'thread unread' : 'thread'}>
      {job ? (
        <span className="face jobf" data-state={stateOf(job)}>
          <Tab state={stateOf(job)} />
        </span>
      ) : (
        <span className="face">{thread.all_workers ? <Icon name="users" /> : initialsOf(name)}</span>
      )}
      <span className="w">
        <span className="l1">
          <b>{name}</b>
          {at && <span className="tm2">{isToday ? time(at) : date(at)}</span>}
        </span>
        {thread.job_id && <small className="about">{t('Job {id}', { id: thread.job_id })}</small>}
        <small className="last">{last?.body ?? thread.summary}</small>
      </span>
      {unread.length > 0 && (
        <span className="badge">
          <span aria-hidden="true">{unread.length}</span>
          <span className="vh">{t('{count} unread', { count: unread.length })}</span>
        </span>
      )}
    </To>
  )
}

/** To whom a message goes: those who can be written to. It works without a connection. */
function Recipients({ onClose }: { onClose: () => void }) {
  const shown = useShown()
  const [chosen, setChosen] = useState<number[]>([])
  const { user_id } = currentPhone().person
  const people = rowsOf(shown, 'user')
    .filter(({ id, can_message }) => id !== user_id && can_message)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const turn = (id: number) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <Sheet
      title={t('Write to')}
      sub={t('People who can get messages. Works without signal.')}
      onClose={onClose}
      acts={
        <Act icon="messages" mid onAct={() => chosen.length > 0 && go(`/messages/to/${chosen.join('+')}`)}>
          {chosen.length > 0
            ? t('{count, plural, one {Write to # person} other {Write to # people}}', { count: chosen.length })
            : t('Choose who')}
        </Act>
      }
    >
      {people.length === 0 && <p>{t('Nobody who can be written to is on this phone yet.')}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: as the other lists of choices */}
      <div className="rows picks" role="group" aria-label={t('Write to')}>
        {people.map(({ id, name }) => (
          // biome-ignore lint/a11y/useSemanticElements: the whole row is what is touched
          <button
            type="button"
            key={id}
            role="checkbox"
            aria-checked={chosen.includes(id)}
            className={chosen.includes(id) ? 'on' : ''}
            onClick={() => turn(id)}
          >
            <span className="box">
              <Icon name="check" />
            </span>
            <span className="face" aria-hidden="true">
              {initialsOf(name)}
            </span>
            <span className="w md">{name}</span>
          </button>
        ))}
      </div>
    </Sheet>
  )
}
