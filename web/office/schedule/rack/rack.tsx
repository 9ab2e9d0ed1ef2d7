import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import type { Layout } from '../board/layout.ts'
import { indexAt } from '../board/rows.ts'
import { useDesk, useLooking } from '../desk.ts'
import { clockText } from '../time/zone.ts'
import { dayText, timeText } from '../words.ts'
import { Corner } from './corner.tsx'
import { JobRow } from './row.tsx'

/** Rows beyond the window that are drawn, so that a turn of the wheel shows no hole. */
const spareRows = 4
/** The width is drawn in pieces, so that scrolling sideways draws seldom. */
const pieceWidth = 640
/** Of a row that is taller than this only what is near is drawn, and the height in pieces like the width. */
const tallPx = 1200

interface Part {
  first: number
  last: number
  from: number
  to: number
  above: number
  below: number
}

interface Props {
  layout: Layout
  scroller: RefObject<HTMLDivElement | null>
  onFold: (team: number) => void
  /** What lies over the rows. */
  children?: ReactNode
}

/** Ruler, rows of workers, and now. Only the rows that can be seen are in the page. */
export function Rack({ layout, scroller, onFold, children }: Props) {
  const desk = useDesk()
  const { scale } = useLooking()
  const [part, setPart] = useState<Part>({
    first: 0,
    last: 40,
    from: 0,
    to: 4 * pieceWidth,
    above: 0,
    below: 4 * pieceWidth,
  })
  const focused = useSyncExternalStore(desk.focus.subscribe, () => desk.focus.get()?.row ?? null)
  const placed = useRef(layout.placed)
  placed.current = layout.placed

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are measured anew
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const rows = placed.current
      const left = Math.abs(element.scrollLeft)
      const piece = Math.floor(left / pieceWidth)
      const next = {
        first: Math.max(0, indexAt(rows, element.scrollTop) - spareRows),
        last: Math.min(rows.length - 1, indexAt(rows, element.scrollTop + element.clientHeight) + spareRows),
        from: (piece - 1) * pieceWidth,
        to: (piece + 2) * pieceWidth + element.clientWidth,
        above: (Math.floor(element.scrollTop / pieceWidth) - 1) * pieceWidth,
        below: (Math.floor(element.scrollTop / pieceWidth) + 2) * pieceWidth + element.clientHeight,
      }
      setPart((now) => (Object.entries(next).every(([name, value]) => now[name as keyof Part] === value) ? now : next))
    }
    measure()
    const scrolled = () => flushSync(measure)
    // On paper nothing can be scrolled to.
    const all = () =>
      flushSync(() =>
        setPart({
          first: 0,
          last: placed.current.length,
          from: 0,
          to: 100_000,
          above: 0,
          below: Number.POSITIVE_INFINITY,
        }),
      )
    addEventListener('beforeprint', all)
    addEventListener('afterprint', measure)
    element.addEventListener('scroll', scrolled, { passive: true })
    const size = new ResizeObserver(measure)
    size.observe(element)
    return () => {
      element.removeEventListener('scroll', scrolled)
      removeEventListener('beforeprint', all)
      removeEventListener('afterprint', measure)
      size.disconnect()
    }
  }, [scroller, layout])

  const drawn = layout.placed.flatMap((one, at) => {
    const isKept = one.row.kind !== 'team' && focused !== null && one.row.key === focused
    return (at >= part.first && at <= part.last) || isKept ? [{ ...one, at }] : []
  })
  const now = useObservable(desk.now)
  const isNow = now >= scale.from && now < scale.to
  const style = {
    ...(isNow && { '--now': `${scale.x(now)}px` }),
    '--hour': `${scale.pxPerHour}px`,
    width: `calc(var(--who) + ${scale.width}px)`,
  } as CSSProperties
  return (
    <div className="sheet" style={style}>
      <Ruler />
      <div className="rows" style={{ height: layout.height }}>
        {drawn.map(({ row, top, height, at }) =>
          row.kind === 'team' ? (
            <div className="team" role="row" key={row.key} aria-rowindex={at + 2} style={{ top, height }}>
              <span className="in" role="rowheader">
                <button
                  type="button"
                  className="fold"
                  aria-expanded={!row.folded}
                  tabIndex={-1}
                  onClick={() => onFold(row.id)}
                >
                  <Icon name={row.folded ? 'right' : 'down'} />
                  {row.name || t('In no team')}
                  <span>{row.count}</span>
                </button>
              </span>
            </div>
          ) : (
            <JobRow
              key={row.key}
              row={row}
              top={top}
              height={height}
              index={at + 2}
              from={part.from}
              to={part.to}
              above={height > tallPx ? part.above - top : 0}
              below={height > tallPx ? part.below - top : height}
            />
          ),
        )}
        {children}
      </div>
    </div>
  )
}

function Ruler() {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const now = useObservable(desk.now)
  const isDay = view.zoom === 'day'
  const nowX = now >= scale.from && now < scale.to ? scale.x(now) : null
  // The hour that the time of now would lie over is left out: that says it.
  const isFree = (x: number) => nowX === null || Math.abs(x + 12 - nowX) > 28
  return (
    <div className="ruler" role="row" aria-rowindex={1}>
      <Corner />
      <span className="ticks" aria-hidden="true">
        {scale.hours.map(({ x, at, clock }) =>
          (isDay || clock % 120 === 0) && isFree(x) ? (
            <span key={at} className="h" style={{ insetInlineStart: x + 5 }}>
              {clockText(clock).slice(0, 2)}
            </span>
          ) : null,
        )}
        {!isDay &&
          scale.spans.map(({ x, day }) => (
            <span key={day} className="h day" style={{ insetInlineStart: x + 5 }}>
              {dayText(day, desk.locale, { weekday: 'short', day: 'numeric' })}
            </span>
          ))}
        {!isDay &&
          scale.spans
            .slice(1)
            .map(({ x, day }) => <span key={day} className="fold-line" style={{ insetInlineStart: x }} />)}
        {nowX !== null && (
          <span className="nowtag" style={{ insetInlineStart: nowX }}>
            {timeText(now, desk.zone)}
          </span>
        )}
      </span>
    </div>
  )
}
