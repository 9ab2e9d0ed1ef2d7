import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { Chip } from './chip.tsx'
import { To } from './parts.tsx'
import { addressOf, goBack } from './route.ts'
import { Toast } from './toast.tsx'

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
