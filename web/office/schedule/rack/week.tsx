import { memo, type RefObject, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Tab } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { type Card, cardsOf } from '../board/card.ts'
import type { Layout } from '../board/layout.ts'
import { loadOf } from '../board/load.ts'
import { planOf } from '../board/plan.ts'
import { indexAt, type Placed } from '../board/rows.ts'
import { useDesk, useLooking, useRow } from '../desk.ts'
import { isLookedFor } from '../shown.ts'
import type { Span } from '../time/scale.ts'
import { dayOf, weekdayOf } from '../time/zone.ts'
import { cardName, dayText, loadText, timeText, titleOf } from '../words.ts'
import { Corner } from './corner.tsx'
import { TimedHead, WorkerHead } from './head.tsx'

/** A column a day; cards become lines. */
export function Week({ layout, scroller }: { layout: Layout; scroller: RefObject<HTMLDivElement | null> }) {
  const desk = useDesk()
  const { scale } = useLooking()
  const now = useObservable(desk.now)
  const today = dayOf(now, desk.zone)
  const [[first, last], setPart] = useState<[number, number]>([0, 20])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const next: [number, number] = [
        indexAt(layout.placed, element.scrollTop) - 4,
        indexAt(layout.placed, element.scrollTop + element.clientHeight) + 4,
      ]
      setPart((part) => (part[0] === next[0] && part[1] === next[1] ? part : next))
    }
    measure()
    const scrolled = () => flushSync(measure)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => element.removeEventListener('scroll', scrolled)
  }, [scroller, layout])
  return (
    <div className="sheet wksheet">
      <div className="ruler" role="row" aria-rowindex={1}>
        <Corner />
        {scale.spans.map(({ day }) => (
          <span key={day} className={day === today ? 'wh today' : 'wh'} aria-hidden="true">
            {dayText(
              day,
              desk.locale,
              scale.spans.length > 7 ? { day: 'numeric' } : { weekday: 'short', day: 'numeric' },
            )}
            {day === today && scale.spans.length <= 7 && <b>{t('today')}</b>}
          </span>
        ))}
      </div>
      <div className="rows" style={{ height: layout.height }}>
        {layout.placed.slice(Math.max(0, first ?? 0), (last ?? 0) + 1).map((placed, i) =>
          placed.row.kind === 'team' ? (
            <div className="team" role="row" key={placed.row.key} style={{ top: placed.top, height: placed.height }}>
              <span className="in" role="rowheader">
                {placed.row.name || t('In no team')}
                <span>{placed.row.count}</span>
              </span>
            </div>
          ) : (
            <WeekRow key={placed.row.key} {...placed} index={Math.max(0, first ?? 0) + i + 2} today={today} />
          ),
        )}
      </div>
    </div>
  )
}

const WeekRow = memo(function WeekRow({ row, top, height, index, today }: Placed & { index: number; today: string }) {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const { lift } = desk
  const verdict = useSyncExternalStore(lift.onVerdicts, () =>
    row.kind === 'worker' ? lift.verdict(row.worker.id)?.kind : undefined,
  )
  const now = useObservable(desk.now)
  const id = row.kind === 'worker' ? row.worker.id : 'timed'
  const jobs = useRow(id)
  const cards = useMemo(() => cardsOf(jobs, now).filter((card) => isLookedFor(card, view)), [jobs, now, view])
  return (
    <div className="row wkrow" role="row" aria-rowindex={index} data-row={id} data-v={verdict} style={{ top, height }}>
      {row.kind === 'worker' ? <WorkerHead worker={row.worker} jobs={jobs} /> : <TimedHead jobs={jobs} />}
      {scale.spans.map((span) => (
        <Day
          key={span.day}
          span={span}
          cards={cards}
          isToday={span.day === today}
          lines={scale.spans.length > 7 ? 0 : 3}
        />
      ))}
    </div>
  )
})

function Day({ span, cards, isToday, lines }: { span: Span; cards: readonly Card[]; isToday: boolean; lines: number }) {
  const desk = useDesk()
  const own = cards.filter(({ job }) => {
    const plan = planOf(job)
    return plan && plan.from >= span.from && plan.from < span.to
  })
  const load = loadOf(
    own.map(({ job }) => job),
    span.from,
    span.to,
  )
  const isOff = own.length === 0 && weekdayOf(span.day) > 5
  return (
    <div className={['wk', isToday && 'today', isOff && 'off'].filter(Boolean).join(' ')}>
      {own.length > 0 && <span className="wl">{lines === 0 ? own.length : loadText(load)}</span>}
      {own.slice(0, lines).map(({ job, state, mark }) => (
        <span
          key={job.id}
          className={['mini', mark?.kind === 'late' && 'late', mark?.kind === 'risk' && 'risk']
            .filter(Boolean)
            .join(' ')}
          role="gridcell"
          tabIndex={-1}
          data-job={job.id}
          data-state={state}
          aria-label={cardName(job, mark, desk.zone)}
        >
          <Tab state={state} />
          <b>{timeText(Date.parse(job.planned_start_at ?? ''), desk.zone)}</b>
          <span className="c clip">{titleOf(job)}</span>
        </span>
      ))}
      {lines > 0 && own.length > lines && (
        <span className="more">{t('{count} more', { count: own.length - lines })}</span>
      )}
    </div>
  )
}
