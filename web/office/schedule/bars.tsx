import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { jobStates } from '../../ui/job-state.ts'
import { VerdictMark } from '../../ui/marks.tsx'
import { Empty } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { prefer, usePreferences } from '../preferences.ts'
import { type Counts, countsOf } from './board/counts.ts'
import { draftsOf } from './board/drafts.ts'
import type { Layout } from './board/layout.ts'
import { useDesk, useLooking } from './desk.ts'
import { Legend } from './legend.tsx'
import { addDays, dayOf, mondayOf } from './time/zone.ts'
import { type Attention as AttentionName, attentions, daysOf, hours, type View, type Zoom } from './view.ts'
import { daysText, dayText } from './words.ts'

const Publish = lazy(() => import('./publish/publish.tsx'))

/** Any change of any job; what is counted from it is remembered until the next. */
function useAllJobs<T>(count: () => T, ...also: unknown[]): T {
  const { jobs } = useDesk().board
  const version = useSyncExternalStore(
    (listener) => jobs.onAny(listener),
    () => jobs.version,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for all that is counted
  return useMemo(count, [version, ...also])
}

/** Which days, how near, undo, and publish. */
export function FirstBar() {
  const desk = useDesk()
  const { view, look } = useLooking()
  const { day, zoom, hour } = view
  const days = daysOf[zoom]
  const first = days > 3 ? mondayOf(day) : day
  const title = days === 1 ? dayText(day, desk.locale) : daysText(first, addDays(first, days - 1), desk.locale)
  const today = dayOf(desk.now.get(), desk.zone)
  const at = zoomSteps.findIndex((step) => step.zoom === zoom && (zoom !== 'day' || step.hour === hour))
  const zoomTo = (step: (typeof zoomSteps)[number] | undefined) => step && look(step)
  return (
    <header className="bar">
      <Button
        kind="quiet"
        icon="left"
        aria-label={days === 1 ? t('Day before') : t('Earlier')}
        onClick={() => look({ day: addDays(first, -days) })}
      />
      <Button
        kind="quiet"
        icon="right"
        className="beside"
        aria-label={days === 1 ? t('Day after') : t('Later')}
        onClick={() => look({ day: addDays(first, days) })}
      />
      <h1 className="title">{title}</h1>
      <Button small onClick={() => look({ day: today })}>
        {t('Today')}
      </Button>
      <fieldset className="seg" aria-label={t('Range')}>
        {ranges().map(([id, label]) => (
          <button key={id} type="button" aria-pressed={zoom === id} onClick={() => look({ zoom: id })}>
            {label}
          </button>
        ))}
      </fieldset>
      <fieldset className="zoom" aria-label={t('Zoom')}>
        <Button
          kind="quiet"
          small
          icon="minus"
          aria-label={t('Smaller')}
          unless={at <= 0 && t('This is the smallest')}
          onClick={() => zoomTo(zoomSteps[at - 1])}
        />
        <input
          type="range"
          className="track"
          min={0}
          max={zoomSteps.length - 1}
          value={at}
          aria-label={t('Zoom')}
          aria-valuetext={stepText(zoomSteps[at])}
          onChange={(event) => zoomTo(zoomSteps[Number(event.target.value)])}
        />
        <Button
          kind="quiet"
          small
          icon="plus"
          aria-label={t('Larger')}
          unless={at >= zoomSteps.length - 1 && t('This is the largest')}
          onClick={() => zoomTo(zoomSteps[at + 1])}
        />
      </fieldset>
      <span className="push" />
      <Undo />
      <PublishButton />
    </header>
  )
}

const ranges = (): [Zoom, string][] => [
  ['day', t('Day')],
  ['three', t('3 days')],
  ['week', t('Week')],
]

/** From four weeks to a day at its widest. */
export const zoomSteps: { zoom: Zoom; hour: number }[] = [
  { zoom: 'month', hour: 84 },
  { zoom: 'fortnight', hour: 84 },
  { zoom: 'week', hour: 84 },
  { zoom: 'three', hour: 84 },
  ...hours.map((hour) => ({ zoom: 'day' as const, hour })),
]

const stepText = (step: (typeof zoomSteps)[number] | undefined) =>
  step?.zoom === 'day'
    ? t('A day, {hour} pixels an hour', { hour: step.hour })
    : t('{count} days', { count: daysOf[step?.zoom ?? 'day'] })

function Undo() {
  const desk = useDesk()
  const { done, undone } = useObservable(desk.acts.deeds.stacks)
  const [last, next] = [done.at(-1), undone.at(-1)]
  if (!desk.mayPlan) return null
  return (
    <>
      <Button
        kind="quiet"
        icon="undo"
        aria-label={last ? t('Undo: {deed}', { deed: last.says }) : t('Nothing to undo')}
        unless={!last && t('Nothing to undo')}
        onClick={() => void desk.acts.undo()}
      />
      <Button
        kind="quiet"
        icon="redo"
        className="beside"
        aria-label={next ? t('Redo: {deed}', { deed: next.says }) : t('Nothing to redo')}
        unless={!next && t('Nothing to redo')}
        onClick={() => void desk.acts.redo()}
      />
    </>
  )
}

function PublishButton() {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const isOpen = useObservable(desk.acts.isPublishing)
  const { from, to } = scale
  const count = useAllJobs(() => draftsOf(desk.board, view, from, to).length, view, from, to)
  const connection = useConnection()
  if (!desk.mayPlan) return null
  const unless =
    connection !== 'open'
      ? t('Nobody can be told while the connection is lost')
      : count === 0 && t('Everybody has been told')
  return (
    <>
      <Button kind="primary" icon="send" unless={unless} onClick={() => desk.acts.isPublishing.set(true)}>
        {t('{count, plural, =0 {Publish} one {Publish # change} other {Publish # changes}}', { count })}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Publish onClose={() => desk.acts.isPublishing.set(false)} />
        </Suspense>
      )}
    </>
  )
}

export const useConnection = () => {
  const { live } = useDesk().board
  return useSyncExternalStore(
    (listener) => live.onChange(listener),
    () => live.connection.name,
  )
}

/** Whom and what is shown, and what needs a look. */
export function FilterBar({ workers }: { workers: number }) {
  const desk = useDesk()
  const { board } = desk
  const { view, look, scale } = useLooking()
  const { density } = usePreferences()
  const teams = useEvery(board.teams)
  const tags = useEvery(board.tags)
  const now = useObservable(desk.now)
  const all = useEvery(board.workers)
  const [hasLegend, setLegend] = useState(false)
  const { from, to } = scale
  const ids = useMemo(() => all.map(({ id }) => id), [all])
  const counts = useAllJobs(() => countsOf(board.jobs, ids, now, from, to), ids, now, from, to)
  const named = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ id: String(id), label: name })).toSorted((a, b) => desk.compare(a.label, b.label))
  const numbers = (ids: readonly string[]) => ids.map(Number)
  return (
    <div className="bar two">
      {teams.length > 0 && (
        <FilterChip
          label={t('Teams')}
          options={named(teams)}
          chosen={view.teams.map(String)}
          onChoose={(ids) => look({ teams: numbers(ids) })}
        />
      )}
      {tags.length > 0 && (
        <FilterChip
          label={t('Tags')}
          options={named(tags)}
          chosen={view.tags.map(String)}
          onChoose={(ids) => look({ tags: numbers(ids) })}
        />
      )}
      <FilterChip
        label={t('States')}
        options={Object.entries(jobStates).map(([id, label]) => ({ id, label: t(label) }))}
        chosen={view.states}
        onChoose={(states) => look({ states })}
      />
      <button
        type="button"
        className="chip"
        aria-pressed={view.onShift}
        onClick={() => look({ onShift: !view.onShift })}
      >
        {t('On shift')}
      </button>
      <span className="push" />
      <NeedsAttention counts={counts} view={view} onChoose={(attention) => look({ attention })} />
      <span className="sep" />
      <span className="dim sm">{t('{shown} of {all} workers', { shown: workers, all: all.length })}</span>
      <Button
        kind="quiet"
        small
        icon="rows"
        aria-label={t('Density')}
        aria-pressed={density === 'compact'}
        onClick={() => prefer({ density: density === 'compact' ? null : 'compact' })}
      />
      <Button
        kind="quiet"
        small
        icon="legend"
        aria-label={t('Legend')}
        aria-expanded={hasLegend}
        onClick={() => setLegend(!hasLegend)}
      />
      {hasLegend && <Legend onClose={() => setLegend(false)} />}
    </div>
  )
}

function NeedsAttention({
  counts,
  view,
  onChoose,
}: {
  counts: Counts
  view: View
  onChoose: (name: AttentionName | null) => void
}) {
  const words: { [name in AttentionName]: string } = {
    late: t('late'),
    risk: t('at risk'),
    waiting: t('no answer'),
    declined: t('declined'),
  }
  const there = attentions.filter((name) => counts[name] > 0 || view.attention === name)
  if (there.length === 0) return null
  return (
    <>
      <span className="dim sm">{t('Needs attention')}</span>
      {there.map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={view.attention === name}
          onClick={() => onChoose(view.attention === name ? null : name)}
        >
          {name === 'late' && <VerdictMark kind="no" />}
          {name === 'risk' && <VerdictMark kind="warn" />}
          <b>{counts[name]}</b> {words[name]}
        </button>
      ))}
    </>
  )
}

function useEvery<T extends { id: number }>(rows: {
  onKey(name: 'all', key: string, listener: () => void): () => void
  where(name: 'all', key: string): readonly T[]
}) {
  return useSyncExternalStore(
    (listener) => rows.onKey('all', 'all', listener),
    () => rows.where('all', 'all'),
  )
}

/** Over an empty rack: what is missing, and what to do now. */
export function Attention({ loaded, layout }: { loaded: { state: string; error?: Error }; layout: Layout }) {
  const desk = useDesk()
  const { view, look, scale } = useLooking()
  const { from, to } = scale
  const count = useAllJobs(() => desk.board.plannedBetween(from, to), from, to)
  if (loaded.state === 'failed')
    return (
      <div className="over">
        <Empty
          title={t('The schedule could not be read')}
          actions={<Button onClick={() => desk.board.live.reload()}>{t('Try again')}</Button>}
        >
          {loaded.error?.message}
        </Empty>
      </div>
    )
  if (loaded.state !== 'there') return null
  if (layout.placed.length <= 1 && desk.board.workers.size > 0)
    return (
      <div className="over">
        <Empty
          title={t('No worker fits these filters')}
          actions={
            <Button onClick={() => look({ teams: [], tags: [], onShift: false })}>{t('Show all workers')}</Button>
          }
        />
      </div>
    )
  if (desk.board.workers.size === 0)
    return (
      <div className="over">
        <Empty title={t('There are no workers yet')}>
          {t('Whoever may use the mobile app is a worker, and has a row here.')}
        </Empty>
      </div>
    )
  if (count > 0) return null
  return (
    <div className="over">
      <Empty title={t('Nothing is planned for {day}', { day: dayText(view.day, desk.locale) })}>
        {t('Drag a job from the tray to a worker and a time.')}
      </Empty>
    </div>
  )
}
