import { createContext, use, useSyncExternalStore } from 'react'
import { Observable } from '../observable.ts'
import type { Acts } from './acts.ts'
import type { Board } from './board/board.ts'
import type { Job } from './board/plan.ts'
import { nothingSelected, type Selection } from './board/selection.ts'
import type { Lift } from './drag/lift.ts'
import { CardFlags } from './flags.ts'
import { Suggest } from './suggest/suggest.ts'
import type { TimeScale } from './time/scale.ts'
import type { View } from './view.ts'

/** Where the keyboard is: a card, or a row while it has none. */
export interface Focus {
  row: string
  job: number | null
}

/** What the parts of the schedule share. Nothing in it is drawn anew when something else in it changes. */
export class Desk {
  readonly board: Board
  readonly zone: string
  readonly locale: string
  readonly compare: (a: string, b: string) => number
  readonly mayPlan: boolean
  /** It shows the board as it was, and nothing of now. */
  readonly isPast: boolean
  readonly selection = new Observable<Selection>(nothingSelected)
  readonly focus = new Observable<Focus | null>(null)
  /** Grows once a minute; marks, the now line and "seen" follow it. */
  readonly now: Observable<number>
  /** Jobs that others have changed a moment ago, with their names. */
  readonly touched = new Observable<ReadonlyMap<number, string>>(new Map())
  /** Jobs that others have in their hand, with their names. */
  readonly held = new Observable<ReadonlyMap<number, string>>(new Map())
  /** Messages of jobs that are new to who looks. */
  readonly unread = new Observable<ReadonlyMap<number, number>>(new Map())
  /** Jobs about which there is something to decide: two people wrote the same, or a job was done that had been taken away. */
  readonly conflicted = new Observable<ReadonlySet<number>>(new Set())
  /** Workers on whose phone something waits to be sent, and when that was last heard of. */
  readonly phones = new Observable<ReadonlyMap<number, { count: number; heardAt: number }>>(new Map())
  /** What a screen reader is told. */
  readonly said = new Observable('')
  readonly acts: Acts
  readonly lift: Lift
  readonly flags: CardFlags
  readonly suggest: Suggest

  constructor(made: {
    board: Board
    zone: string
    locale: string
    mayPlan: boolean
    isPast?: boolean
    acts: (desk: Desk) => Acts
    lift: (desk: Desk) => Lift
  }) {
    this.board = made.board
    this.now = new Observable(made.board.live.client.now())
    this.zone = made.zone
    this.locale = made.locale
    this.compare = new Intl.Collator(made.locale, { numeric: true }).compare
    this.mayPlan = made.mayPlan
    this.isPast = made.isPast ?? false
    this.acts = made.acts(this)
    this.lift = made.lift(this)
    this.flags = new CardFlags(this)
    this.suggest = new Suggest(this)
  }

  job(id: number | null): Job | undefined {
    return id === null ? undefined : this.board.jobs.get(id)
  }

  workerName(id: number | null): string {
    return (id === null ? undefined : this.board.workers.get(id)?.name) ?? ''
  }
}

/** Changes with what is looked at. */
export interface Looking {
  view: View
  scale: TimeScale
  look: (change: Partial<View>) => void
}

export const DeskContext = createContext<Desk | null>(null)
export const LookingContext = createContext<Looking | null>(null)

export function useDesk(): Desk {
  const desk = use(DeskContext)
  if (!desk) throw new Error('not on the schedule')
  return desk
}

export function useLooking(): Looking {
  const looking = use(LookingContext)
  if (!looking) throw new Error('not on the schedule')
  return looking
}

/** The jobs of a row, and nothing else wakes who asks. */
export function useRow(row: number | 'timed'): readonly Job[] {
  const { jobs } = useDesk().board
  return useSyncExternalStore(
    (listener) => jobs.onKey('row', row, listener),
    () => jobs.where('row', row),
  )
}

export function useJob(id: number | null): Job | undefined {
  const { jobs } = useDesk().board
  return useSyncExternalStore(
    (listener) => (id === null ? () => {} : jobs.onRow(id, listener)),
    () => (id === null ? undefined : jobs.get(id)),
  )
}
