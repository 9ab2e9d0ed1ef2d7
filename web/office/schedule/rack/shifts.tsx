import { useMemo, useSyncExternalStore } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { msg, t } from '../../../ui/words.ts'
import type { Worker } from '../board/rows.ts'
import { type Absence, breaksOf, type Shift, shiftsOf, weekOf } from '../board/shifts.ts'
import { useDesk, useLooking } from '../desk.ts'

/** When a worker works in the time that is shown; null where nobody has said. */
export function useShifts(worker: Worker): readonly Shift[] | null {
  const { board, zone } = useDesk()
  const { scale } = useLooking()
  const weeks = useSyncExternalStore(
    (listener) => board.weeks.onKey('all', 'all', listener),
    () => board.weeks.where('all', 'all'),
  )
  return useMemo(() => {
    const week = weekOf(weeks, worker)
    return week && shiftsOf(week, scale.from, scale.to, zone)
  }, [weeks, worker, scale, zone])
}

function useAbsences(worker: number): readonly Absence[] {
  const { absences } = useDesk().board
  const read = (key: number | null) => ({
    listen: (listener: () => void) => absences.onKey('worker', key, listener),
    get: () => absences.where('worker', key),
  })
  const [own, common] = [read(worker), read(null)]
  const theirs = useSyncExternalStore(own.listen, own.get)
  const everybodys = useSyncExternalStore(common.listen, common.get)
  return useMemo(() => [...theirs, ...everybodys], [theirs, everybodys])
}

const kinds = { holiday: msg('Leave'), sick: msg('Sick'), training: msg('Training'), other: msg('Away') } as const

/** Light where somebody works, a cup where they rest, a block with words where they are away. */
export function Shifts({ worker, shifts }: { worker: Worker; shifts: readonly Shift[] | null }) {
  const { scale } = useLooking()
  const absences = useAbsences(worker.id)
  const place = ({ from, to }: Shift) => {
    const [x, end] = [Math.max(0, scale.x(from)), Math.min(scale.width, scale.x(to))]
    return end > x ? { insetInlineStart: x, width: end - x } : null
  }
  const spans = (shifts ?? [{ from: scale.from, to: scale.to }]).map((shift) => ({
    at: shift.from,
    style: place(shift),
  }))
  const breaks = breaksOf(shifts ?? []).map((shift) => ({ at: shift.from, style: place(shift) }))
  return (
    <>
      {spans.map(({ at, style }) => style && <span key={at} className="shift" style={style} />)}
      {breaks.map(
        ({ at, style }) =>
          style && (
            <span key={at} className="away" style={{ ...style, width: style.width - 2 }}>
              <Icon name="coffee" />
            </span>
          ),
      )}
      {absences.map((one) => {
        const style = place({ from: Date.parse(one.from), to: Date.parse(one.to) })
        if (!style) return null
        return (
          <span key={one.id} className="away leave" style={{ ...style, width: style.width - 2 }}>
            <Icon name="calendar" />
            {style.width > 60 && (one.note ?? t(kinds[one.kind ?? 'other']))}
          </span>
        )
      })}
    </>
  )
}
