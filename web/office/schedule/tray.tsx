import { useMemo, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { TrayCard } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { stateOf } from '../../ui/job-state.ts'
import { Badge, Tag } from '../../ui/marks.tsx'
import { useMenu } from '../../ui/use-menu.tsx'
import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { addressOf, durationOf, type Job } from './board/plan.ts'
import { dueOf, filters, type TrayFilter, type TrayOrder, trayOf } from './board/tray.ts'
import { type Desk, useDesk } from './desk.ts'
import { codeOf } from './rack/head.tsx'
import { addDays, dayOf, instantAt } from './time/zone.ts'
import { dayText, durationText, kindOf, rangeText, timeText, titleOf } from './words.ts'

/** So many cards are drawn; who has more to do looks for them. */
const atMost = 100

/** Jobs that nobody has, or that have no time; and those that were declined. */
export function Tray({ isFolded, onFold }: { isFolded: boolean; onFold: (isFolded: boolean) => void }) {
  const desk = useDesk()
  const { board } = desk
  const jobs = useSyncExternalStore(
    (listener) => board.jobs.onKey('tray', 'tray', listener),
    () => board.jobs.where('tray', 'tray'),
  )
  const now = useObservable(desk.now)
  const [text, setText] = useState('')
  const [filter, setFilter] = useState<TrayFilter>('all')
  const [order, setOrder] = useState<TrayOrder>('due')
  const endOfToday = instantAt(addDays(dayOf(now, desk.zone), 1), 0, desk.zone)
  const shown = useMemo(
    () => trayOf(jobs, { text, filter, order, endOfToday, words: (job) => wordsOf(job, desk), compare: desk.compare }),
    [jobs, text, filter, order, endOfToday, desk],
  )
  const count = (name: TrayFilter) => jobs.filter((job) => filters[name](job, endOfToday)).length
  const orders: { [name in TrayOrder]: string } = {
    due: t('Due first'),
    age: t('Oldest first'),
    duration: t('Longest first'),
    customer: t('By customer'),
  }
  const menu = useMenu(
    t('Order'),
    (Object.keys(orders) as TrayOrder[]).map((id) => ({
      id,
      label: orders[id],
      ...(id === order && { icon: 'check' as const }),
      run: () => setOrder(id),
    })),
  )
  const chips: [TrayFilter, string][] = [
    ['all', t('All')],
    ['urgent', t('Urgent')],
    ['today', t('Today')],
    ['declined', t('Declined')],
  ]
  const there = chips.filter(([id]) => id === 'all' || id === filter || count(id) > 0)
  if (isFolded)
    return (
      <aside className="tray folded" aria-label={t('Jobs without a worker')} data-row="tray">
        <button type="button" className="unfold" aria-expanded={false} title="\\" onClick={() => onFold(false)}>
          <Icon name="right" />
          <span>{t('No worker')}</span>
          <Badge count={jobs.length} />
        </button>
      </aside>
    )
  return (
    <aside className="tray" aria-label={t('Jobs without a worker')} data-row="tray">
      <div className="top">
        <div className="line">
          <h2 className="h2">{t('No worker')}</h2>
          <Badge count={jobs.length} />
          <span className="push" />
          <button type="button" className="btn quiet small" {...menu.trigger}>
            <Icon name="sort" />
            {orders[order]}
          </button>
          {menu.popover}
          {desk.mayPlan && (
            <Button
              kind="quiet"
              small
              icon="plus"
              aria-label={t('New job')}
              onClick={() => desk.acts.ask({ kind: 'new', at: null })}
            />
          )}
          <Button
            kind="quiet"
            small
            icon="left"
            className="fold-away"
            aria-label={t('Fold the tray away')}
            aria-expanded
            onClick={() => onFold(true)}
          />
        </div>
        <label className="input low">
          <Icon name="filter" />
          <input
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={t('Customer, street, tag …')}
            aria-label={t('Search the tray')}
          />
        </label>
        <fieldset className="line chips" aria-label={t('Show')}>
          {there.map(([id, label]) => (
            <button key={id} type="button" className="chip" aria-pressed={filter === id} onClick={() => setFilter(id)}>
              {label}
              {id !== 'all' && <b>{count(id)}</b>}
            </button>
          ))}
        </fieldset>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="list scroll" tabIndex={0} aria-label={t('Jobs in the tray')}>
        {shown.slice(0, atMost).map((job) => (
          <InTray key={job.id} job={job} now={now} endOfToday={endOfToday} />
        ))}
        {shown.length === 0 && (
          <p className="sm dim">
            {jobs.length === 0
              ? t('Nothing waits here.')
              : t('Nothing fits. {count, plural, one {# job is} other {# jobs are}} hidden.', { count: jobs.length })}
            {jobs.length > 0 && (
              <Button
                kind="quiet"
                small
                onClick={() => {
                  setText('')
                  setFilter('all')
                }}
              >
                {t('Show all')}
              </Button>
            )}
          </p>
        )}
        {shown.length > atMost && (
          <p className="sm dim">{t('{count} more. Search for them.', { count: shown.length - atMost })}</p>
        )}
      </section>
    </aside>
  )
}

/** What is looked through. */
const wordsOf = (job: Job, { board }: Desk) =>
  [job.customer_name, kindOf(job), addressOf(job), job.id, ...job.tag_ids.map((id) => board.tags.get(id)?.name)].join(
    ' ',
  )

function InTray({ job, now, endOfToday }: { job: Job; now: number; endOfToday: number }) {
  const desk = useDesk()
  const isSelected = useSyncExternalStore(desk.selection.subscribe, () => desk.selection.get().ids.includes(job.id))
  const isHeld = useSyncExternalStore(desk.lift.lifted.subscribe, () => desk.lift.lifted.get()?.job.id === job.id)
  const { isConflicted } = useSyncExternalStore(
    (listener) => desk.flags.subscribe(job.id, listener),
    () => desk.flags.get(job.id),
  )
  const due = dueOf(job)
  const state = stateOf(job)
  const isLate = due !== null && due < now
  return (
    <TrayCard
      data-job={job.id}
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      aria-label={[titleOf(job), kindOf(job), dueText(due, now, desk), isConflicted && t('something to decide')]
        .filter(Boolean)
        .join(', ')}
      conflict={isConflicted}
      state={state}
      title={titleOf(job)}
      line={kindOf(job)}
      address={addressOf(job)}
      due={dueText(due, now, desk)}
      duration={durationText(durationOf(job))}
      late={isLate}
      atRisk={!isLate && (state === 'declined' || (due !== null && due <= endOfToday))}
      urgent={job.priority === 'urgent'}
      selected={isSelected}
      hole={isHeld}
      why={whyText(job, desk.workerName(job.worker_id))}
      tags={job.tag_ids.map((id) => {
        const name = desk.board.tags.get(id)?.name
        return name && <Tag key={id} name={name} code={codeOf(name)} />
      })}
      window={windowText(job, now, desk)}
    />
  )
}

/** Why it is here though somebody has it, or had it. */
function whyText(job: Job, worker: string): string | null {
  if (job.confirmation !== 'declined')
    return job.worker_id === null ? null : t('{worker} has it, at no time', { worker })
  return job.decline_reason
    ? t('{worker} declined: {reason}', { worker, reason: job.decline_reason })
    : t('{worker} declined', { worker })
}

function dueText(due: number | null, now: number, { zone, locale }: { zone: string; locale: string }): string {
  if (due === null) return t('No date')
  const [today, day] = [dayOf(now, zone), dayOf(due, zone)]
  if (due < now)
    return day === today
      ? t('Overdue since {time}', { time: timeText(due, zone) })
      : t('Overdue since {day}', { day: dayText(day, locale, short) })
  return day === today ? t('Due today') : t('Due {day}', { day: dayText(day, locale, short) })
}

const short: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }

/** When the customer can be visited. */
export function windowText(job: Job, now: number, { zone, locale }: { zone: string; locale: string }): string {
  const within = job.time_windows.filter(({ kind }) => kind === 'within')
  const next = within.find(({ to }) => Date.parse(to) >= now) ?? within.at(-1)
  if (!next) return t('Any time')
  const [from, to] = [Date.parse(next.from), Date.parse(next.to)]
  const [day, last] = [dayOf(from, zone), dayOf(to - 1, zone)]
  if (day !== last) return t('{from} to {to}', { from: dayText(day, locale, short), to: dayText(last, locale, short) })
  return day === dayOf(now, zone)
    ? rangeText(from, to, zone)
    : `${dayText(day, locale, short)}, ${rangeText(from, to, zone)}`
}
