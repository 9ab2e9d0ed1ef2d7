import { addDays, clockOf, instantAt } from './zone.ts'

const hourMs = 3_600_000

/** A stretch of time that is drawn; between two of them the night is folded. */
export interface Span {
  day: string
  from: number
  to: number
  /** Where it begins, in pixels from the start of the first. */
  x: number
  width: number
}

export interface Tick {
  x: number
  at: number
  /** What the wall shows, in minutes from midnight. */
  clock: number
}

export interface TimeScale {
  spans: readonly Span[]
  from: number
  to: number
  width: number
  pxPerHour: number
  /** Pixels of an instant; within a folded night, the fold. */
  x(at: number): number
  /** The instant of a pixel. */
  at(x: number): number
  /** Each full hour of the wall. */
  hours: readonly Tick[]
}

export interface ScaleOptions {
  zone: string
  day: string
  days: number
  /** What is drawn of each day, in minutes from midnight. */
  fromClock: number
  toClock: number
  pxPerHour: number
}

/** Time as pixels: even within a span, as the hours really pass, so that an hour that is there twice is drawn twice. */
export function timeScale({ zone, day, days, fromClock, toClock, pxPerHour }: ScaleOptions): TimeScale {
  const spans: Span[] = []
  let width = 0
  for (let i = 0; i < days; i++) {
    const date = addDays(day, i)
    const [from, to] = [instantAt(date, fromClock, zone), instantAt(date, toClock, zone)]
    const span = { day: date, from, to, x: width, width: ((to - from) / hourMs) * pxPerHour }
    spans.push(span)
    width += span.width
  }
  const [first, last] = [spans[0] as Span, spans.at(-1) as Span]
  const hours = spans.flatMap(({ from, to, x }) => {
    const ticks: Tick[] = []
    for (let at = firstHour(from, zone); at < to; at += hourMs)
      ticks.push({ x: x + ((at - from) / hourMs) * pxPerHour, at, clock: clockOf(at, zone) })
    return ticks
  })
  return {
    spans,
    from: first.from,
    to: last.to,
    width,
    pxPerHour,
    hours,
    x(at) {
      const span = spans.findLast(({ from }) => from <= at)
      if (!span) return ((at - first.from) / hourMs) * pxPerHour
      const end = span === last ? at : Math.min(at, span.to)
      return span.x + ((end - span.from) / hourMs) * pxPerHour
    },
    at(x) {
      const span = spans.findLast((one) => one.x <= x) ?? first
      return span.from + ((x - span.x) / pxPerHour) * hourMs
    },
  }
}

/** The same days in columns of one width. */
export function stretched(scale: TimeScale, width: number): TimeScale {
  const each = width / scale.spans.length
  const spans = scale.spans.map((span, i) => ({ ...span, x: i * each, width: each }))
  const spanAt = <T>(isPast: (span: Span) => boolean, of: (span: Span) => T) =>
    of(spans.findLast(isPast) ?? (spans[0] as Span))
  return {
    ...scale,
    spans,
    width,
    pxPerHour: each / 24,
    x: (at) =>
      spanAt(
        ({ from }) => from <= at,
        ({ x, from, to }) => x + (Math.min(at, to) - from) * (each / (to - from)),
      ),
    at: (x) =>
      spanAt(
        (span) => span.x <= x,
        (span) => span.from + (x - span.x) * ((span.to - span.from) / each),
      ),
  }
}

const firstHour = (from: number, zone: string) => {
  const past = clockOf(from, zone) % 60
  return past === 0 ? from : from + (60 - past) * 60_000
}

/** The nearest place that something may begin: a magnet within reach, else a full step of the wall's clock. */
export function snapped(
  at: number,
  stepMinutes: number,
  zone: string,
  magnets: readonly number[] = [],
  reachMs = 0,
): number {
  const near = magnets.filter((magnet) => Math.abs(magnet - at) <= reachMs)
  if (near.length > 0) return near.reduce((best, one) => (Math.abs(one - at) < Math.abs(best - at) ? one : best))
  if (stepMinutes === 0) return Math.round(at / 60_000) * 60_000
  const stepMs = stepMinutes * 60_000
  // Zones are off by quarters of an hour at most, so that a step of the wall is one of the epoch, moved by that.
  const shift = (clockOf(Math.floor(at / hourMs) * hourMs, zone) % 60) * 60_000
  return Math.round((at + shift) / stepMs) * stepMs - shift
}
