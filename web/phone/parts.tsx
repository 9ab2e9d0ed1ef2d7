import { type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { JobState } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { addressOf, go, goBack } from './route.ts'
import { useFormats, useShown } from './store.ts'

/** A link inside of the app. */
export const To = ({
  to,
  how,
  ...rest
}: { to: string; how?: 'instead' } & Omit<React.ComponentProps<'a'>, 'href' | 'onClick'>) => (
  <a
    {...rest}
    href={addressOf(to)}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey) return
      event.preventDefault()
      go(to, how)
    }}
  />
)

interface ScreenProps {
  title: string
  sub?: string
  /** A page, which is left by an arrow; else a place of the bar. */
  page?: boolean
  tools?: ReactNode
  acts?: ReactNode
  children: ReactNode
}

export function Screen({ title, sub, page = false, tools, acts, children }: ScreenProps) {
  return (
    <div className="phone">
      <div className="screen">
        <header className="top">
          {page && (
            <button type="button" className="back" aria-label={t('Back')} onClick={goBack}>
              <Icon name="back" />
            </button>
          )}
          <div className="name">
            <h1>{title}</h1>
            {sub && <span>{sub}</span>}
          </div>
          {tools}
          <Chip />
        </header>
        <main className="flow">{children}</main>
        <footer className="foot">
          <Toast />
          {acts && <div className="acts">{acts}</div>}
          {!page && <Places />}
        </footer>
      </div>
    </div>
  )
}

const places: { to: string; icon: IconName; words: () => string }[] = [
  { to: '/', icon: 'jobs', words: () => t('Today') },
  { to: '/outbox', icon: 'upload', words: () => t('Outbox') },
  { to: '/me', icon: 'user', words: () => t('Me') },
]

const Places = () => (
  <nav className="nav" aria-label="Muster">
    {places.map(({ to, icon, words }) => (
      <To key={to} to={to} {...(addressOf(to) === location.pathname && { 'aria-current': 'page' as const })}>
        <Icon name={icon} size="l" />
        <span>{words()}</span>
      </To>
    ))}
  </nav>
)

/** What became of what was done, on every screen: the higher wins. (docs/phone.md) */
export function Chip() {
  const { entries, sending, lostAt, isSignedOut, askedAt } = useShown()
  const { time } = useFormats()
  const needs =
    entries.filter(({ state }) => state === 'refused' || state === 'conflicted').length + (isSignedOut ? 1 : 0)
  const waiting = entries.filter(({ state }) => state === 'waiting')
  const count = waiting.length
  const said = ((): [string, ReactNode, string, string] => {
    const glyph = (name: IconName) => <Icon name={name} />
    if (needs > 0)
      return [
        'needs',
        <b key="n">{needs}</b>,
        t('{needs} needs you', { needs }),
        count > 0 ? t('{count} waiting', { count }) : t('rest received'),
      ]
    if (lostAt)
      return [
        'off',
        count > 0 ? <b key="n">{count}</b> : glyph('offline'),
        t('No connection'),
        t('since {time}', { time: time(lostAt) }),
      ]
    if (sending.size > 0)
      return ['sending', glyph('upload'), t('Sending…'), t('{sent} of {count}', { sent: sending.size, count })]
    if (count > 0)
      return [
        'waiting',
        <b key="n">{count}</b>,
        t('{count} waiting', { count }),
        t('since {time}', { time: time(waiting[0]?.madeAt ?? '') }),
      ]
    if (!askedAt) return ['sending', glyph('download'), t('Fetching…'), '']
    return ['ok', glyph('check'), t('All received'), t('at {time}', { time: time(askedAt) })]
  })()
  const [sync, tab, first, second] = said
  return (
    <To className="chip" to="/outbox" data-sync={sync}>
      <span className="tab" aria-hidden="true">
        {tab}
      </span>
      <span className="w">
        <b>{first}</b> <span>{second}</span>
        <span className="vh">
          {lostAt && count > 0 ? `, ${t('{count} waiting', { count })}` : ''}. {t('Opens the outbox')}
        </span>
      </span>
    </To>
  )
}

interface ActProps {
  icon?: IconName
  before?: string
  small?: string
  disabled?: boolean
  mid?: boolean
  onAct: () => unknown
  children: ReactNode
}

/** The yellow slab. It takes no second touch for 600 ms: a double tap never completes two steps. */
export function Act({ icon, before, small, mid, onAct, children }: ActProps) {
  const last = useRef(0)
  return (
    <button
      type="button"
      className={mid ? 'act mid' : 'act'}
      onClick={() => {
        if (Date.now() - last.current < 600) return
        last.current = Date.now()
        onAct()
      }}
    >
      {icon && <Icon name={icon} />}
      <span className="w">
        {before && <small>{before}</small>}
        {children}
        {small && <small>{small}</small>}
      </span>
    </button>
  )
}

export const Side = ({
  icon,
  wide,
  onAct,
  children,
}: {
  icon?: IconName
  wide?: boolean
  onAct: () => unknown
  children: ReactNode
}) => (
  <button type="button" className={wide ? 'side wide' : 'side'} onClick={onAct}>
    {icon && <Icon name={icon} />}
    <span>{children}</span>
  </button>
)

type Mark = JobState | 'sending' | 'refused' | 'conflict' | 'received'
const glyphs: { [mark: string]: IconName } = {
  sending: 'upload',
  refused: 's-declined',
  conflict: 'swap',
  received: 's-completed',
}

export const Tab = ({ state }: { state: Mark }) => (
  <span className="tab">
    <Icon name={glyphs[state] ?? (`s-${state}` as IconName)} className="glyph" />
  </span>
)

export const State = ({ state, children }: { state: Mark; children: ReactNode }) => (
  <span className={state === 'received' ? 'state plain' : 'state'} data-state={state}>
    <Tab state={state} />
    <span className="w">{children}</span>
  </span>
)

interface CardProps {
  state?: JobState
  head: ReactNode
  kind?: string
  flush?: boolean
  children: ReactNode
}

export const Card = ({ state, head, kind = '', flush, children }: CardProps) => (
  <article className={`card ${kind}`} {...(state && { 'data-state': state })}>
    <div className="head">
      {state && <Tab state={state} />}
      <div className="t">{head}</div>
    </div>
    <div className={flush ? 'in flush' : 'in'}>{children}</div>
  </article>
)

const marks = { no: 'bang', warn: 'alert', yes: 'check', note: 'info' } as const
export const Say = ({
  how,
  head,
  children,
  flat,
}: {
  how: keyof typeof marks
  head: ReactNode
  children?: ReactNode
  flat?: boolean
}) => (
  <div className={`say ${how} ${flat ? 'flat' : ''}`} {...(how === 'no' && { role: 'alert' })}>
    <span className="mark">
      <Icon name={marks[how]} />
    </span>
    <div className="said">
      <b>{head}</b>
      {children}
    </div>
  </div>
)

interface SheetProps {
  title: string
  sub?: ReactNode
  acts?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** What asks comes from below. Focus goes in, Escape and a tap beside lead out, and focus goes back. */
export function Sheet({ title, sub, acts, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const name = useId()
  useEffect(() => {
    const { current } = dialog
    if (!current?.open) current?.showModal()
    return () => current?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className="scrim"
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="sheet">
        <div className="shead">
          <div className="push">
            <h2 className="lg" id={name}>
              {title}
            </h2>
            {sub && <p className="two-ink">{sub}</p>}
          </div>
          <button type="button" className="btn quiet only" aria-label={t('Close')} onClick={onClose}>
            <Icon name="x" />
          </button>
        </div>
        <div className="body">{children}</div>
        {acts && <div className="acts">{acts}</div>}
      </div>
    </dialog>
  )
}

interface Told {
  words: string
  undo?: () => unknown
}
let told: Told | null = null
let ending: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Says what was done, with a way back for ten seconds. */
export function tell(words: string, undo?: () => unknown) {
  clearTimeout(ending)
  told = undo ? { words, undo } : { words }
  ending = setTimeout(hush, 10_000)
  for (const listener of listeners) listener()
}

function hush() {
  told = null
  for (const listener of listeners) listener()
}

function Toast() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => told,
  )
  return (
    <div role="status">
      {shown && (
        <div className="toast">
          <span className="push">{shown.words}</span>
          {shown.undo && (
            <button
              type="button"
              className="btn"
              onClick={() => {
                void shown.undo?.()
                hush()
              }}
            >
              {t('Undo')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** The time, for what is late by now. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
