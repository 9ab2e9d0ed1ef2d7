import { nothingSelected } from './board/selection.ts'
import type { Desk, Looking } from './desk.ts'
import { addDays, dayOf } from './time/zone.ts'

/** Does what a key says of the days that are shown, or of the jobs that are selected. @returns whether it did something */
export function onActKey(event: KeyboardEvent, desk: Desk, looking: Looking): boolean {
  const act = actOf(event, desk, looking)
  act?.()
  return act !== null
}

function actOf(event: KeyboardEvent, desk: Desk, { view, look, scale }: Looking): (() => void) | null {
  const { acts, selection, zone, mayPlan } = desk
  const name = event.key.toLowerCase()
  if (event.ctrlKey || event.metaKey) {
    if (name === 'z' && mayPlan) return () => void (event.shiftKey ? acts.redo() : acts.undo())
    return name === 'p' && event.shiftKey && mayPlan ? () => acts.isPublishing.set(true) : null
  }
  if (event.altKey) return null
  const days = scale.spans.length
  if (name === 't') return () => look({ day: dayOf(Date.now(), zone) })
  if (name === '[' || name === ']') return () => look({ day: addDays(view.day, name === '[' ? -days : days) })
  const jobs = selection.get().ids.flatMap((id) => desk.job(id) ?? [])
  if (jobs.length === 0) return null
  if (name === 'escape')
    return () => {
      selection.set(nothingSelected)
      look({ job: null })
    }
  if (!mayPlan) return null
  if (name === 'm') return () => acts.ask({ kind: 'move', jobs })
  if (name === 'g') return () => acts.ask({ kind: 'give', jobs })
  if (name === 'l') return () => void acts.lock(jobs)
  if (name === 'p') return () => void acts.publish(jobs)
  return ['backspace', 'delete', 'u'].includes(name) ? () => void acts.takeOff(jobs) : null
}
