import { useNavigate } from '@tanstack/react-router'
import { type Language, languages, speak } from '../../ui/language.ts'
import type { Entry } from '../../ui/menu.tsx'
import { initialsOf } from '../../ui/names.ts'
import { useMenu } from '../../ui/use-menu.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { prefer, usePreferences } from '../preferences.ts'

/** Theme, density, language, and the way out. */
export function PersonMenu({ name }: { name: string }) {
  const navigate = useNavigate()
  const { theme, density, language } = usePreferences()
  const picked = (on: boolean) => (on ? { icon: 'check' as const } : {})
  const signOut = async () => {
    await api.request('DELETE', 'session/current')
    // A new page: nothing of what they saw stays in its memory.
    location.assign(new URL('sign-in', document.baseURI))
  }
  const turnTo = async (language: Language) => {
    await speak(language)
    prefer({ language })
  }
  const entries: Entry[] = [
    { caption: t('Theme') },
    { id: 'system', label: t('As the system'), ...picked(theme === null), run: () => prefer({ theme: null }) },
    { id: 'light', label: t('Light'), ...picked(theme === 'light'), run: () => prefer({ theme: 'light' }) },
    { id: 'dark', label: t('Dark'), ...picked(theme === 'dark'), run: () => prefer({ theme: 'dark' }) },
    { caption: t('Density') },
    { id: 'comfortable', label: t('Comfortable'), ...picked(!density), run: () => prefer({ density: null }) },
    { id: 'compact', label: t('Compact'), ...picked(density === 'compact'), run: () => prefer({ density: 'compact' }) },
    { caption: t('Language') },
    ...Object.entries(languages).map(([code, label]) => ({
      id: code,
      label,
      ...picked(code === language),
      run: () => void turnTo(code as Language),
    })),
    'line',
    {
      id: 'me',
      label: t('Password and sessions …'),
      icon: 'user',
      run: () => void navigate({ to: '/me' }),
    },
    { id: 'sign-out', label: t('Sign out'), icon: 'out', run: () => void signOut() },
  ]
  const menu = useMenu(t('{name}, signed in', { name }), entries)
  return (
    <>
      <button type="button" className="me" aria-label={t('{name}, signed in', { name })} {...menu.trigger}>
        {initialsOf(name)}
      </button>
      {menu.popover}
    </>
  )
}
