import './talk.css'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Shown } from '../../src/fields/index.ts'
import { message } from '../../src/records/message.ts'
import { thread } from '../../src/records/thread.ts'
import { ApiError, type Client } from '../client/index.ts'
import { Button } from '../ui/button.tsx'
import { Verdict } from '../ui/marks.tsx'
import { useRecords } from '../ui/records/context.tsx'
import { useNames } from '../ui/records/names.ts'
import { useUnsaved } from '../ui/unsaved.ts'
import { t } from '../ui/words.ts'
import { useSession } from './session.ts'

export type Message = Shown<typeof message>

/** So many are shown at first, and so many more each time. */
const perPage = 50

/** The messages of a thread, oldest first, and a place to write. What is looked at is noted as read. */
export function Talk({ threadId }: { threadId: string }) {
  const { client } = useRecords()
  const [shown, setShown] = useState(perPage)
  const query = { sort: '-created_at', per_page: shown }
  const { data, error } = useQuery({
    queryKey: ['list', 'message', threadId, query],
    queryFn: ({ signal }) => client.list(message, query, { signal, of: { thread_id: threadId } }),
    placeholderData: (before) => before,
  })
  const rows = (data?.rows ?? []).toReversed()
  const people = rows.flatMap(({ from_user_id, read_by_user_ids }) => [from_user_id ?? [], read_by_user_ids].flat())
  const nameOf = useNames({ user: people })
  useMarksOfReading(threadId, rows)
  if (error) return <Verdict kind="no">{error.message}</Verdict>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too
    <div className="scroll talk" role="log" aria-label={t('Messages')} tabIndex={0}>
      <div>
        {data?.more && (
          <Button small kind="quiet" onClick={() => setShown(shown + perPage)}>
            {t('Show earlier messages')}
          </Button>
        )}
        {rows.map((row) => (
          <Bubble key={row.id} row={row} nameOf={(id) => nameOf('user', id)} />
        ))}
      </div>
    </div>
  )
}

function Bubble({ row, nameOf }: { row: Message; nameOf: (id: number) => string | undefined }) {
  const { user_id } = useSession()
  const { formats } = useRecords()
  const { from_user_id: from, from_user_name, read_by_user_ids: read, received_by_user_ids: received } = row
  const isMine = from === user_id
  const author = isMine ? t('You') : ((from === null ? from_user_name : nameOf(from)) ?? '…')
  const readers = read.filter((id) => id !== from).map((id) => (id === user_id ? t('you') : (nameOf(id) ?? '…')))
  return (
    <div className={isMine ? 'bubble mine' : 'bubble'}>
      <span dir="auto">{row.body}</span>
      <span className="by">
        {t('{who}, {at}', { who: author, at: formats.brief(row.created_at) })}
        {isMine &&
          `, ${
            readers.length > 0
              ? t('read by {names}', { names: readers.join(', ') })
              : received.some((id) => id !== from)
                ? t('on the phone')
                : t('not on the phone yet')
          }`}
      </span>
    </div>
  )
}

/** Notes as read what somebody else wrote, up to the newest, once, while the page is looked at. */
function useMarksOfReading(threadId: string, rows: Message[]) {
  const { client } = useRecords()
  const { user_id } = useSession()
  const queries = useQueryClient()
  const noted = useRef('')
  useEffect(() => {
    const mark = () => {
      if (document.hidden) return
      const newest = rows.findLast((row) => isUnread(row, user_id))
      if (!newest || noted.current === newest.id) return
      noted.current = newest.id
      client
        .request('POST', `messaging/${threadId}/reading`, { body: { reading: { up_to_message_id: newest.id } } })
        .then(() => queries.invalidateQueries({ queryKey: ['list', 'thread'] }))
        // It is noted when the thread is opened the next time.
        .catch(() => {})
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [client, queries, threadId, rows, user_id])
}

const isUnread = (
  { from_user_id, read_by_user_ids }: Pick<Message, 'from_user_id' | 'read_by_user_ids'>,
  me: number,
): boolean => from_user_id !== me && !read_by_user_ids.includes(me)

/** A place to write: Ctrl or ⌘ with Enter sends, in one of one line Enter alone. What could not be sent stays. */
export function Write({ hint, send, isLine = false, children }: WriteProps) {
  const queries = useQueryClient()
  const [body, setBody] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useUnsaved(body.trim() !== '')
  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (body.trim() === '' || busy) return
    setBusy(true)
    setError(null)
    try {
      await send(body.trim())
      setBody('')
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => ['thread', 'message'].includes(String(queryKey[1])),
      })
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown.message)
    }
    setBusy(false)
  }
  // Enter of an input method takes a word, and sends nothing.
  const sends = ({ key, shiftKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent) =>
    !nativeEvent.isComposing && key === 'Enter' && (ctrlKey || metaKey || (isLine && !shiftKey))
  return (
    <>
      {error && <Verdict kind="no">{error}</Verdict>}
      <form className="write" onSubmit={onSubmit}>
        <textarea
          className="input"
          rows={isLine ? 1 : 2}
          dir="auto"
          aria-label={hint}
          placeholder={hint}
          value={body}
          onChange={(event) => setBody(event.target.value)}
          onKeyDown={(event) => {
            if (sends(event)) void onSubmit(event)
          }}
        />
        <Button icon="send" type="submit" busy={busy} aria-label={t('Send')} />
        {children}
      </form>
    </>
  )
}

interface WriteProps {
  hint: string
  send: (body: string) => Promise<unknown>
  isLine?: boolean
  /** What stands after its button. */
  children?: ReactNode
}

/** Writes to a thread. */
export const post = (client: Client, threadId: string, body: string) =>
  client.create(message, { body }, { of: { thread_id: threadId } })

const newestFirst = { sort: '-last_reply_at', per_page: 1, fields: 'id,subject' }

/** The thread about a job that was written to last; the first message begins it. */
export function useJobThread(jobId: number, subject: string | null) {
  const { client } = useRecords()
  const query = { ...newestFirst, job_id: jobId }
  const queries = useQueryClient()
  const asked = queryOptions({
    queryKey: ['list', 'thread', query],
    queryFn: ({ signal }) => client.list(thread, query, { signal }),
  })
  const { data } = useQuery(asked)
  const send = async (body: string) => {
    // Until the answer is there, there may be one: a second would part the conversation.
    const [found] = (await queries.ensureQueryData(asked)).rows
    return found
      ? post(client, found.id, body)
      : client.create(thread, { job_id: jobId, subject, messages: [{ body }] })
  }
  return { isKnown: data !== undefined, threadId: data?.rows[0]?.id ?? null, send }
}

/** What was written about a job, and a place to write. */
export function JobTalk({ jobId, subject }: { jobId: number; subject: string | null }) {
  const { isKnown, threadId, send } = useJobThread(jobId, subject)
  return (
    <>
      {threadId !== null ? (
        <Talk threadId={threadId} />
      ) : (
        isKnown && <p className="dim">{t('Nobody has written about it yet.')}</p>
      )}
      <Write hint={t('Write about this job')} send={send} />
    </>
  )
}
