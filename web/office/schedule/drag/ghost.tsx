import { type RefObject, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { useDesk } from '../desk.ts'
import { reasonText, remedyText } from '../reasons.ts'
import { rangeText } from '../words.ts'
import { frameOf, type Ground, onScreen, placedOf } from './ground.ts'

const icons = { no: 'x', warn: 'bang', yes: 'check' } as const

/** Where a card in the hand would be put: a dashed box, its times on a flag, and what the guard says beside it. */
export function Ghost({ ground, rows }: { ground: () => Ground | null; rows: RefObject<HTMLDivElement | null> }) {
  const desk = useDesk()
  const lifted = useObservable(desk.lift.lifted)
  useObservable(desk.lift.candidates)
  const said = useRef<HTMLDivElement>(null)
  const here = ground()
  const target = lifted?.target
  const verdict = desk.lift.verdictHere()
  const kind = verdict?.kind ?? 'yes'
  const row = target && here ? placedOf(here, target.row) : undefined

  // The row that is aimed at is marked without drawing the others anew.
  useEffect(() => {
    const element = target && rows.current?.querySelector(`[data-row="${target.row}"]`)
    element?.classList.add('target')
    return () => element?.classList.remove('target')
  }, [target, rows])

  const sheet = rows.current?.querySelector('.rows')
  if (!lifted || !target || !here || !row || !sheet) return null
  const within = (at: number) => Math.max(0, Math.min(here.scale.width, here.scale.x(at)))
  // In a week a day is a column, and what lies in it has its width.
  const day = here.isWeek ? here.scale.spans.findLast(({ from }) => from <= target.from) : undefined
  const [x, end] = day ? [day.x, day.x + day.width] : [within(target.from), within(target.to)]
  const tint = { '--tv': `var(--${words[kind]}-fill)`, '--to': `var(--${words[kind]}-on)` }
  const box = {
    ...tint,
    insetInlineStart: `calc(var(--who) + ${x}px)`,
    width: Math.max(4, end - x - 2),
    top: row.top + 3,
    height: row.height - 6,
  }
  const place = onScreen(here, frameOf(here), { x: x - 2, y: row.top + row.height })
  const room = here.scroller.getBoundingClientRect()
  const reason = verdict?.reasons[0]
  const name = typeof target.row === 'number' ? desk.workerName(target.row) : t('Nobody')
  return (
    <>
      {createPortal(
        <span className="ghost" style={box}>
          <span className="t">
            <Icon name={icons[kind]} />
            {rangeText(target.from, target.to, desk.zone)}
          </span>
        </span>,
        sheet,
      )}
      {verdict && (
        <div
          ref={said}
          className={`said-box verdict ${kind}`}
          style={{
            left: Math.max(room.left, Math.min(place.x, room.right - 332)),
            top: place.y + 34 > innerHeight - 90 ? place.y - row.height - 110 : place.y + 34,
          }}
        >
          <span className="mark">
            <Icon name={icons[kind]} />
          </span>
          <span className="said">
            <b>{reason ? `${name}: ${reasonText(reason, desk)}` : t('{name}: qualified and free', { name })}</b>
            <span>{reason ? remedyText(reason, desk) : verdict.line}</span>
          </span>
        </div>
      )}
    </>
  )
}

const words = { no: 'danger', warn: 'warning', yes: 'ok' } as const
