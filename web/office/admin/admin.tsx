import './admin.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { msg, t } from '../../ui/words.ts'
import { useSession } from '../session.ts'

const places: { to: string; label: string; icon: IconName; feature?: 'groups' | 'safety' }[] = [
  { to: '/admin/people', label: msg('People'), icon: 'users' },
  { to: '/admin/groups', label: msg('Groups'), icon: 'customers', feature: 'groups' },
  { to: '/admin/tags', label: msg('Tags'), icon: 'tag', feature: 'safety' },
  { to: '/admin/working-weeks', label: msg('Working weeks'), icon: 'calendar' },
  { to: '/absences', label: msg('Absences'), icon: 'coffee' },
  { to: '/admin/phones', label: msg('Phones'), icon: 'phone' },
  { to: '/admin/account', label: msg('Company'), icon: 'admin' },
]

/** The places of Admin at the side, one of them beside it. */
export function Admin({ children }: { children: ReactNode }) {
  const { features } = useSession().account
  return (
    <main className="main admin" id="main">
      <nav className="places" aria-label={t('Admin')}>
        {places
          .filter(({ feature }) => !feature || features[feature])
          .map(({ to, label, icon }) => (
            <Link key={to} to={to} activeOptions={{ includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
              <Icon name={icon} />
              {t(label)}
            </Link>
          ))}
      </nav>
      {children}
    </main>
  )
}
