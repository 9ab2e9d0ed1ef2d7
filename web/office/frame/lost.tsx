import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { Banner } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { follow, live } from '../live.ts'
import { useSession } from '../session.ts'

/** Lists are read anew so long after the first of several changes. */
const gatherMs = 300

/** The connection is lost: since when, what waits, and that nothing of it has been kept yet. */
export function Connection() {
  useFreshLists()
  const { formats } = useRecords()
  const onChange = (listener: () => void) => live.onChange(listener)
  const connection = useSyncExternalStore(onChange, () => live.connection)
  const waiting = useSyncExternalStore(onChange, () => live.waiting)
  const [isOpen, setOpen] = useState(false)
  if (connection.name === 'open') return null
  if (connection.name === 'refused')
    return (
      <Banner
        kind="refused"
        action={
          <Button small onClick={() => location.reload()}>
            {t('Sign in again')}
          </Button>
        }
      >
        {t('You were signed out. What is shown may be old.')}
      </Banner>
    )
  const count = waiting.length
  const since = formats.time(new Date(connection.since).toISOString())
  return (
    <>
      <Banner
        action={
          count > 0 && (
            <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {t('{count, plural, one {Show the change} other {Show the # changes}}', { count })}
            </Button>
          )
        }
      >
        {count === 0
          ? t('Connection lost at {since}. What you do now waits here until it is back.', { since })
          : t(
              'Connection lost at {since}. {count, plural, one {# change is waiting here and will be sent when it is back.} other {# changes are waiting here and will be sent when it is back.}}',
              { since, count },
            )}
      </Banner>
      {isOpen && count > 0 && (
        <ul className="waiting">
          {waiting.map(({ key, says }) => (
            <li key={key} className="line">
              <span className="push clip">{says}</span>
              <Button small onClick={() => live.discard(key)}>
                {t('Do not send')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What others change is read anew by the lists and panes that show its type, or that one: the second word of their key says so. */
function useFreshLists() {
  const queries = useQueryClient()
  const { id } = useSession()
  useEffect(() => {
    void follow(id).catch(() => {})
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = live.onEvents((events) => {
      for (const { record, record_id } of events) changed.add(record).add(`${record} ${record_id}`)
      timer ??= setTimeout(() => {
        timer = undefined
        const records = new Set(changed)
        changed.clear()
        void queries.invalidateQueries({ predicate: ({ queryKey }) => records.has(String(queryKey[1])) })
      }, gatherMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queries, id])
}
