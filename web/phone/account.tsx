import { useEffect, useState } from 'react'
import { ApiError } from '../client/index.ts'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { version } from './about.ts'
import { Act, Card, Sheet } from './parts.tsx'
import { apiOfPerson, useFormats } from './store.ts'
import { tell } from './toast.tsx'
import { Unasked } from './unasked.tsx'

interface Session {
  id: number
  device: string | null
  last_used_at: string | null
  created_at: string
  current: boolean
}

/** Where else one is signed in: a lost phone is signed out here. */
export function Sessions() {
  const { dateTime } = useFormats()
  const [sessions, setSessions] = useState<Session[] | null>(null)
  useEffect(() => {
    apiOfPerson()
      .then((api) => api.request<{ sessions: Session[] }>('GET', 'sessions'))
      .then(
        ({ body }) => setSessions(body.sessions),
        () => setSessions(null),
      )
  }, [])
  const end = async ({ id }: Session) => {
    try {
      await (await apiOfPerson()).request('DELETE', `sessions/${id}`)
      setSessions((now) => now?.filter((one) => one.id !== id) ?? null)
      tell(t('Signed out there.'))
    } catch {
      tell(t('That needs a connection.'))
    }
  }
  return (
    <Card kind="sec" flush head={<h2>{t('Signed in on')}</h2>}>
      {sessions === null && <Unasked />}
      <div className="rows">
        {sessions?.map((session) => (
          <div key={session.id}>
            <Icon name="phone" />
            <span className="w">
              <b>{session.current ? t('This phone') : (session.device ?? t('A browser'))}</b>
              <small>
                {session.current
                  ? session.device
                  : t('last used {at}', { at: dateTime(session.last_used_at ?? session.created_at) })}
              </small>
            </span>
            {!session.current && (
              <button
                type="button"
                className="btn"
                aria-label={t('Sign out {device}', { device: session.device ?? t('A browser') })}
                onClick={() => end(session)}
              >
                {t('Sign out')}
              </button>
            )}
          </div>
        ))}
      </div>
    </Card>
  )
}

export function Account() {
  const [asks, setAsks] = useState(false)
  return (
    <Card kind="sec" flush head={<h2>{t('Account')}</h2>}>
      <div className="rows">
        <button type="button" onClick={() => setAsks(true)}>
          <Icon name="key" />
          <b className="w">{t('Change the password')}</b>
          <Icon name="right" className="go" />
        </button>
        <div>
          <Icon name="info" />
          <span className="w">
            <b>{t('About Muster')}</b>
            <small>{t('Version {version}, {server}', { version, server: location.host })}</small>
          </span>
        </div>
      </div>
      {asks && <Password onClose={() => setAsks(false)} />}
    </Card>
  )
}

/** One’s own; all other phones and browsers are signed out by it. */
function Password({ onClose }: { onClose: () => void }) {
  const [now, setNow] = useState('')
  const [next, setNext] = useState('')
  const [trouble, setTrouble] = useState<string | null>(null)
  const save = async () => {
    try {
      const body = { password: { current_password: now, password: next } }
      await (await apiOfPerson()).request('PUT', 'password', { body })
      onClose()
      tell(t('The password is changed'))
    } catch (error) {
      const isRefused = error instanceof ApiError && !error.isUnreachable
      setTrouble(isRefused ? error.message : t('That needs a connection.'))
    }
  }
  return (
    <Sheet
      title={t('Change the password')}
      sub={t('Other phones and browsers are signed out by it.')}
      onClose={onClose}
      acts={
        <Act icon="check" onAct={save}>
          {t('Save')}
        </Act>
      }
    >
      <label className="lab" htmlFor="password-now">
        {t('The password now')}
      </label>
      <span className="input">
        <input
          id="password-now"
          type="password"
          autoComplete="current-password"
          value={now}
          onChange={(event) => setNow(event.target.value)}
        />
      </span>
      <label className="lab" htmlFor="password-next">
        {t('The new password')}
      </label>
      <span className="input">
        <input
          id="password-next"
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
      </span>
      {trouble && (
        <p className="bad bold" role="alert">
          {trouble}
        </p>
      )}
    </Sheet>
  )
}
