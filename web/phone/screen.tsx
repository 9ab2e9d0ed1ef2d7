import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { Chip } from './chip.tsx'
import { isUnread } from './conversations.ts'
import { To } from './parts.tsx'
import { addressOf, goBack } from './route.ts'
import { rowsOf, useShown } from './store.ts'
import { Toast } from './toast.tsx'

interface ScreenProps {
  title: string
  sub?: string
  /** A page, which is left by an arrow; else a place of the bar. */
  page?: boolean
  tools?: ReactNode
  acts?: ReactNode
  /** In place of acts: where something is written. */
  bar?: ReactNode
  children: ReactNode
}

export function Screen({ title, sub, page = false, tools, acts, bar, children }: ScreenProps) {
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
          {bar}
          {acts && <div className="acts">{acts}</div>}
          {!page && <Places />}
        </footer>
      </div>
    </div>
  )
}

const places: { to: string; icon: IconName; words: () => string }[] = [
  { to: '/', icon: 'jobs', words: () => t('Today') },
  { to: '/map', icon: 'map', words: () => t('Map') },
  { to: '/scan', icon: 'search', words: () => t('Scan') },
  { to: '/messages', icon: 'messages', words: () => t('Messages') },
  { to: '/me', icon: 'user', words: () => t('Me') },
]

function Places() {
  const shown = useShown()
  const unread = rowsOf(shown, 'thread').filter((thread) => isUnread(shown, thread)).length
  return (
    <nav className="nav" aria-label="Muster">
      {places.map(({ to, icon, words }) => (
        <To key={to} to={to} {...(addressOf(to) === location.pathname && { 'aria-current': 'page' as const })}>
          <Icon name={icon} size="l" />
          <span>{words()}</span>
          {to === '/messages' && unread > 0 && (
            <span className="n">
              <span aria-hidden="true">{unread}</span>
              <span className="vh">{t('{count} unread', { count: unread })}</span>
            </span>
          )}
        </To>
      ))}
    </nav>
  )
}
