import { t } from '../../../ui/words.ts'
import type { BoardRow } from '../board/rows.ts'
import { extended, only, toggled } from '../board/selection.ts'
import { isInTray } from '../board/tray.ts'
import type { Desk, Focus } from '../desk.ts'
import { rangeText } from '../words.ts'
import type { Ground } from './ground.ts'
import type { Lifted, Target } from './target.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

interface Around {
  ground: () => Ground | null
  /** Brings a card or a row into view, and the focus to it. */
  show: (focus: Focus) => void
  openPane: (job: number) => void
}

/** What a key does on the board. @returns whether it did something */
export function onBoardKey(event: KeyboardEvent, desk: Desk, around: Around): boolean {
  const lifted = desk.lift.lifted.get()
  if (lifted?.with === 'keyboard') return moveLifted(event, desk, lifted, around)
  const ground = around.ground()
  if (!ground) return false
  const focus = desk.focus.get()
  const job = desk.job(focus?.job ?? null)
  if (event.key === ' ' && job) return pickUp(desk, job.id, around)
  if (event.key === 'd' && (event.ctrlKey || event.metaKey) && job && desk.mayPlan)
    return pickUp(desk, job.id, around, true)
  if (event.key === 'Enter' && job) {
    desk.selection.set(only(job.id))
    around.openPane(job.id)
    return true
  }
  const step =
    event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End' ? next(event, ground, focus) : null
  if (step) {
    if (event.shiftKey && step.job !== null && focus?.job) {
      const all = jobsOfRow(ground, step.row).map(({ id }) => id)
      desk.selection.set(
        extended(desk.selection.get().anchor === null ? only(focus.job) : desk.selection.get(), step.job, all),
      )
    }
    around.show(step)
    return true
  }
  if (event.key === 'a' && (event.ctrlKey || event.metaKey) && focus) {
    const [first, ...rest] = jobsOfRow(ground, focus.row).map(({ id }) => id)
    if (first !== undefined) desk.selection.set(rest.reduce(toggled, only(first)))
    return true
  }
  return false
}

function pickUp(desk: Desk, id: number, around: Around, copies = false): boolean {
  const job = desk.job(id)
  if (!job) return false
  const why = copies ? null : desk.acts.staysWhy(job)
  if (why) {
    desk.acts.tellStays(job, why)
    return true
  }
  const ground = around.ground()
  const at = Math.max(desk.now.get(), ground?.scale.from ?? 0)
  desk.lift.take(job, {
    with: 'keyboard',
    by: 'place',
    copies,
    at: Math.ceil(at / (15 * minuteMs)) * 15 * minuteMs,
  })
  desk.said.set(
    copies
      ? t('A copy of {customer} picked up. Arrow keys move it, Enter puts it down, Escape gives it up.', {
          customer: job.customer_name ?? '',
        })
      : t('{customer} picked up. Arrow keys move it, Enter puts it down, Escape puts it back.', {
          customer: job.customer_name ?? '',
        }),
  )
  return true
}

/** The keyboard's hand: the same machine as the pointer's. */
function moveLifted(event: KeyboardEvent, desk: Desk, lifted: Lifted, { ground, show }: Around): boolean {
  const here = ground()
  if (event.key === 'Escape') {
    desk.lift.putBack()
    desk.said.set(t('Put back'))
    return true
  }
  if (event.key === 'Enter') {
    const { row } = lifted.target
    desk.acts.drop()
    // The focus stays on the card, wherever that lies now.
    if (!desk.acts.question.get()) show({ row: typeof row === 'number' ? `worker-${row}` : row, job: lifted.job.id })
    return true
  }
  if (event.key === 'Backspace' || event.key === 'Delete') {
    desk.lift.move({ ...lifted.target, row: 'tray' })
    desk.acts.drop()
    return true
  }
  if (!here || !event.key.startsWith('Arrow')) return event.key === 'Tab' || event.key === ' '
  const { target } = lifted
  const forward = event.key === (here.isRtl ? 'ArrowLeft' : 'ArrowRight')
  if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    const row = rowBeside(here, desk, target.row, event.key === 'ArrowUp' ? -1 : 1, event.altKey)
    if (row !== null) desk.lift.move({ ...target, row })
  } else {
    const step = (event.ctrlKey || event.metaKey ? dayMs : (event.shiftKey ? 5 : 15) * minuteMs) * (forward ? 1 : -1)
    const row = target.row === 'tray' ? 'timed' : target.row
    if (event.altKey) desk.lift.move({ ...target, row, to: Math.max(target.from + 5 * minuteMs, target.to + step) })
    else desk.lift.move({ row, from: target.from + step, to: target.to + step })
  }
  return true
}

/** The worker above or below; with ⌥ the next one who can take it. */
function rowBeside(
  { layout }: Ground,
  desk: Desk,
  row: Target['row'],
  by: -1 | 1,
  onlyFit: boolean,
): Target['row'] | null {
  const rows = layout.placed.flatMap(({ row: one }) =>
    one.kind === 'team' ? [] : [one.kind === 'worker' ? one.worker.id : ('timed' as const)],
  )
  for (let at = row === 'tray' ? (by > 0 ? 0 : -1) : rows.indexOf(row) + by; at >= 0 && at < rows.length; at += by) {
    const found = rows[at] as number | 'timed'
    if (!onlyFit || (typeof found === 'number' && desk.lift.verdict(found)?.kind !== 'no')) return found
  }
  return null
}

/** What is said of a step: "Ben Okoro, 11:15–12:45, free". */
export function stepText(desk: Desk, { target }: Lifted): string {
  const verdict = desk.lift.verdictHere()
  const row =
    typeof target.row === 'number' ? desk.workerName(target.row) : target.row === 'timed' ? t('Nobody') : t('Tray')
  return [row, target.row === 'tray' ? '' : rangeText(target.from, target.to, desk.zone), verdict?.line]
    .filter(Boolean)
    .join(', ')
}

const rowKey = (row: BoardRow) => row.key

function jobsOfRow({ board, layout }: Ground, key: string) {
  if (key === 'tray') return board.jobs.where('tray', 'tray').filter(isInTray)
  const row = layout.placed.find((one) => rowKey(one.row) === key)?.row
  if (!row || row.kind === 'team') return []
  return board.jobs.where('row', row.kind === 'worker' ? row.worker.id : 'timed')
}

/** Where an arrow leads: the next card in the row; the one nearest in time in the row above or below. */
function next(event: KeyboardEvent, ground: Ground, focus: Focus | null): Focus | null {
  const rows = ground.layout.placed.flatMap(({ row }) => (row.kind === 'team' ? [] : [row.key]))
  const here = focus && rows.includes(focus.row) ? focus : { row: rows[0] ?? '', job: null }
  const jobs = jobsOfRow(ground, here.row)
  const at = jobs.findIndex(({ id }) => id === here.job)
  const card = (row: string, index: number): Focus => ({ row, job: jobsOfRow(ground, row)[index]?.id ?? null })
  const whole = event.ctrlKey || event.metaKey
  const [forward, backward] = ground.isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  if (event.key === forward) return at + 1 < jobs.length ? card(here.row, at + 1) : here
  if (event.key === backward) return at > 0 ? card(here.row, at - 1) : here
  if (event.key === 'Home') return card(whole ? (rows[0] ?? '') : here.row, 0)
  if (event.key === 'End') {
    const row = whole ? (rows.at(-1) ?? '') : here.row
    return card(row, jobsOfRow(ground, row).length - 1)
  }
  const row = rows[rows.indexOf(here.row) + (event.key === 'ArrowUp' ? -1 : 1)]
  if (row === undefined) return here
  const start = Date.parse(jobs[Math.max(0, at)]?.planned_start_at ?? '') || ground.scale.from
  const others = jobsOfRow(ground, row)
  const nearest = others.reduce<number>((best, job, i) => {
    const away = (one: (typeof others)[number] | undefined) => Math.abs(Date.parse(one?.planned_start_at ?? '') - start)
    return i === 0 || away(job) < away(others[best]) ? i : best
  }, 0)
  return card(row, nearest)
}
