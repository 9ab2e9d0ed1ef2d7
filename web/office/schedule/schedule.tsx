import './schedule.css'
import './tray.css'
import './rack.css'
import './drag.css'
import './pane.css'
import './week.css'
import './sheets.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { localeOf } from '../../ui/language.ts'
import { t } from '../../ui/words.ts'
import { follow, live } from '../live.ts'
import { useObservable } from '../observable.ts'
import { usePreferences } from '../preferences.ts'
import { useSession } from '../session.ts'
import { mayChange } from '../tabs.ts'
import { Acts } from './acts.ts'
import { Attention, FilterBar, FirstBar } from './bars.tsx'
import { Board } from './board/board.ts'
import { type Heights, isSame, type Layout, layoutOf } from './board/layout.ts'
import { planOf } from './board/plan.ts'
import { among, extended, only, toggled } from './board/selection.ts'
import { Bulk } from './bulk.tsx'
import { Desk, DeskContext, type Focus, type Looking, LookingContext, useDesk } from './desk.ts'
import { Ghost } from './drag/ghost.tsx'
import type { Ground } from './drag/ground.ts'
import { onBoardKey, stepText } from './drag/keyboard.ts'
import { Lift } from './drag/lift.ts'
import { dragByPointer } from './drag/pointer.ts'
import { onActKey } from './keys.ts'
import { CardMenu } from './menu.tsx'
import { markOthers } from './others.ts'
import { Pane } from './pane.tsx'
import { Questions } from './questions.tsx'
import { Loading } from './rack/loading.tsx'
import { Rack } from './rack/rack.tsx'
import { Week } from './rack/week.tsx'
import { isShown } from './shown.ts'
import { timeScale } from './time/scale.ts'
import { addDays, clockOf, dayOf, instantAt, mondayOf } from './time/zone.ts'
import { Tray } from './tray.tsx'
import { daysOf, searchOf, type View, viewOf } from './view.ts'

/** The board of one account; it stays while the person looks at other tabs. */
let kept: { key: string; desk: Desk } | null = null

function useDeskOfSession(): Desk {
  const session = useSession()
  const { language } = usePreferences()
  const key = `${session.id} ${language}`
  if (kept?.key !== key)
    kept = {
      key,
      desk: new Desk({
        board: kept?.desk.board ?? new Board(live),
        zone: session.account.time_zone,
        locale: localeOf(language),
        mayPlan: mayChange(session, 'schedule') && mayChange(session, 'jobs'),
        acts: (desk) => new Acts(desk),
        lift: (desk) => new Lift(desk),
      }),
    }
  return kept.desk
}

export function Screen() {
  const desk = useDeskOfSession()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const now = useObservable(desk.now)
  const today = dayOf(now, desk.zone)
  const view = useMemo(() => viewOf(search as Parameters<typeof viewOf>[0], today), [search, today])
  const look = useCallback(
    (change: Partial<View>) => {
      const next = { ...view, ...change }
      void navigate({
        to: '.',
        search: searchOf(next, today) as never,
        replace: change.day === undefined && change.zoom === undefined,
      })
    },
    [view, navigate, today],
  )
  const { day, zoom, hour } = view
  const hours = useHours(desk, view)
  const scale = useMemo(() => scaleOf({ day, zoom, hour }, hours, desk.zone), [day, zoom, hour, hours, desk.zone])
  const looking: Looking = useMemo(() => ({ view, scale, look }), [view, scale, look])
  useEffect(() => {
    const tick = setInterval(() => desk.now.set(Date.now()), 60_000)
    desk.now.set(Date.now())
    return () => clearInterval(tick)
  }, [desk])
  const { user_id } = useSession()
  useEffect(() => markOthers(desk, user_id), [desk, user_id])
  return (
    <DeskContext value={desk}>
      <LookingContext value={looking}>
        <Schedule desk={desk} looking={looking} />
      </LookingContext>
    </DeskContext>
  )
}

function scaleOf(view: Pick<View, 'day' | 'zoom' | 'hour'>, hours: string, zone: string) {
  const { day } = view
  if (view.zoom === 'day') {
    const [fromClock = 0, toClock = 0] = hours.split('-').map((hour) => Number(hour) * 60)
    return timeScale({ zone, day, days: 1, fromClock, toClock, pxPerHour: view.hour })
  }
  if (view.zoom === 'three') return timeScale({ zone, day, days: 3, fromClock: 480, toClock: 1020, pxPerHour: 34 })
  return timeScale({ zone, day: mondayOf(day), days: daysOf[view.zoom], fromClock: 0, toClock: 1440, pxPerHour: 4 })
}

/** A day shows these hours, and more where there is work. */
const usualHours = { from: 6, to: 20 }

/** Which hours of the day are shown: "6-20". */
function useHours({ board, zone }: Desk, { day, zoom }: View): string {
  const [start, end] = [instantAt(day, 0, zone), instantAt(addDays(day, 1), 0, zone)]
  const measure = () => {
    if (zoom !== 'day') return ''
    let { from, to } = usualHours
    for (const job of board.jobs.values()) {
      const plan = planOf(job)
      if (!plan || plan.from >= end || plan.to <= start) continue
      from = plan.from <= start ? 0 : Math.min(from, Math.floor(clockOf(plan.from, zone) / 60))
      to = plan.to >= end ? 24 : Math.max(to, Math.ceil(clockOf(plan.to, zone) / 60))
    }
    return `${from}-${to}`
  }
  return useSyncExternalStore((listener) => board.jobs.onAny(listener), measure)
}

type Loaded = { state: 'loading' } | { state: 'there' } | { state: 'failed'; error: Error }

/** Reads what is looked at, and again when the browser has slept or the journal began anew. */
function useLoaded(desk: Desk, { scale }: Looking): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ state: desk.board.workers.size > 0 ? 'there' : 'loading' })
  const { zone } = desk
  const session = useSession().id
  const from = instantAt(scale.spans[0]?.day ?? '', 0, zone)
  const to = instantAt(addDays(scale.spans.at(-1)?.day ?? '', 1), 0, zone)
  useEffect(() => {
    let isOver = false
    const load = async () => {
      try {
        await follow(session)
        await Promise.all([desk.board.loadPeople(), desk.board.load(from, to), desk.acts.deeds.restore()])
        if (!isOver) setLoaded({ state: 'there' })
      } catch (error) {
        if (!isOver && (error as Error).name !== 'AbortError') setLoaded({ state: 'failed', error: error as Error })
      }
    }
    live.reload = () => void load()
    void load()
    return () => {
      isOver = true
    }
  }, [desk, session, from, to])
  return loaded
}

function Schedule({ desk, looking }: { desk: Desk; looking: Looking }) {
  const { view, scale, look } = looking
  const { board, lift } = desk
  const loaded = useLoaded(desk, looking)
  const scroller = useRef<HTMLDivElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const hand = useRef<HTMLDivElement>(null)
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const isWeek = daysOf[view.zoom] > 3
  const { density } = usePreferences()
  const heights = useMemo(() => heightsOf(density === 'compact'), [density])
  const layout = useLayout(desk, view, { folded, heights, isWeek })
  const shown = useRef({ layout, scale, heights })
  shown.current = { layout, scale, heights }

  const ground = useCallback((): Ground | null => {
    if (!scroller.current || !root.current) return null
    const style = getComputedStyle(scroller.current)
    return {
      ...shown.current,
      scroller: scroller.current,
      tray: root.current.querySelector<HTMLElement>('.tray'),
      board,
      zone: desk.zone,
      who: Number.parseFloat(style.getPropertyValue('--who')),
      ruler: Number.parseFloat(style.getPropertyValue('--ruler')),
      isRtl: style.direction === 'rtl',
    }
  }, [board, desk])

  useEffect(() => {
    if (!root.current || !hand.current || !desk.mayPlan || isWeek) return
    return dragByPointer(root.current, desk, ground, hand.current)
  }, [desk, ground, isWeek])

  const show = useCallback(
    (focus: Focus) => {
      desk.focus.set(focus)
      const here = ground()
      const placed = here?.layout.placed.find(({ row }) => row.key === focus.row)
      if (here && placed) bringIntoView(here, placed.top, placed.height, desk.job(focus.job)?.planned_start_at)
      requestAnimationFrame(() => {
        const target =
          focus.job === null ? null : root.current?.querySelector<HTMLElement>(`.lanes [data-job="${focus.job}"]`)
        target?.focus({ preventScroll: true })
      })
    },
    [desk, ground],
  )
  const openPane = useCallback((job: number | null) => look({ job }), [look])
  useAnnounced(desk)
  // A link that names a job has it selected.
  useEffect(() => {
    if (view.job !== null && desk.selection.get().ids.length === 0) desk.selection.set(only(view.job))
  }, [view.job, desk])
  useScrolledToStart(scroller, looking, loaded.state === 'there')

  const onClick = (event: React.MouseEvent) => {
    const card = (event.target as Element).closest<HTMLElement>('[data-job]')
    if (!card) return
    const id = Number(card.dataset.job)
    const row = card.closest<HTMLElement>('[data-row]')
    const key = rowKeyOf(row?.dataset.row)
    if (key) desk.focus.set({ row: key, job: id })
    if (event.shiftKey) desk.selection.set(extended(desk.selection.get(), id, idsOfRow(row)))
    else if (event.ctrlKey || event.metaKey) desk.selection.set(toggled(desk.selection.get(), id))
    else {
      desk.selection.set(only(id))
      openPane(id)
    }
  }
  const onKey = (event: KeyboardEvent) => {
    const element = event.target as HTMLElement
    if (element.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="alertdialog"]')) return
    const trayCard = element.closest<HTMLElement>('.tray [data-job]')
    if (trayCard && lift.lifted.get() === null) desk.focus.set({ row: 'tray', job: Number(trayCard.dataset.job) })
    if (onBoardKey(event, desk, { ground, show, openPane }) || onActKey(event, desk, looking)) event.preventDefault()
  }
  // Where nothing has the focus, the board has the keys.
  useEffect(() => {
    const ofPage = (event: KeyboardEvent) => {
      if (event.target === document.body) onKey(event)
    }
    document.addEventListener('keydown', ofPage)
    return () => document.removeEventListener('keydown', ofPage)
  })

  return (
    <main className="main schedule" id="main">
      <FirstBar />
      <FilterBar workers={layout.workers} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: cards and rows in it are what is pressed */}
      <div className="boardgrid" ref={root} onClick={onClick} onKeyDown={(event) => onKey(event.nativeEvent)}>
        <Tray />
        <section className="rack" aria-label={t('Schedule')}>
          <div
            className="lanes"
            ref={scroller}
            role="grid"
            aria-label={t('Jobs by worker and time')}
            aria-rowcount={layout.placed.length + 1}
            aria-multiselectable="true"
            tabIndex={0}
          >
            {loaded.state === 'loading' ? (
              <Loading />
            ) : isWeek ? (
              <Week layout={layout} scroller={scroller} />
            ) : (
              <Rack layout={layout} scroller={scroller} onFold={(team) => setFolded((now) => turned(now, team))} />
            )}
          </div>
          <Attention loaded={loaded} layout={layout} />
          <Bulk />
        </section>
        <Pane onClose={() => openPane(null)} />
        <CardMenu root={root} openPane={openPane} />
      </div>
      <Ghost ground={ground} rows={scroller} />
      <div className="hand" ref={hand} hidden aria-hidden="true" />
      <Questions />
      <Said />
    </main>
  )
}

/** The rows and where they lie; the same object as long as nothing of it has changed. */
function useLayout(
  desk: Desk,
  view: View,
  options: { folded: ReadonlySet<number>; heights: Heights; isWeek: boolean },
): Layout {
  const { board } = desk
  const last = useRef<{ layout: Layout; key: unknown[] } | null>(null)
  const key = [view.teams, view.tags, view.onShift, options.folded, options.heights, options.isWeek, desk]
  const measure = () => {
    const workers = board.workers.where('all', 'all').filter((worker) => isShown(worker, view))
    const layout = layoutOf(board, workers, { ...options, compare: desk.compare })
    if (last.current && isSame(last.current.layout, layout)) return last.current.layout
    last.current = { layout, key }
    return layout
  }
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) => {
        const ends = [board.jobs, board.workers, board.teams].map((rows) => rows.onAny(listener))
        return () => {
          for (const end of ends) end()
        }
      },
      [board],
    ),
    measure,
  )
}

const heightsOf = (isCompact: boolean): Heights =>
  isCompact ? { row: 26, team: 20, week: 56 } : { row: 40, team: 26, week: 96 }

const turned = (set: ReadonlySet<number>, one: number) => {
  const next = new Set(set)
  if (!next.delete(one)) next.add(one)
  return next
}

const rowKeyOf = (row: string | undefined) => (row === undefined ? null : /^\d+$/.test(row) ? `worker-${row}` : row)

const idsOfRow = (row: HTMLElement | null) =>
  Array.from(row?.querySelectorAll<HTMLElement>('[data-job]') ?? [], (card) => Number(card.dataset.job))

function bringIntoView(
  { scroller, ruler, scale, who }: Ground,
  top: number,
  height: number,
  startsAt: string | null | undefined,
) {
  const room = scroller.clientHeight - ruler
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + height > scroller.scrollTop + room) scroller.scrollTop = top + height - room
  if (!startsAt) return
  const [x, left, width] = [scale.x(Date.parse(startsAt)), Math.abs(scroller.scrollLeft), scroller.clientWidth - who]
  const sign = getComputedStyle(scroller).direction === 'rtl' ? -1 : 1
  if (x < left || x > left + width - 60) scroller.scrollLeft = sign * Math.max(0, x - width / 3)
}

/** What is in the hand is said as it moves; the newest wins. */
function useAnnounced(desk: Desk) {
  useEffect(() => {
    const say = () => {
      const lifted = desk.lift.lifted.get()
      if (lifted?.with === 'keyboard') desk.said.set(stepText(desk, lifted))
    }
    const ends = [desk.lift.lifted.subscribe(say), desk.lift.candidates.subscribe(say)]
    return () => {
      for (const end of ends) end()
    }
  }, [desk])
  useEffect(() => {
    const { jobs } = desk.board
    return jobs.onAny(() => desk.selection.set(among(desk.selection.get(), (id) => jobs.get(id) !== undefined)))
  }, [desk])
}

/** A board is opened an hour before now, or at the beginning of the day. */
function useScrolledToStart(
  scroller: React.RefObject<HTMLDivElement | null>,
  { view, scale }: Looking,
  isThere: boolean,
) {
  const { day, zoom } = view
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another day is opened
  useEffect(() => {
    const element = scroller.current
    if (!element || !isThere || zoom !== 'day') return
    const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1
    element.scrollLeft = sign * scale.pxPerHour
  }, [day, zoom, isThere])
}

function Said() {
  return (
    <div className="vh" role="status" aria-live="polite">
      {useObservable(useDesk().said)}
    </div>
  )
}
