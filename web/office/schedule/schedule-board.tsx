import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../ui/words.ts'
import { usePreferences } from '../preferences.ts'
import { Said, useAnnounced } from './announced.tsx'
import { planOf } from './board/plan.ts'
import { among, extended, only, toggled } from './board/selection.ts'
import { Bulk } from './bulk.tsx'
import type { Desk, Focus, Looking } from './desk.ts'
import { Ghost } from './drag/ghost.tsx'
import { frameOf, type Ground, onSheet, placedOf, rowAt } from './drag/ground.ts'
import { onBoardKey } from './drag/keyboard.ts'
import { panByPointer } from './drag/pan.ts'
import { dragByPointer } from './drag/pointer.ts'
import { FilterBar } from './filter-bar.tsx'
import { FirstBar } from './first-bar.tsx'
import { onActKey } from './keys.ts'
import { List } from './list.tsx'
import { CardMenu } from './menu.tsx'
import { Nothing } from './nothing.tsx'
import { Pane } from './pane/pane.tsx'
import { PrintHead } from './print-head.tsx'
import { Questions } from './questions.tsx'
import { Dock } from './rack/dock.tsx'
import { Loading } from './rack/loading.tsx'
import { Rack } from './rack/rack.tsx'
import { Week } from './rack/week.tsx'
import { bringIntoView, useScrolledToStart } from './scrolling.ts'
import { SuggestedGhosts } from './suggest/ghosts.tsx'
import { SuggestPanel } from './suggest/panel.tsx'
import { snapped, stretched } from './time/scale.ts'
import { Tray } from './tray.tsx'
import { heightsOf, useLayout } from './use-layout.ts'
import type { Loaded } from './use-loaded.ts'
import { useMatch } from './use-match.ts'
import { useWheelZoom } from './use-zoom.ts'
import { daysOf } from './view.ts'

interface Props {
  desk: Desk
  looking: Looking
  loaded: Loaded
  /** What is said under the bars. */
  children?: ReactNode
}

/** Tray, rack and pane, and what is done to what lies there. */
export function ScheduleBoard({ desk, looking, loaded, children }: Props) {
  const { view, scale, look } = looking
  const { board, lift } = desk
  const scroller = useRef<HTMLDivElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const hand = useRef<HTMLDivElement>(null)
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const isWeek = daysOf[view.zoom] > 3
  const isReadingPast = view.at !== null && !desk.isPast
  const isNarrow = useMatch('(max-width: 767px)')
  const isList = view.isList || isNarrow
  const hasNoRoom = useMatch('(max-width: 1023px)')
  const [traySaid, foldTray] = useState<boolean | null>(null)
  const isTrayFolded = traySaid ?? hasNoRoom
  const { density } = usePreferences()
  const heights = useMemo(() => heightsOf(density === 'compact'), [density])
  const [dockSaid, foldDock] = useState<boolean | null>(null)
  const layout = useLayout(desk, view, scale, { folded, heights, isWeek })
  const shown = useRef({ layout, scale, heights })
  shown.current = { layout, scale, heights }

  const ground = useCallback((): Ground | null => {
    if (!scroller.current || !root.current) return null
    const style = getComputedStyle(scroller.current)
    const who = Number.parseFloat(style.getPropertyValue('--who'))
    const { layout, heights, scale } = shown.current
    const width = (scroller.current.querySelector('.wksheet')?.clientWidth ?? 0) - who
    return {
      layout,
      heights,
      scale: isWeek ? stretched(scale, width) : scale,
      isWeek,
      scroller: scroller.current,
      tray: root.current.querySelector<HTMLElement>('.tray'),
      board,
      zone: desk.zone,
      who,
      ruler: Number.parseFloat(style.getPropertyValue('--ruler')),
      isRtl: style.direction === 'rtl',
    }
  }, [board, desk, isWeek])

  useEffect(() => {
    if (!root.current || !hand.current || !desk.mayPlan || isReadingPast || isList) return
    return dragByPointer(root.current, desk, ground, hand.current)
  }, [desk, ground, isReadingPast, isList])
  useEffect(() => (scroller.current && !isList ? panByPointer(scroller.current) : undefined), [isList])
  useWheelZoom(scroller, ground, looking)

  const show = useCallback(
    (focus: Focus) => {
      desk.focus.set(focus)
      const here = ground()
      const placed = here?.layout.placed.find(({ row }) => row.key === focus.row)
      if (here && placed) bringIntoView(here, placed, planNow(desk, focus.job))
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
  useEffect(() => {
    const { jobs } = desk.board
    return jobs.onAny(() => desk.selection.set(among(desk.selection.get(), (id) => jobs.get(id) !== undefined)))
  }, [desk])
  // Where the best place is, is looked at.
  useEffect(
    () =>
      desk.suggest.shown.subscribe(() => {
        const [best] = desk.suggest.shown.get()?.chosen.values() ?? []
        const here = ground()
        const placed = best && here?.layout.placed.find(({ row }) => row.key === `worker-${best.worker_id}`)
        const from = Date.parse(best?.planned_start_at ?? '')
        if (here && placed) bringIntoView(here, placed, { from, to: from })
      }),
    [desk, ground],
  )
  // A link that names a job has it selected.
  useEffect(() => {
    if (view.job !== null && desk.selection.get().ids.length === 0) desk.selection.set(only(view.job))
  }, [view.job, desk])
  useScrolledToStart(scroller, looking, desk.zone, loaded.state === 'there')
  // Details take room, or lie over the rack: the card that they are of stays in view.
  useEffect(() => {
    if (view.job === null || loaded.state !== 'there') return
    const frame = requestAnimationFrame(() => {
      const [here, job, plan] = [ground(), desk.job(view.job), planNow(desk, view.job)]
      const placed = job && here && placedOf(here, job.worker_id ?? 'timed')
      if (here && placed && plan) bringIntoView(here, placed, plan)
    })
    return () => cancelAnimationFrame(frame)
  }, [view.job, loaded.state, desk, ground])

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
  // Wherever the focus came from: the keys go on from there.
  const onFocus = ({ target }: React.FocusEvent) => {
    const card = target.closest<HTMLElement>('.lanes [data-job]')
    const row = rowKeyOf(card?.closest<HTMLElement>('[data-row]')?.dataset.row)
    const job = Number(card?.dataset.job)
    const focus = desk.focus.get()
    if (row && lift.lifted.get() === null && (focus?.job !== job || focus.row !== row)) desk.focus.set({ row, job })
  }
  const onDoubleClick = (event: React.MouseEvent) => {
    const here = ground()
    const element = event.target as Element
    if (!here || !desk.mayPlan || isWeek || element.closest('[data-job]') || !element.closest('.lane')) return
    const { x, y } = onSheet(here, frameOf(here), { x: event.clientX, y: event.clientY })
    const row = rowAt(here, y)
    if (row !== null) desk.acts.ask({ kind: 'new', at: { row, from: snapped(here.scale.at(x), 15, desk.zone) } })
  }
  const onKey = (event: KeyboardEvent) => {
    const element = event.target as HTMLElement
    if (element.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="alertdialog"]')) return
    const trayCard = element.closest<HTMLElement>('.tray [data-job]')
    if (trayCard && lift.lifted.get() === null) desk.focus.set({ row: 'tray', job: Number(trayCard.dataset.job) })
    if (event.key === '\\') {
      foldTray(!isTrayFolded)
      return
    }
    // On a button of the bars arrows and Enter are the button's.
    const isOnBoard = element === document.body || root.current?.contains(element)
    const isDone = isOnBoard && !isReadingPast && onBoardKey(event, desk, { ground, show, openPane })
    if (isDone || onActKey(event, desk, looking)) event.preventDefault()
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
    <main className="main schedule" id="main" onKeyDown={(event) => onKey(event.nativeEvent)}>
      <PrintHead />
      <FirstBar />
      <FilterBar workers={layout.workers} />
      {children}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: cards and rows in it are what is pressed */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the page around it */}
      <div className="boardgrid" ref={root} onClick={onClick} onFocus={onFocus} onDoubleClick={onDoubleClick}>
        <Tray isFolded={isTrayFolded} onFold={foldTray} />
        <section className="rack" aria-label={t('Schedule')}>
          {isList && loaded.state === 'there' ? (
            <List layout={layout} />
          ) : (
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
                <Rack layout={layout} scroller={scroller} onFold={(team) => setFolded((now) => turned(now, team))}>
                  <SuggestedGhosts layout={layout} />
                </Rack>
              )}
            </div>
          )}
          {!isWeek && !isList && loaded.state === 'there' && (
            <Dock
              scroller={scroller}
              heights={heights}
              isFolded={dockSaid ?? density === 'compact'}
              onFold={foldDock}
            />
          )}
          <Nothing loaded={loaded} layout={layout} />
          <Bulk />
          <SuggestPanel />
        </section>
        <Pane isLoaded={loaded.state === 'there'} onClose={() => openPane(null)} />
        <CardMenu root={root} openPane={openPane} />
      </div>
      <Ghost ground={ground} rows={scroller} />
      <div className="hand" ref={hand} hidden aria-hidden="true" />
      <Questions />
      <Said />
    </main>
  )
}

const planNow = (desk: Desk, id: number | null) => {
  const job = desk.job(id)
  return job ? planOf(job) : null
}

const turned = (set: ReadonlySet<number>, one: number) => {
  const next = new Set(set)
  if (!next.delete(one)) next.add(one)
  return next
}

const rowKeyOf = (row: string | undefined) => (row === undefined ? null : /^\d+$/.test(row) ? `worker-${row}` : row)

const idsOfRow = (row: HTMLElement | null) =>
  Array.from(row?.querySelectorAll<HTMLElement>('[data-job]') ?? [], (card) => Number(card.dataset.job))
