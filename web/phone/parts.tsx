import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { JobState } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { addressOf, go } from './route.ts'

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

/** The yellow slab, where it leads out of the app. */
export const ActLink = ({
  icon,
  href,
  small,
  children,
}: {
  icon: IconName
  href: string
  small?: string
  children: ReactNode
}) => (
  <a className="act" href={href} rel="noreferrer">
    <Icon name={icon} />
    <span className="w">
      {children}
      {small && <small>{small}</small>}
    </span>
  </a>
)

/** Beside the act: leads out of the app. */
export const SideLink = ({ icon, href, children }: { icon: IconName; href: string; children: ReactNode }) => (
  <a className="side" href={href} rel="noreferrer">
    <Icon name={icon} />
    <span>{children}</span>
  </a>
)

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

export type Mark = JobState | 'sending' | 'refused' | 'conflict' | 'received'
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
  state?: Mark
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

/** One under the other, and on a tablet two racks: what is in hand, and the rest. */
export const Cols = ({ first, children }: { first: ReactNode; children: ReactNode }) => (
  <div className="cols">
    <div>{first}</div>
    <div>{children}</div>
  </div>
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

/** The time, for what is late by now. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
