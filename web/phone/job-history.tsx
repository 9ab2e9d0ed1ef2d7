import { useEffect, useState } from 'react'
import type { JournalEvent } from '../client/index.ts'
import { type Change, changesOf } from '../ui/job-changes.ts'
import { labelOf } from '../ui/records/labels.ts'
import { t } from '../ui/words.ts'
import { Card } from './parts.tsx'
import { apiOfPerson, type Job, rowOf, useFormats, useShown } from './store.ts'
import { Unasked } from './unasked.tsx'

const PER_PAGE = 50

/** Who did what on the job, newest first. It is the office's, and so takes a connection. */
export function History({ job }: { job: Job }) {
  const [events, setEvents] = useState<JournalEvent[] | 'unasked' | null>(null)
  // Asked again whenever the job itself is another.
  const { id, updated_at } = job
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it says
  useEffect(() => {
    let isOld = false
    if (Number(id) > 0)
      void newestOf(id).then(
        (found) => !isOld && setEvents(found),
        () => !isOld && setEvents((known) => (Array.isArray(known) ? known : 'unasked')),
      )
    return () => {
      isOld = true
    }
  }, [id, updated_at])
  if (events === null) return null
  const lines = Array.isArray(events)
    ? events.filter((event) => event.action !== 'update' || changesOf(event).length > 0)
    : []
  return (
    <Card kind="sec" flush head={<h2 id="history">{t('History')}</h2>}>
      {events === 'unasked' && <Unasked />}
      <ol className="rows">
        {lines.map((event) => (
          <Line key={event.id} event={event} />
        ))}
      </ol>
    </Card>
  )
}

/** The last page, and the one before where few are on it: the first is the oldest. */
async function newestOf(jobId: number): Promise<JournalEvent[]> {
  const api = await apiOfPerson()
  const ask = async (page: number) => {
    const query = { page, per_page: PER_PAGE }
    const path = `jobs/${jobId}/history`
    return (await api.request<{ events: JournalEvent[]; total_pages: number }>('GET', path, { query })).body
  }
  const first = await ask(1)
  const count = first.total_pages
  const last = count > 1 ? await ask(count) : first
  const isShort = count > 1 && last.events.length < PER_PAGE
  const before = isShort ? (count > 2 ? await ask(count - 1) : first).events : []
  return [...before, ...last.events].toReversed()
}

function Line({ event }: { event: JournalEvent }) {
  const shown = useShown()
  const { brief } = useFormats()
  const { actor, action, at } = event
  const who = actor?.kind === 'user' ? (rowOf(shown, 'user', actor.id ?? 0)?.name ?? t('The office')) : t('The office')
  const what = action === 'create' ? [t('Made the job')] : [...new Set(changesOf(event).map(wordsOf))]
  return (
    <li>
      <span className="w">
        {what.join(', ')}
        <small>{[who, brief(at)].join(', ')}</small>
      </span>
    </li>
  )
}

/** `Completed Arrive`, `Pressure: 20.4`, `Notes`. */
function wordsOf({ path, name, to }: Change): string {
  if (path.endsWith('.completed_at'))
    return to === null ? t('Opened {name} again', { name }) : t('Completed {name}', { name })
  if (name) return path.endsWith('.value') && to !== null ? `${name}: ${to}` : name
  return labelOf(`job.${path}`)
}
