import { planOf } from './board/plan.ts'
import { nothingSelected } from './board/selection.ts'
import type { Desk, Looking } from './desk.ts'
import type { Target } from './drag/target.ts'
import { swap } from './make.ts'
import { addDays, dayOf } from './time/zone.ts'
import { zoomStepOf, zoomSteps } from './view.ts'

/** Does what a key says of the days that are shown, or of the jobs that are selected, else of the one that has the focus. @returns whether it did something */
export function onActKey(event: KeyboardEvent, desk: Desk, looking: Looking): boolean {
  const act = actOf(event, desk, looking)
  act?.()
  return act !== null
}

function actOf(event: KeyboardEvent, desk: Desk, looking: Looking): (() => void) | null {
  const { view, look, scale } = looking
  const { acts, selection, zone } = desk
  // While the past is being read, the desk is still that of now.
  const mayPlan = desk.mayPlan && view.at === null
  const name = event.key.toLowerCase()
  if (event.ctrlKey || event.metaKey) {
    if (name === 'z' && mayPlan) return () => void (event.shiftKey ? acts.redo() : acts.undo())
    return name === 'p' && event.shiftKey && mayPlan ? () => acts.isPublishing.set(true) : null
  }
  if (event.altKey) return null
  const days = scale.spans.length
  if (name === 't') return () => look({ day: dayOf(desk.board.live.client.now(), zone) })
  if (name === '+' || name === '=' || name === '-') {
    const step = zoomSteps[zoomStepOf(view) + (name === '-' ? -1 : 1)]
    return step ? () => look(step) : null
  }
  if (name === 'v') return () => look({ isList: !view.isList })
  if (name === '[' || name === ']') return () => look({ day: addDays(view.day, name === '[' ? -days : days) })
  if (name === 'i') {
    const row = Number(/^worker-(\d+)$/.exec(desk.focus.get()?.row ?? '')?.[1])
    const { pins } = view
    return row ? () => look({ pins: pins.includes(row) ? pins.filter((id) => id !== row) : [...pins, row] }) : null
  }
  if (name === 'n' && mayPlan) return () => acts.ask({ kind: 'new', at: placeOfFocus(desk, looking) })
  const { ids } = selection.get()
  const jobs = (ids.length > 0 ? ids : focusedOf(event)).flatMap((id) => desk.job(id) ?? [])
  if (jobs.length === 0) return null
  if (name === 'escape')
    return () => {
      selection.set(nothingSelected)
      look({ job: null })
    }
  if (!mayPlan) return null
  if (name === 'm') return () => acts.ask({ kind: 'move', jobs })
  if (name === 'g') return () => acts.ask({ kind: 'give', jobs })
  const [one, other] = jobs
  if (name === 'x' && one && other && jobs.length === 2 && !acts.staysWhy(one) && !acts.staysWhy(other))
    return () => void swap(desk, one, other)
  if (name === 's') return () => void desk.suggest.ask(jobs, scale)
  if (name === 'l') return () => void acts.lock(jobs)
  if (name === 'p') return () => void acts.publish(jobs)
  if (name === 'u') return () => void acts.toTray(jobs)
  return ['backspace', 'delete'].includes(name) ? () => void acts.takeOff(jobs) : null
}

/** Nothing is selected: what is meant is the card that has the focus. */
function focusedOf({ target }: KeyboardEvent): number[] {
  const card = target instanceof Element ? target.closest<HTMLElement>('[data-job]') : null
  return card ? [Number(card.dataset.job)] : []
}

/** Where the keyboard is: after the job that has the focus, else at the next quarter of an hour, or as the day begins. */
function placeOfFocus({ focus, board, now }: Desk, { scale }: Looking): Pick<Target, 'row' | 'from'> | null {
  const here = focus.get()
  if (!here || here.row === 'tray') return null
  const row = here.row === 'timed' ? 'timed' : Number(here.row.replace('worker-', ''))
  if (row !== 'timed' && !board.workers.get(row)) return null
  const at = now.get() >= scale.from && now.get() < scale.to ? now.get() : scale.from
  const before = here.job === null ? undefined : board.jobs.get(here.job)
  const from = (before && planOf(before)?.to) ?? at
  return { row, from: Math.ceil(from / quarterMs) * quarterMs }
}

const quarterMs = 15 * 60_000
