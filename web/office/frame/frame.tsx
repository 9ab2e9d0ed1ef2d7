import './frame.css'
import { Link, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatsOf } from '../../ui/formats.ts'
import { Icon } from '../../ui/icon.tsx'
import { localeOf } from '../../ui/language.ts'
import { type Records, RecordsContext } from '../../ui/records/context.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { usePreferences } from '../preferences.ts'
import { type Permission, type Session, useSession } from '../session.ts'
import { mayChange, opens, type Tab, tabs } from '../tabs.ts'
import { Connection } from './lost.tsx'
import { Mark } from './mark.tsx'
import { Over } from './over.tsx'
import { PersonMenu } from './person-menu.tsx'
import { Unsaved } from './unsaved.tsx'

/** What stands around every screen: the rack's upright with the tabs, and what floats over all of them. */
export function Frame() {
  return (
    <RecordsContext value={useRecordsOf(useSession())}>
      <div className="app">
        <a className="skip" href="#main">
          {t('Skip to the page')}
        </a>
        <Rail />
        <div className="screen">
          <Connection />
          <Outlet />
        </div>
        <Over />
        <Unsaved />
      </div>
    </RecordsContext>
  )
}

/** What lists and forms need to know of who is signed in. */
function useRecordsOf(session: Session): Records {
  const { language } = usePreferences()
  const { time_zone: zone, currency } = session.account
  return useMemo(() => {
    const locale = localeOf(language)
    return {
      client: api,
      locale,
      zone,
      formats: formatsOf(locale, zone, currency),
      mayChange: ({ allow: { write } }) => write in session.permissions && mayChange(session, write as Permission),
      mayImport: mayChange(session, 'admin'),
    }
  }, [language, zone, currency, session])
}

function Rail() {
  const session = useSession()
  const there = tabs.filter((tab) => opens(session, tab))
  const link = ({ id, icon, label }: Tab) => (
    <Link key={id} to={`/${id}` as string} activeProps={{ 'aria-current': 'page' }}>
      <Icon name={icon} />
      <span>{t(label)}</span>
    </Link>
  )
  return (
    <nav className="rail" aria-label="Muster">
      <span className="mark">
        <Mark />
      </span>
      {there.filter(({ foot }) => !foot).map(link)}
      <span className="push" />
      {there.filter(({ foot }) => foot).map(link)}
      <PersonMenu name={session.user_name} />
    </nav>
  )
}
