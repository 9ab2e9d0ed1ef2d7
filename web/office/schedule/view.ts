import { type RowOrder, rowOrders } from './board/order.ts'

/** What is looked at: it stands in the address, so that a link opens the same board. */
export interface View {
  /** The first day that is shown: `2026-11-23`. */
  day: string
  zoom: Zoom
  /** Pixels an hour, in the zooms that show hours. */
  hour: number
  teams: readonly number[]
  tags: readonly number[]
  states: readonly string[]
  onShift: boolean
  /** How workers stand under each other within their team. */
  order: RowOrder
  /** Workers whose rows stand first. */
  pins: readonly number[]
  /** The same day as a list, for who can't use the rack, or has no room for it. */
  isList: boolean
  /** Only jobs that need a look: late, at risk, not answered, declined. */
  attention: Attention | null
  /** The job whose pane is open. */
  job: number | null
  /** The instant as of which the board is shown, in milliseconds of the epoch; null for now. */
  at: number | null
}

export const zooms = ['day', 'three', 'week', 'fortnight', 'month'] as const
export type Zoom = (typeof zooms)[number]
export const attentions = ['late', 'risk', 'waiting', 'declined'] as const
export type Attention = (typeof attentions)[number]

export const daysOf: { [zoom in Zoom]: number } = { day: 1, three: 3, week: 7, fortnight: 14, month: 28 }

/** How wide an hour may be drawn in the zoom of a day. */
export const hours = [42, 56, 84, 112, 168] as const
const usualHour = 84

type Search = { [name: string]: string | string[] | undefined }

/** What is not understood is left out: an address is often typed, and often old. */
export function viewOf(search: Search, today: string): View {
  const one = (name: string) => {
    const value = search[name]
    return Array.isArray(value) ? value[0] : value
  }
  const several = (name: string) => [search[name] ?? []].flat()
  const numbers = (name: string) => several(name).map(Number).filter(Number.isInteger)
  const among = <T extends string>(name: string, all: readonly T[]) => all.find((value) => value === one(name))
  const job = Number(one('job') ?? 0)
  return {
    day:
      /^\d{4}-\d\d-\d\d$/.test(one('day') ?? '') && !Number.isNaN(Date.parse(one('day') ?? ''))
        ? (one('day') as string)
        : today,
    zoom: among('zoom', zooms) ?? 'day',
    hour: hours.find((value) => value === Number(one('hour'))) ?? usualHour,
    teams: numbers('team'),
    tags: numbers('tag'),
    states: several('state'),
    onShift: one('shift') === 'on',
    order: among('sort', rowOrders) ?? 'name',
    pins: numbers('pin'),
    isList: one('as') === 'list',
    attention: among('only', attentions) ?? null,
    job: Number.isInteger(job) && job > 0 ? job : null,
    at: Date.parse(one('at') ?? '') || null,
  }
}

/** Nothing is said of what is usual. */
export function searchOf(view: View, today: string): Search {
  return {
    day: view.day === today ? undefined : view.day,
    zoom: view.zoom === 'day' ? undefined : view.zoom,
    hour: view.hour === usualHour ? undefined : String(view.hour),
    team: view.teams.map(String),
    tag: view.tags.map(String),
    state: [...view.states],
    shift: view.onShift ? 'on' : undefined,
    sort: view.order === 'name' ? undefined : view.order,
    pin: view.pins.map(String),
    as: view.isList ? 'list' : undefined,
    only: view.attention ?? undefined,
    job: view.job === null ? undefined : String(view.job),
    at: view.at === null ? undefined : new Date(view.at).toISOString(),
  }
}

/** From four weeks to a day at its widest. */
export const zoomSteps: readonly Pick<View, 'zoom' | 'hour'>[] = [
  { zoom: 'month', hour: usualHour },
  { zoom: 'fortnight', hour: usualHour },
  { zoom: 'week', hour: usualHour },
  { zoom: 'three', hour: usualHour },
  ...hours.map((hour) => ({ zoom: 'day' as const, hour })),
]

export const zoomStepOf = ({ zoom, hour }: Pick<View, 'zoom' | 'hour'>): number =>
  zoomSteps.findIndex((step) => step.zoom === zoom && (zoom !== 'day' || step.hour === hour))
