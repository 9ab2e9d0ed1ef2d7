import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { job as record } from '../../../src/records/job.ts'
import type { JournalEvent } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { type Change, changesOf } from '../../ui/job-changes.ts'
import { useRecords } from '../../ui/records/context.tsx'
import { labelOf } from '../../ui/records/labels.ts'
import { type Id, type NameOf, useNames } from '../../ui/records/names.ts'
import { t } from '../../ui/words.ts'
import { useValueText } from './history-words.ts'
import { type Job, useOpenJob } from './open-job.ts'
import { Section } from './section.tsx'

const shownFirst = 8
const most = 1000

/** What happened to the job, newest first, each line to be put back by itself. */
export function History() {
  const { job } = useOpenJob()
  const { client } = useRecords()
  const [all, setAll] = useState(false)
  const { data } = useQuery({
    queryKey: ['history', `job ${job.id}`],
    queryFn: async ({ signal }) => {
      const path = `jobs/${job.id}/history`
      const { body } = await client.request<{ events: JournalEvent[] }>('GET', path, {
        query: { per_page: most },
        signal,
      })
      return body.events.toReversed()
    },
  })
  const events = (data ?? []).filter((event) => event.action !== 'update' || changesOf(event).length > 0)
  const shown = all ? events : events.slice(0, shownFirst)
  const nameOf = useNames(idsIn(shown))
  return (
    <Section title={t('History')} beside={events.length > 0 && String(events.length)}>
      <ol className="history">
        {shown.map((event) => (
          <Line key={event.id} event={event} nameOf={nameOf} />
        ))}
      </ol>
      {events.length > shown.length && (
        <Button small kind="quiet" onClick={() => setAll(true)}>
          {t('Show all {count}', { count: events.length })}
        </Button>
      )}
    </Section>
  )
}

function Line({ event, nameOf }: { event: JournalEvent; nameOf: NameOf }) {
  const { mayChange, act } = useOpenJob()
  const { formats } = useRecords()
  const { actor, action, at, reason, reverses, call_id } = event
  const who =
    actor?.kind === 'user'
      ? (nameOf('user', actor.id ?? 0) ?? '…')
      : actor?.kind === 'key'
        ? t('A program')
        : t('Muster')
  return (
    <li>
      <time dateTime={at}>{formats.brief(at)}</time>
      <span className="said">
        <b dir="auto">{who}</b>{' '}
        {action === 'create' ? t('made it') : action === 'delete' ? t('deleted it') : reverses && t('put back')}
        {action === 'update' &&
          changesOf(event).map((change) => <Changed key={change.path} change={change} nameOf={nameOf} />)}
        {reason && <span className="two-ink">{t('Why: {reason}', { reason })}</span>}
      </span>
      {mayChange && action === 'update' && (
        <Button
          small
          kind="quiet"
          aria-label={t('Undo what {who} did at {at}', { who, at: formats.brief(at) })}
          onClick={() => void act({ method: 'POST', path: `calls/${call_id}/reversal`, says: t('Put back') })}
        >
          {t('Undo')}
        </Button>
      )}
    </li>
  )
}

/** One change in a line: what, from what, to what. */
export function Changed({ change: { path, name, from, to }, nameOf }: { change: Change; nameOf: NameOf }) {
  const text = useValueText(nameOf)
  const step = path.startsWith('steps[') && path.endsWith('.completed_at')
  if (step) return <span>{to ? t('completed {step}', { step: name }) : t('opened {step} again', { step: name })}</span>
  const field = name ?? labelOf(`job.${path}`)
  if (name !== undefined && from === null && to === name) return <span>{t('added {name}', { name })}</span>
  if (name !== undefined && to === null && from === name) return <span>{t('took {name} away', { name })}</span>
  return (
    <span dir="auto">
      {field}: <span className="vh">{t('was')} </span>
      <span className="was">{text(path, from)}</span> <span className="vh">{t('now')} </span>
      <b>{text(path, to)}</b>
    </span>
  )
}

/** Everybody and everything that the lines name. */
function idsIn(events: JournalEvent[]): { [record: string]: Id[] } {
  const ids: { [record: string]: Id[] } = { user: [] }
  for (const event of events) {
    if (event.actor?.kind === 'user' && event.actor.id !== null) ids.user?.push(event.actor.id)
    for (const { path, from, to } of changesOf(event)) {
      const target = record.fields[path as keyof Job]?.target
      if (!target) continue
      const named = [from, to].flat().filter((id) => typeof id === 'number' || typeof id === 'string')
      ids[target] = [...(ids[target] ?? []), ...(named as Id[])]
    }
  }
  return ids
}
