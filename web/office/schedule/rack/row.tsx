import { type CSSProperties, memo, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { JobCard } from '../../../ui/card.tsx'
import { useObservable } from '../../observable.ts'
import { type Card, cardsOf } from '../board/card.ts'
import { lanesOn } from '../board/layout.ts'
import { planOf } from '../board/plan.ts'
import type { Placed, Worker } from '../board/rows.ts'
import { useDesk, useLooking, useRow } from '../desk.ts'
import { isLookedFor } from '../shown.ts'
import { cardName, flagTexts, lineOf, tipOf, titleOf } from '../words.ts'
import { Gaps } from './gaps.tsx'
import { TimedHead, WorkerHead } from './head.tsx'
import { Shifts, useShifts } from './shifts.tsx'

interface Props extends Placed {
  /** From one, over all rows, drawn or not. */
  index: number
  /** Which stretch of the width is drawn, in pixels. */
  from: number
  to: number
  /** Which stretch of its height is drawn, in pixels from its top; all of it but in rows that are taller than the window. */
  above: number
  below: number
}

/** One row of the rack: whom it belongs to, and what they have to do. */
export const JobRow = memo(function JobRow({ row, top, height, index, from, to, above, below }: Props) {
  const desk = useDesk()
  const now = useObservable(desk.now)
  const id = row.kind === 'worker' ? row.worker.id : 'timed'
  const jobs = useRow(id)
  const { scale, view } = useLooking()
  const cards = useMemo(() => cardsOf(jobs, now), [jobs, now])
  const { lanes, count } = lanesOn(jobs)
  return (
    <Shell
      id={id}
      index={index}
      style={{ top, height }}
      head={row.kind === 'worker' ? <WorkerHead worker={row.worker} jobs={jobs} /> : <TimedHead jobs={jobs} />}
      lane={
        <div className="lane">
          {row.kind === 'worker' && <ShiftsOf worker={row.worker} />}
          {typeof id === 'number' && <Gaps jobs={jobs} lanes={lanes} />}
          {cards.map((card, i) => {
            const plan = planOf(card.job)
            if (!plan) return null
            const [x, end] = [Math.max(0, scale.x(plan.from)), Math.min(scale.width, scale.x(plan.to))]
            if (end < from || x > to) return null
            const y = ((lanes[i] ?? 0) * height) / count
            if (y < above || y > below) return null
            const isFaint = !isLookedFor(card, view)
            return (
              <CardOnBoard
                key={card.job.id}
                card={card}
                lane={lanes[i] ?? 0}
                x={x}
                width={end - x - 2}
                isFaint={isFaint}
              />
            )
          })}
        </div>
      }
    />
  )
})

interface ShellProps {
  id: number | 'timed'
  index: number
  style: CSSProperties
  head: ReactNode
  lane: ReactNode
}

/** Marked with the verdict while a card is in the hand, without drawing what is in it anew. */
function Shell({ id, index, style, head, lane }: ShellProps) {
  const { lift } = useDesk()
  const verdict = useSyncExternalStore(lift.onVerdicts, () =>
    typeof id === 'number' ? lift.verdict(id)?.kind : undefined,
  )
  return (
    <div
      className={id === 'timed' ? 'row timed' : 'row'}
      role="row"
      aria-rowindex={index}
      data-row={id}
      data-v={verdict}
      style={style}
    >
      {head}
      {lane}
    </div>
  )
}

const ShiftsOf = ({ worker }: { worker: Worker }) => <Shifts worker={worker} shifts={useShifts(worker)} />

interface CardProps {
  card: Card
  lane: number
  x: number
  width: number
  isFaint: boolean
  /** On the row of a piece of equipment: who uses it. */
  line?: string
}

export function CardOnBoard({ card, lane, x, width, isFaint, line }: CardProps): ReactNode {
  const desk = useDesk()
  const { scale } = useLooking()
  const { job, state, mark } = card
  const { isSelected, isFocused, isHeld, isWaiting, mover, holder, unread, isConflicted } = useSyncExternalStore(
    (listener) => desk.flags.subscribe(job.id, listener),
    () => desk.flags.get(job.id),
  )
  const now = desk.now.get()
  // Of a day that is over nobody asks how long it still takes.
  const isToday = now >= scale.from && now < scale.to
  const tail =
    (mark?.code === 'overrun' || mark?.code === 'ends_late') && isToday ? (mark.ms / 3_600_000) * scale.pxPerHour : null
  return (
    <JobCard
      role={line === undefined ? 'gridcell' : 'button'}
      data-job={job.id}
      tabIndex={isFocused || line !== undefined ? 0 : -1}
      aria-label={cardName(job, mark, desk.zone, flagTexts(job, { unread, isConflicted, holder }))}
      tip={tipOf(job, desk.zone)}
      {...(line === undefined && { 'aria-selected': isSelected })}
      state={state}
      title={titleOf(job)}
      line={line ?? lineOf(job, mark)}
      late={mark?.kind === 'late'}
      atRisk={mark?.kind === 'risk'}
      untold={card.untold}
      locked={job.locked_at !== null}
      steps={card.steps}
      selected={isSelected}
      movedBy={mover}
      heldBy={holder}
      unread={unread > 0}
      conflict={isConflicted}
      waiting={isWaiting}
      tail={tail}
      width={width}
      {...((isHeld || isFaint) && { className: isHeld ? 'hole' : 'faint' })}
      style={{ insetInlineStart: x, width, ['--lane' as string]: lane }}
    />
  )
}
