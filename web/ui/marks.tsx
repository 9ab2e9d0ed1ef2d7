import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { glyphOf, type JobState, jobStates } from './job-state.ts'
import { initialsOf } from './names.ts'
import { t } from './words.ts'

/** The tab of a card: colour, pattern and glyph of a state. Stands inside of something with `data-state`. */
export const Tab = ({ state }: { state: JobState }) => (
  <span className="tab">
    <Icon name={glyphOf(state)} className="glyph" />
  </span>
)

/** A state in running text: small tab and word. */
export const StateWord = ({ state, word, big }: { state: JobState; word?: ReactNode; big?: boolean }) => (
  <span className={big ? 'state big' : 'state'} data-state={state}>
    <Tab state={state} />
    {word ?? t(jobStates[state])}
  </span>
)

/** Initials on a plate; `shift` says by a square whether the person works now. */
export const Face = ({ name, shift, small }: { name: string; shift?: 'on' | 'off' | 'break'; small?: boolean }) => (
  <span className={small ? 'face s' : 'face'} data-shift={shift} aria-hidden="true">
    {initialsOf(name)}
  </span>
)

/** A qualification: its code where room is scarce, its name in forms. */
export function Tag({ name, code, state }: { name: string; code?: string; state?: 'soon' | 'expired' | undefined }) {
  const said =
    state === 'expired' ? t('{name}, expired', { name }) : state === 'soon' ? t('{name}, expires soon', { name }) : name
  return (
    <span className={['tag', code === undefined && 'word', state].filter(Boolean).join(' ')} title={said}>
      {state ? <Icon name={state === 'expired' ? 'x' : 'clock'} /> : code === undefined && <Icon name="tag" />}
      {code === undefined ? (
        name
      ) : (
        <>
          <span aria-hidden="true">{code}</span>
          <span className="vh">{said}</span>
        </>
      )}
    </span>
  )
}

export const Badge = ({ count, hot }: { count: number | string; hot?: boolean }) => (
  <span className={hot ? 'badge hot' : 'badge'}>{count}</span>
)

export const Urgent = () => (
  <span className="flagged">
    <Icon name="flag" size="s" />
    {t('Urgent')}
  </span>
)

const verdictIcons = { no: 'x', warn: 'bang', yes: 'check', note: 'info' } as const
export type VerdictKind = keyof typeof verdictIcons

/** The mark of a verdict alone, where the words stand beside it. */
export const VerdictMark = ({ kind }: { kind: VerdictKind }) => (
  <span className={`vmark ${kind}`}>
    <Icon name={verdictIcons[kind]} />
  </span>
)

/** What is so, in bold; below it what mends it, and buttons that do. */
export const Verdict = ({ kind, title, children }: { kind: VerdictKind; title?: ReactNode; children?: ReactNode }) => (
  <div className={`verdict ${kind}`} role={kind === 'no' ? 'alert' : undefined}>
    <span className="mark">
      <Icon name={verdictIcons[kind]} />
    </span>
    <div className="said">
      {title && <b>{title}</b>}
      {children && <span>{children}</span>}
    </div>
  </div>
)
