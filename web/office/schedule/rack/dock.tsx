import { type CSSProperties, type RefObject, useEffect, useMemo, useRef } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import type { Equipment } from '../board/board.ts'
import { cardOf, cardsOf } from '../board/card.ts'
import { type Heights, heightOfLanes, lanesOn } from '../board/layout.ts'
import { type Job, planOf } from '../board/plan.ts'
import { useDesk, useLooking } from '../desk.ts'
import { isLookedFor } from '../shown.ts'
import { useAllJobs, useEvery } from '../use-board.ts'
import { timeText } from '../words.ts'
import { codeOf } from './head.tsx'
import { CardOnBoard } from './row.tsx'

interface Props {
  scroller: RefObject<HTMLDivElement | null>
  heights: Heights
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

/** Equipment that is in use, under the workers; it goes sideways with them. Folded, its head says what is out. */
export function Dock({ scroller, heights, isFolded, onFold }: Props) {
  const desk = useDesk()
  const { scale } = useLooking()
  const { board } = desk
  const all = useEvery(board.equipment)
  const { from, to } = scale
  const uses = useAllJobs(() => board.equipmentUse(from, to), from, to)
  const now = useObservable(desk.now)
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    const rack = scroller.current
    const follow = () => element.current?.style.setProperty('--sx', String(rack?.scrollLeft ?? 0))
    follow()
    rack?.addEventListener('scroll', follow, { passive: true })
    return () => rack?.removeEventListener('scroll', follow)
  })
  const shown = useMemo(
    () => all.filter(({ id }) => uses.has(id)).toSorted((a, b) => desk.compare(a.name, b.name)),
    [all, uses, desk],
  )
  if (shown.length === 0) return null
  const isNow = now >= from && now < to
  const style = {
    ...(isNow && { '--now': `${scale.x(now)}px` }),
    '--hour': `${scale.pxPerHour}px`,
    width: `calc(var(--who) + ${scale.width}px)`,
  } as CSSProperties
  return (
    <section className="dock" ref={element} aria-label={t('Equipment')}>
      <div className="sheet" style={style}>
        <div className="team">
          <span className="in">
            <button type="button" className="fold" aria-expanded={!isFolded} onClick={() => onFold(!isFolded)}>
              <Icon name={isFolded ? 'right' : 'down'} />
              {t('Equipment')}
              <span>{t('{shown} of {all}', { shown: shown.length, all: all.length })}</span>
              {isFolded && (
                <span className="clip">{shown.map((one) => outText(one, uses, now, desk.zone)).join(', ')}</span>
              )}
            </button>
          </span>
        </div>
        {!isFolded &&
          shown.map((one) => <Piece key={one.id} piece={one} jobs={uses.get(one.id) ?? []} heights={heights} />)}
      </div>
    </section>
  )
}

/** "Scissor lift until 13:30", "Rope tester from 12:00". */
function outText(
  { id, name }: Equipment,
  uses: ReadonlyMap<number, readonly Job[]>,
  now: number,
  zone: string,
): string {
  const plans = (uses.get(id) ?? []).flatMap((job) => planOf(job) ?? [])
  const current = plans.find(({ from, to }) => from <= now && now < to)
  if (current) return t('{name} until {time}', { name, time: timeText(current.to, zone) })
  const next = plans.find(({ from }) => from > now)
  return next ? t('{name} from {time}', { name, time: timeText(next.from, zone) }) : name
}

function Piece({ piece, jobs, heights }: { piece: Equipment; jobs: readonly Job[]; heights: Heights }) {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const now = useObservable(desk.now)
  const { lanes, count } = lanesOn(jobs)
  const cards = cardsOf(jobs, now)
  return (
    <div className="row" data-equipment={piece.id} style={{ height: heightOfLanes(count, heights) }}>
      <div className="who">
        <span className="face">
          <Icon name="equipment" size="s" />
        </span>
        <span className="two">
          <span>
            <span className="n clip">{piece.name}</span>
            <span className="seen clip">{piece.serial ?? piece.model}</span>
          </span>
          <span className="tags">
            {piece.tag_ids.map((id) => {
              const name = desk.board.tags.get(id)?.name
              return name && <Tag key={id} name={name} code={codeOf(name)} />
            })}
          </span>
        </span>
      </div>
      <div className="lane">
        {cards.map((card, i) => {
          const plan = planOf(card.job)
          if (!plan) return null
          const [x, end] = [Math.max(0, scale.x(plan.from)), Math.min(scale.width, scale.x(plan.to))]
          return (
            <CardOnBoard
              key={card.job.id}
              card={card}
              lane={lanes[i] ?? 0}
              x={x}
              width={end - x - 2}
              isFaint={!isLookedFor(cardOf(desk.board, card.job, now), view)}
              line={card.job.worker_name ?? t('No worker')}
            />
          )
        })}
      </div>
    </div>
  )
}
