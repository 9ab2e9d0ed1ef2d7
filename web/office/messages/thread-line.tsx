import { Link } from '@tanstack/react-router'
import { Badge, Face } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { useNames } from '../../ui/records/names.ts'
import { t } from '../../ui/words.ts'
import { useSession } from '../session.ts'
import type { Thread } from '../threads.ts'

/** A thread in the list: who is on it, what was said last, what it is about. */
export function ThreadLine({ thread, isOpen }: { thread: Thread; isOpen: boolean }) {
  const { formats } = useRecords()
  const { user_id } = useSession()
  const { id, job_id, subject, summary, last_reply_at, last_reply_user_id, unread } = thread
  const nameOf = useNames({ user: thread.user_ids.slice(0, 4) })
  const title = titleOf(thread, user_id, (one) => nameOf('user', one))
  return (
    <li className={unread > 0 ? 'thread new' : 'thread'}>
      <Link
        to="."
        search={((now: object) => ({ ...now, thread: id })) as never}
        replace
        aria-current={isOpen ? 'true' : undefined}
      >
        <Face name={title} />
        <b className="clip" dir="auto">
          {title}
        </b>
        <time dateTime={last_reply_at ?? undefined}>{last_reply_at && formats.brief(last_reply_at)}</time>
        <span className="s clip" dir="auto">
          {last_reply_user_id === user_id ? t('You: {text}', { text: summary }) : summary}
        </span>
        {unread > 0 && <Badge hot count={t('{unread, plural, one {# new} other {# new}}', { unread })} />}
        <span className="about clip" dir="auto">
          {job_id === null ? t('No job') : (subject ?? t('Job {id}', { id: job_id }))}
        </span>
      </Link>
    </li>
  )
}

/** Who it is with: the others on it, else what it is about. */
export function titleOf(
  { user_ids, all_workers, subject }: Pick<Thread, 'user_ids' | 'all_workers' | 'subject'>,
  me: number,
  nameOf: (id: number) => string | undefined,
): string {
  if (all_workers) return t('All workers')
  const others = user_ids.filter((id) => id !== me).slice(0, 3)
  if (others.length > 0) return others.map((id) => nameOf(id) ?? '…').join(', ')
  return subject ?? t('Nobody else')
}
