import { useMemo } from 'react'
import { Face, Tab } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { cardsOf } from './board/card.ts'
import type { Layout } from './board/layout.ts'
import { planOf } from './board/plan.ts'
import type { BoardRow } from './board/rows.ts'
import { useDesk, useLooking, useRow } from './desk.ts'
import { isLookedFor } from './shown.ts'
import { dayOf } from './time/zone.ts'
import { cardName, dayText, lineOf, rangeText, titleOf } from './words.ts'

/** The same days as a list by worker, where there is no room for a rack, or no use of one. What drags do is in each job's menu. */
export const List = ({ layout }: { layout: Layout }) => (
  <div className="scroll listed">
    {layout.placed.map(({ row }) => (row.kind === 'team' ? null : <Row key={row.key} row={row} />))}
  </div>
)

function Row({ row }: { row: Exclude<BoardRow, { kind: 'team' }> }) {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const now = useObservable(desk.now)
  const jobs = useRow(row.kind === 'worker' ? row.worker.id : 'timed')
  const cards = useMemo(() => cardsOf(jobs, now).filter((card) => isLookedFor(card, view)), [jobs, now, view])
  const name = row.kind === 'worker' ? row.worker.name : t('Time set, no worker')
  if (row.kind === 'timed' && cards.length === 0) return null
  return (
    <section aria-label={name}>
      <h2>
        {row.kind === 'worker' && <Face name={name} shift={row.worker.shift_on ? 'on' : 'off'} />}
        <span className="clip">{name}</span>
        <span className="dim">{cards.length}</span>
      </h2>
      {cards.map(({ job, state, mark }) => {
        const plan = planOf(job)
        if (!plan) return null
        return (
          <button
            key={job.id}
            type="button"
            className={mark ? `one ${mark.kind}` : 'one'}
            data-job={job.id}
            data-state={state}
            aria-label={cardName(job, mark, desk.zone)}
          >
            <Tab state={state} />
            <b className="time">
              {scale.spans.length > 1 &&
                `${dayText(dayOf(plan.from, desk.zone), desk.locale, { weekday: 'short', day: 'numeric' })} `}
              {rangeText(plan.from, plan.to, desk.zone)}
            </b>
            <span className="clip">
              <b>{titleOf(job)}</b> <span className="why">{lineOf(job, mark)}</span>
            </span>
          </button>
        )
      })}
    </section>
  )
}
