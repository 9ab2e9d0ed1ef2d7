import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useSyncExternalStore } from 'react'
import { expiryOf } from '../../../ui/expiry.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Face, Tag, VerdictMark } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { useSession } from '../../session.ts'
import { loadOf } from '../board/load.ts'
import type { Job } from '../board/plan.ts'
import type { Worker } from '../board/rows.ts'
import { lengthOf } from '../board/shifts.ts'
import { useDesk, useLooking } from '../desk.ts'
import { agoText, loadText, timeText } from '../words.ts'
import { useShifts } from './shifts.tsx'

/** A position older than this, while on shift, says nothing any more. */
const oldMs = 15 * 60_000
/** So much fits beside the load. */
const tagRoomPx = 104

/** Whom a row belongs to: face, name, when last seen; tags and the day's load, or the verdict while a card is in the hand. */
export function WorkerHead({ worker, jobs }: { worker: Worker; jobs: readonly Job[] }) {
  const desk = useDesk()
  const verdict = useSyncExternalStore(desk.lift.onVerdicts, () => desk.lift.verdict(worker.id))
  const { scale } = useLooking()
  const now = useObservable(desk.now)
  const seenAt = worker.latest_telemetry?.recorded_at
  const seenMs = seenAt ? now - Date.parse(seenAt) : null
  const seen = seenMs === null ? '' : agoText(seenMs)
  const phone = useSyncExternalStore(desk.phones.subscribe, () => desk.phones.get().get(worker.id))
  const load = loadOf(jobs, scale.from, scale.to)
  const shifts = useShifts(worker)
  // Without a working week a day is eight hours.
  const capacity = shifts ? lengthOf(shifts) : scale.spans.length * 8 * 3_600_000
  return (
    <div className="who" role="rowheader">
      <Face name={worker.name} shift={worker.shift_on ? 'on' : 'off'} />
      <span className="two">
        <span>
          <PersonLink id={worker.id} className="n clip">
            {worker.name}
          </PersonLink>
          <Pin worker={worker} />
          {phone ? (
            <span
              className="seen old"
              title={t('Last heard of at {time}', { time: timeText(phone.heardAt, desk.zone) })}
            >
              {t('{count} waiting, {time}', { count: phone.count, time: timeText(phone.heardAt, desk.zone) })}
            </span>
          ) : (
            <span
              className={worker.shift_on && (seenMs ?? 0) > oldMs ? 'seen old' : 'seen'}
              title={
                seenAt
                  ? t('Their last known place is of {time}', { time: timeText(Date.parse(seenAt), desk.zone) })
                  : undefined
              }
            >
              {worker.shift_on ? seen : seen ? t('off · {seen}', { seen }) : t('off')}
            </span>
          )}
        </span>
        {verdict ? (
          <span>
            <VerdictMark kind={verdict.kind} />
            <span className="why clip" title={verdict.line}>
              {verdict.line}
            </span>
          </span>
        ) : (
          <span>
            <Tags worker={worker} now={now} />
            <span className="ld">
              <span
                className={load > capacity ? 'load over' : 'load'}
                title={t('{planned} planned of {available}', {
                  planned: loadText(load),
                  available: loadText(capacity),
                })}
              >
                <span className="m">
                  <i
                    style={{
                      width: `${capacity === 0 ? (load > 0 ? 100 : 0) : Math.min(100, (load / capacity) * 100)}%`,
                    }}
                  />
                </span>
                {loadText(load)}
              </span>
            </span>
          </span>
        )}
      </span>
    </div>
  )
}

interface PersonLinkProps {
  id: number
  /** One whose date is to be changed. */
  tag?: number
  className?: string
  children: ReactNode
}

/** Leads who may change people to a worker, or to the date of one of their tags. A link costs a router's look at each of two hundred rows. */
function PersonLink({ id, tag, className, children }: PersonLinkProps) {
  const navigate = useNavigate()
  const mayChange = useSession().permissions.admin === 'full'
  if (!mayChange) return <span className={className}>{children}</span>
  const search = { open: String(id), ...(tag !== undefined && { edit: `tag-${tag}` }) }
  return (
    <button
      type="button"
      className={className ? `bare ${className}` : 'bare'}
      tabIndex={-1}
      // The list's own parameters; the router's types know of none.
      onClick={() => void navigate({ to: '/admin/people', search: search as never })}
    >
      {children}
    </button>
  )
}

/** Keeps a row at the top, whatever the order. */
function Pin({ worker: { id, name } }: { worker: Worker }) {
  const { view, look } = useLooking()
  const isPinned = view.pins.includes(id)
  return (
    <button
      type="button"
      className="pin"
      aria-pressed={isPinned}
      tabIndex={-1}
      aria-label={t('Pin {name} to the top', { name })}
      title={t('Pin {name} to the top', { name })}
      onClick={() => look({ pins: isPinned ? view.pins.filter((one) => one !== id) : [...view.pins, id] })}
    >
      <Icon name="pin" size="s" />
    </button>
  )
}

/** What ends soon stands first; what does not fit is counted. */
function Tags({ worker, now }: { worker: Worker; now: number }) {
  const tags = worker.tags
    .map(({ id, name, expires_at }) => ({ id, name: name ?? '', state: expiryOf(expires_at, now) }))
    .toSorted((a, b) => Number(b.state !== undefined) - Number(a.state !== undefined))
  const widthOf = ({ name, state }: (typeof tags)[number]) => codeOf(name).length * 7 + (state ? 24 : 13)
  const fits = (upTo: number) => tags.slice(0, upTo).reduce((sum, tag) => sum + widthOf(tag), 0) <= tagRoomPx
  const shown = tags.filter((_, i) => fits(i + 1))
  return (
    <span className="tags">
      {shown.map(({ id, name, state }) => (
        <PersonLink key={id} id={worker.id} tag={id}>
          <Tag name={name} code={codeOf(name)} state={state} />
        </PersonLink>
      ))}
      {tags.length > shown.length && <span className="xs dim">{`+${tags.length - shown.length}`}</span>}
    </span>
  )
}

/** A tag where room is scarce: what is a code already, else the first letters of its words. */
export function codeOf(name: string): string {
  if (/^[\p{Lu}\d-]{2,5}$/u.test(name)) return name
  const words = name.split(/[\s-]+/).filter(Boolean)
  const letters =
    words.length > 1 ? words.map((word) => [...word][0]).join('') : [...(words[0] ?? '')].slice(0, 4).join('')
  return letters.toLocaleUpperCase().slice(0, 4)
}

/** The row of jobs that have a time, and nobody to do them. */
export const TimedHead = ({ jobs }: { jobs: readonly Job[] }) => (
  <div className="who" role="rowheader">
    <span className="face none">–</span>
    <span className="two">
      <span>
        <span className="n clip">{t('Time set, no worker')}</span>
      </span>
      <span className="dim xs cond">
        {t('{count, plural, one {# job needs somebody} other {# jobs need somebody}}', { count: jobs.length })}
      </span>
    </span>
  </div>
)
