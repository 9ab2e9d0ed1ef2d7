import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isObject, type Shown } from '../../../src/fields/index.ts'
import { conflict } from '../../../src/records/conflict.ts'
import { Button } from '../../ui/button.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { useNames } from '../../ui/records/names.ts'
import { msg, t } from '../../ui/words.ts'
import { Changed } from './history.tsx'
import { changesTo, pathText, useValueText } from './history-words.ts'
import { useOpenJob } from './open-job.ts'
import { Section } from './section.tsx'

type Conflict = Shown<typeof conflict>

/** What two people wrote of the same: both values side by side, and the choice. */
export function Conflicts() {
  const { job } = useOpenJob()
  const { client } = useRecords()
  const query = { job_id: job.id, state: 'open', per_page: 20 }
  const { data } = useQuery({
    queryKey: ['list', 'conflict', query],
    queryFn: ({ signal }) => client.list(conflict, query, { signal }),
  })
  const rows = data?.rows ?? []
  const ids = rows.flatMap(({ theirs_by_user_id, mine_by_user_id }) => [theirs_by_user_id ?? [], mine_by_user_id ?? []])
  const nameOf = useNames({ user: ids.flat() })
  if (rows.length === 0) return null
  const who = (id: number | null) => (id === null ? t('A program') : (nameOf('user', id) ?? '…'))
  return (
    <Section title={t('{count, plural, one {One thing to decide} other {# things to decide}}', { count: rows.length })}>
      {rows.map((row) => (
        <One key={row.id} row={row} who={who} />
      ))}
    </Section>
  )
}

type Who = (id: number | null) => string
const decisions = { left: msg('It stays as it is'), noted: msg('It is kept as a note'), taken: msg('It is taken over') }

function One({ row, who }: { row: Conflict; who: Who }) {
  const { job, mayChange, act } = useOpenJob()
  const { id, kind, path, mine_by_user_id } = row
  const isOffline = kind === 'done_offline'
  const decide = (choice: keyof typeof decisions, label: string) => (
    <Button
      small
      onClick={() =>
        void act({
          method: 'POST',
          path: `conflicts/${id}/decision`,
          body: { decision: { choice } },
          says: t(decisions[choice]),
        })
      }
    >
      {label}
    </Button>
  )
  return (
    <fieldset className="conflict">
      <legend>
        <b>
          {isOffline
            ? t('{name} did this while the job was somebody else’s', { name: who(mine_by_user_id) })
            : pathText(path, job)}
        </b>
      </legend>
      {isOffline ? <Done row={row} who={who} /> : <Both row={row} who={who} />}
      {mayChange && (
        <div className="line">
          {decide('left', t('Leave the job as it is'))}
          {isOffline && decide('noted', t('Keep it as a note'))}
          {decide('taken', isOffline ? t('Take it over') : t('Take what came later'))}
        </div>
      )}
    </fieldset>
  )
}

/** What is there and what was written instead, side by side. */
function Both({ row, who }: { row: Conflict; who: Who }) {
  const { path, theirs, mine, theirs_by_user_id, theirs_at, mine_by_user_id, mine_at } = row
  const text = useValueText()
  return (
    <div className="papers">
      <Paper title={t('In force')} by={who(theirs_by_user_id)} at={theirs_at} isInForce>
        <b dir="auto">{text(path, theirs)}</b>
      </Paper>
      <Paper title={t('Came later')} by={who(mine_by_user_id)} at={mine_at}>
        <b dir="auto">{text(path, mine)}</b>
      </Paper>
    </div>
  )
}

/** What was done on a job that had gone to somebody else. */
function Done({ row: { mine, mine_by_user_id, mine_at }, who }: { row: Conflict; who: Who }) {
  const { job } = useOpenJob()
  return (
    <Paper title={t('Done out of reach')} by={who(mine_by_user_id)} at={mine_at}>
      {changesTo(job, isObject(mine) ? mine : {}).map((change) => (
        <Changed key={change.path} change={change} nameOf={() => undefined} />
      ))}
    </Paper>
  )
}

function Paper(props: { title: string; by: string; at: string | null; isInForce?: true; children: ReactNode }) {
  const { title, by, at, isInForce, children } = props
  const { formats } = useRecords()
  return (
    <div className={isInForce ? 'paper in-force' : 'paper'}>
      <span className="label">{title}</span>
      {children}
      <span className="sm dim">{at ? t('{who}, {at}', { who: by, at: formats.brief(at) }) : by}</span>
    </div>
  )
}
