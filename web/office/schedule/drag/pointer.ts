import { durationOf, type Job, planOf, travelBetween } from '../board/plan.ts'
import { added, nothingSelected } from '../board/selection.ts'
import type { Desk } from '../desk.ts'
import { snapped } from '../time/scale.ts'
import { clockOf, dayOf, instantAt } from '../time/zone.ts'
import { frameOf, type Ground, isWithin, jobsWithin, onSheet, type Point, rowAt } from './ground.ts'
import type { Lifted, Target } from './target.ts'

/** So far a pointer goes before a press is a drag. */
const slackPx = 4
/** An edge of a card that resizes it. */
const edgePx = 8
/** A card narrower than this has no edges: it is taken as a whole. */
const leastWithEdgesPx = 46
const magnetPx = 6
/** Where an hour is narrower than this, steps are half hours. */
const coarsePxPerHour = 40
const leastMs = 5 * 60_000
/** When a job without a time begins on a day that it is put on, in minutes from midnight. */
const usualClock = 8 * 60
/** The rack scrolls under a card that is held so near to its edge, at most so fast. */
const scrollZonePx = 32
const scrollPxPerSecond = 1200

interface Press {
  point: Point
  job: Job
  by: Lifted['by']
  /** From the start of the card to the pointer, in pixels. */
  grip: number
  pointerId: number
  /** ⌥ was down as it was taken hold of. */
  copies: boolean
}

/**
 * Drags by mouse, pen and finger. Nothing of React is in it: while a card is in the hand, each frame is arithmetic,
 * and what has moved.
 */
export function dragByPointer(
  root: HTMLElement,
  desk: Desk,
  groundNow: () => Ground | null,
  hand: HTMLElement,
): () => void {
  const { lift } = desk
  let press: Press | null = null
  let sweep: { from: Point; box: HTMLElement } | null = null
  let last: PointerEvent | null = null
  let frame = 0
  let frameAt = 0
  const ending = new AbortController()
  const on = <K extends keyof HTMLElementEventMap>(
    target: EventTarget,
    name: K,
    listener: (event: HTMLElementEventMap[K]) => void,
  ) => target.addEventListener(name, listener as EventListener, { signal: ending.signal })

  on(root, 'pointerdown', (event) => {
    if (event.button !== 0 || lift.lifted.get()) return
    const card = (event.target as Element).closest<HTMLElement>('[data-job]')
    if (!card) return beginSweep(event)
    const job = desk.job(Number(card.dataset.job))
    if (!job || event.shiftKey || event.ctrlKey || event.metaKey) return
    const { pointerId, altKey: copies } = event
    press = { point: pointOf(event), job, ...gripOf(card, event), pointerId, copies }
  })
  on(document, 'pointermove', (event) => {
    last = event
    if (press && !lift.lifted.get() && distance(press.point, pointOf(event)) > slackPx) take(press)
    if (lift.lifted.get() || sweep) frame ||= requestAnimationFrame(paint)
  })
  on(document, 'pointerup', () => end(true))
  on(document, 'pointercancel', () => end(false))
  on(document, 'keydown', (event) => {
    if (event.key === 'Escape' && press && lift.lifted.get()?.with === 'pointer') {
      event.stopPropagation()
      end(false)
    }
  })
  // The window was left: where the card would be put is no longer seen.
  window.addEventListener('blur', () => end(false), { signal: ending.signal })

  return () => {
    cancelAnimationFrame(frame)
    ending.abort()
  }

  function take({ job, by: grip, pointerId, copies }: Press) {
    const by = copies ? 'place' : grip
    const why = desk.mayPlan && copies ? null : desk.acts.staysWhy(job)
    if (why) {
      press = null
      desk.acts.tellStays(job, why)
      return
    }
    const { ids } = desk.selection.get()
    const others = ids.includes(job.id) && by === 'place' && !copies ? ids.flatMap((id) => desk.job(id) ?? []) : [job]
    root.setPointerCapture(pointerId)
    document.body.classList.add('dragging')
    fillHand(job)
    lift.take(job, { with: 'pointer', by, jobs: others, at: startInView(), copies })
    frameAt = performance.now()
  }

  /** A job without a time is as wide as it takes, from where the pointer is. */
  function startInView(): number {
    const ground = groundNow()
    return ground ? snapped(Math.max(desk.now.get(), ground.scale.from), 15, desk.zone) : desk.now.get()
  }

  /** The card as it lies on the board, also when it comes from the tray. */
  function fillHand(job: Job) {
    const card = root.querySelector<HTMLElement>(`[data-job="${job.id}"]`)
    const ground = groundNow()
    if (!card || !ground) return
    const copy = document.createElement('div')
    copy.className = 'job'
    copy.dataset.state = card.dataset.state ?? ''
    const body = document.createElement('span')
    body.className = 'body'
    for (const part of ['.c', '.k']) body.append(card.querySelector(part)?.cloneNode(true) ?? '')
    copy.append(card.querySelector('.tab')?.cloneNode(true) ?? '', body)
    hand.replaceChildren(copy)
    const width = (durationOf(job) / 3_600_000) * ground.scale.pxPerHour
    hand.style.width = `${Math.min(Math.max(width, ground.isWeek ? 140 : 70), 240)}px`
    hand.hidden = false
  }

  function paint(at: number) {
    frame = 0
    const ground = groundNow()
    if (!ground || !last) return
    if (sweep) return paintSweep(ground, last)
    const lifted = lift.lifted.get()
    if (!lifted || !press) return
    const view = frameOf(ground)
    const point = pointOf(last)
    hand.style.transform = `translate(${point.x - Math.min(press.grip, 60) + 2}px, ${point.y - 14 + 2}px)`
    lift.move(targetAt(ground, view, point, lifted, last))
    const seconds = Math.min(0.05, (at - frameAt) / 1000)
    frameAt = at
    if (isWithin(view.box, point) && scrollUnder(ground, view.box, point, seconds)) frame = requestAnimationFrame(paint)
  }

  function targetAt(
    ground: Ground,
    view: ReturnType<typeof frameOf>,
    point: Point,
    lifted: Lifted,
    event: PointerEvent,
  ): Target {
    const { origin, by, job } = lifted
    if (ground.tray && isWithin(ground.tray.getBoundingClientRect(), point))
      return { row: 'tray', from: origin.from, to: origin.to }
    if (!isWithin(view.box, point)) return lifted.target
    const { x, y } = onSheet(ground, view, point)
    const isFree = event.altKey && !lifted.copies
    const step = isFree ? 0 : event.shiftKey ? 5 : ground.scale.pxPerHour < coarsePxPerHour ? 30 : 15
    const reach = isFree ? 0 : (magnetPx / ground.scale.pxPerHour) * 3_600_000
    const lengthMs = origin.to - origin.from
    if (by === 'end') {
      const to = snapped(ground.scale.at(x), step, ground.zone)
      return { ...origin, to: Math.max(to, origin.from + leastMs) }
    }
    if (by === 'start') {
      const from = snapped(ground.scale.at(x - (press?.grip ?? 0)), step, ground.zone)
      return { ...origin, from: Math.min(from, origin.to - leastMs) }
    }
    const row = rowAt(ground, y) ?? (lifted.target.row === 'tray' ? 'timed' : lifted.target.row)
    if (ground.isWeek) {
      const day = dayOf(Math.max(ground.scale.from, Math.min(ground.scale.at(x), ground.scale.to - 1)), ground.zone)
      const from = instantAt(day, planOf(job) ? clockOf(origin.from, ground.zone) : usualClock, ground.zone)
      return { row, from, to: from + lengthMs }
    }
    const wanted = snapped(
      ground.scale.at(x - (press?.grip ?? 0)),
      step,
      ground.zone,
      magnetsOf(ground, job, row),
      reach,
    )
    // The pointer leads no further than what is shown: beyond its end the sheet would grow under it.
    const from = Math.max(ground.scale.from, Math.min(wanted, ground.scale.to - lengthMs))
    return { row, from, to: from + lengthMs }
  }

  /** After the job before and the way from it; and when the customer's window opens. */
  function magnetsOf({ board }: Ground, job: Job, row: Target['row']): number[] {
    const opens = job.time_windows.flatMap(({ kind, from }) => (kind === 'within' ? [Date.parse(from)] : []))
    if (typeof row !== 'number') return opens
    const ends = board.jobs.where('row', row).flatMap((other) => {
      const plan = planOf(other)
      return plan && other.id !== job.id ? [plan.to + (travelBetween(other, job) ?? 0)] : []
    })
    return [...opens, ...ends]
  }

  function end(drops: boolean) {
    cancelAnimationFrame(frame)
    frame = 0
    sweep?.box.remove()
    sweep = null
    const held = press
    press = null
    if (!held || lift.lifted.get()?.with !== 'pointer') return
    hand.hidden = true
    document.body.classList.remove('dragging')
    if (root.hasPointerCapture(held.pointerId)) root.releasePointerCapture(held.pointerId)
    // The click that follows is no click on a card.
    const swallow = (event: Event) => event.stopPropagation()
    root.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => root.removeEventListener('click', swallow, { capture: true }), 0)
    if (drops) desk.acts.drop()
    else lift.putBack()
  }

  /** From empty ground: a rectangle that selects. */
  function beginSweep(event: PointerEvent) {
    const ground = groundNow()
    const lane = (event.target as Element).closest('.lane')
    if (!ground || !lane || event.pointerType === 'touch') return
    event.preventDefault()
    const box = document.createElement('span')
    box.className = 'sel'
    sweep = { from: onSheet(ground, frameOf(ground), pointOf(event)), box }
    ground.scroller.querySelector('.rows')?.append(box)
    if (!event.shiftKey) desk.selection.set(nothingSelected)
  }

  function paintSweep(ground: Ground, event: PointerEvent) {
    if (!sweep) return
    const to = onSheet(ground, frameOf(ground), pointOf(event))
    const [x, y] = [Math.min(sweep.from.x, to.x), Math.min(sweep.from.y, to.y)]
    Object.assign(sweep.box.style, {
      insetInlineStart: `${x + ground.who}px`,
      top: `${y}px`,
      width: `${Math.abs(to.x - sweep.from.x)}px`,
      height: `${Math.abs(to.y - sweep.from.y)}px`,
    })
    const found = jobsWithin(ground, sweep.from, to).map(({ id }) => id)
    desk.selection.set(added(event.shiftKey ? desk.selection.get() : nothingSelected, found))
  }
}

/** The rack scrolls while the card is held near an edge of the lanes. @returns whether it did */
function scrollUnder({ scroller, who, ruler, isRtl }: Ground, box: DOMRect, { x, y }: Point, seconds: number): boolean {
  const by = (near: number, far: number) => {
    const depth = near < scrollZonePx ? near / scrollZonePx - 1 : far < scrollZonePx ? 1 - far / scrollZonePx : 0
    return depth * scrollPxPerSecond * seconds
  }
  const [left, right] = isRtl ? [x - box.left, box.right - who - x] : [x - box.left - who, box.right - x]
  // Over the column of workers a card only passes by.
  const dx = left < 0 || right < 0 ? 0 : by(left, right)
  const dy = by(Math.max(0, y - box.top - ruler), box.bottom - y)
  if (dx === 0 && dy === 0) return false
  scroller.scrollBy(dx, dy)
  return true
}

function gripOf(card: HTMLElement, event: PointerEvent): { by: Lifted['by']; grip: number } {
  const box = card.getBoundingClientRect()
  const isRtl = getComputedStyle(card).direction === 'rtl'
  const grip = isRtl ? box.right - event.clientX : event.clientX - box.left
  if (!card.classList.contains('job') || box.width < leastWithEdgesPx) return { by: 'place', grip: Math.min(grip, 40) }
  if (box.width - grip <= edgePx) return { by: 'end', grip }
  return { by: grip <= edgePx / 2 ? 'start' : 'place', grip }
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)
