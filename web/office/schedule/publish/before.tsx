import { memo, useCallback, useState } from 'react'
import { Face, Verdict } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { cardOf } from '../board/card.ts'
import type { Job } from '../board/plan.ts'
import { type Desk, useDesk } from '../desk.ts'
import { kindOf, markText, titleOf } from '../words.ts'
import { Change, ChangeOf } from './change.tsx'
import { How } from './how.tsx'
import type { Publication, ToldChange, ToldPerson } from './publication.ts'

interface Props {
  told: Publication
  drafts: readonly Job[]
  held: ReadonlySet<number>
  onHold: (held: ReadonlySet<number>) => void
}

/** A row a person, and beside it what the marked one reads. What is unticked, or what the guard refuses, stays a draft. */
export function Before({ told, drafts, held, onHold }: Props) {
  const desk = useDesk()
  const people = told.people.toSorted((a, b) => desk.compare(a.user_name, b.user_name))
  const [chosen, setChosen] = useState<number | null>(null)
  const reader = people.find(({ user_id }) => user_id === chosen) ?? people[0]
  const hold = useCallback(
    (ids: readonly number[], isHeld: boolean) =>
      onHold(isHeld ? held.union(new Set(ids)) : held.difference(new Set(ids))),
    [held, onHold],
  )
  const refused = told.held_back.flatMap(({ job_id, errors }) => {
    const job = drafts.find(({ id }) => id === job_id)
    return job ? [{ job, errors }] : []
  })
  return (
    <div className="publish-cols">
      <div className="scroll">
        <div className="part">{t('Will be told')}</div>
        <ul>
          {people.map((person) => (
            <Row
              key={person.user_id}
              person={person}
              held={held}
              isRead={person === reader}
              onRead={setChosen}
              onHold={hold}
            />
          ))}
        </ul>
        {refused.length > 0 && (
          <>
            <div className="part">
              {t('Held back')}
              <span className="dim">{t('They stay drafts, and nobody is told')}</span>
            </div>
            <ul>
              {refused.map(({ job, errors }) => (
                <li key={job.id} className="tell">
                  <span />
                  <Face name={job.worker_name ?? ''} />
                  <div className="what">
                    <b>{job.worker_name}</b>
                    <ChangeOf job={job} />
                    {errors.map(({ message, remedy }) => (
                      <Verdict key={message} kind="warn" title={message}>
                        {remedy}
                      </Verdict>
                    ))}
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {reader && (
        <aside className="side" aria-label={t('What {name} reads', { name: reader.user_name })}>
          <h3 className="h2">{t('What {name} reads', { name: reader.user_name })}</h3>
          {inOrder(reader.notices).map(({ id, title, text }) => (
            <div key={id} className="reads">
              <b>{title}</b>
              <span>{text}</span>
            </div>
          ))}
        </aside>
      )}
    </div>
  )
}

interface RowProps {
  person: ToldPerson
  held: ReadonlySet<number>
  isRead: boolean
  onRead: (user: number) => void
  onHold: (jobs: readonly number[], isHeld: boolean) => void
}

const Row = memo(function Row({ person, held, isRead, onRead, onHold }: RowProps) {
  const desk = useDesk()
  const { user_name } = person
  const notices = inOrder(person.notices)
  const read = () => onRead(person.user_id)
  const ids = notices.map(({ job_id }) => job_id)
  const going = ids.filter((id) => !held.has(id))
  const mixed = going.length > 0 && going.length < ids.length
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its tick has the keys; a click anywhere shows what they read
    <li className={isRead ? 'tell on' : 'tell'} onFocus={read} onClick={read}>
      <input
        type="checkbox"
        className="tick"
        aria-label={t('Tell {name}', { name: user_name })}
        checked={going.length > 0}
        ref={(tick) => {
          if (tick) tick.indeterminate = mixed
        }}
        onChange={() => onHold(ids, going.length === ids.length)}
        onKeyDown={onArrow}
      />
      <Face name={user_name} shift={person.silent ? 'off' : 'on'} />
      <div className="what">
        <b className="clip">{user_name}</b>
        {notices.map((notice) => {
          const job = desk.job(notice.job_id)
          const customer = job ? titleOf(job) : ''
          return (
            <div key={notice.id} className="one">
              {notices.length > 1 && (
                <input
                  type="checkbox"
                  className="tick"
                  aria-label={t('Tell {name} of {customer}', { name: user_name, customer })}
                  checked={!held.has(notice.job_id)}
                  onChange={(event) => onHold([notice.job_id], !event.target.checked)}
                />
              )}
              <div>
                <Change kind={notice.kind} old={notice.old_plan} now={notice.new_plan}>
                  <b>{customer}</b> <span className="two-ink">{job && kindOf(job)}</span>
                </Change>
                {job && <Matter job={job} desk={desk} />}
              </div>
            </div>
          )
        })}
      </div>
      <How person={person} />
    </li>
  )
})

/** As their day goes: what is taken away by when it was. */
const inOrder = (changes: readonly ToldChange[]) => changes.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
const startOf = ({ old_plan, new_plan }: ToldChange) => (new_plan ?? old_plan)?.planned_start_at ?? ''

/** What is wrong with it now; it goes out all the same. */
function Matter({ job, desk }: { job: Job; desk: Desk }) {
  const now = useObservable(desk.now)
  const { mark } = cardOf(desk.board, job, now)
  return mark ? <Verdict kind={mark.kind === 'late' ? 'no' : 'warn'} title={markText(mark)} /> : null
}

/** Up and down go from person to person. */
function onArrow(event: React.KeyboardEvent<HTMLInputElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const ticks = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('.tell > .tick') ?? [])]
  ticks[ticks.indexOf(event.currentTarget) + step]?.focus()
}
