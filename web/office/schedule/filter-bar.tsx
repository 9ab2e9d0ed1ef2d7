import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { Icon } from '../../ui/icon.tsx'
import { jobStates } from '../../ui/job-state.ts'
import { VerdictMark } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { prefer, usePreferences } from '../preferences.ts'
import { useOpens } from '../tabs.ts'
import { type Counts, countsOf } from './board/counts.ts'
import { useDesk, useLooking } from './desk.ts'
import { Legend } from './legend.tsx'
import { useAllJobs, useEvery } from './use-board.ts'
import { type Attention as AttentionName, attentions, type View } from './view.ts'

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
        icon="history"
        aria-label={t('As it was')}
        aria-pressed={view.at !== null}
        onClick={() => look({ at: view.at === null ? board.live.client.now() : null })}
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
  const toDecide = useObservable(useDesk().conflicted).size
  const opensJobs = useOpens()('jobs')
  if (there.length === 0 && toDecide === 0) return null
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
      {/* On whatever day these are, and in nobody's hands: the list has them all. */}
      {toDecide > 0 && opensJobs && (
        <Link className="chip" to="/jobs" search={{ state: 'conflicted' } as never}>
          <Icon name="swap" className="bad" />
          <b>{toDecide}</b> {t('to decide')}
        </Link>
      )}
    </>
  )
}
