import { type FormEvent, useState } from 'react'
import { ApiError } from '../client/index.ts'
import { t } from '../ui/words.ts'
import { Say } from './parts.tsx'
import { go } from './route.ts'
import { signIn } from './store.ts'

type Said = { [field: string]: unknown }

/** The first sign-in of this phone, and again when the session has ended; what waits is not touched by either. */
export function SignIn() {
  const [said, setSaid] = useState<Said>({})
  const [asked, setAsked] = useState<'credentials' | 'code' | { id: number; name: string }[]>('credentials')
  const [refused, setRefused] = useState<string | null>(null)

  async function send(more: Said) {
    const all = { ...said, ...more }
    setSaid(all)
    setRefused(null)
    try {
      const companies = await signIn(all)
      if (companies) setAsked(companies)
      else go('/', 'instead')
    } catch (error) {
      const [fault] = error instanceof ApiError ? error.faults : []
      if (fault?.code === 'second_factor_required') return setAsked('code')
      if (error instanceof ApiError && error.isUnreachable)
        return setRefused(t('The first sign-in needs a connection. Later you work without one.'))
      setRefused(fault?.message ?? String(error))
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void send(Object.fromEntries(new FormData(event.currentTarget)))
  }

  return (
    <div className="phone">
      <form className="screen" onSubmit={submit}>
        <header className="brand">
          <span>
            <b>Muster</b>
            <span>{location.host}</span>
          </span>
        </header>
        <main className="flow plain">
          <h1 className="xl">{t('Sign in')}</h1>
          {refused && <Say how="no" flat head={refused} />}
          {asked === 'credentials' && (
            <>
              <Input name="email" label={t('Email')} type="email" autoComplete="username" />
              <Input name="password" label={t('Password')} type="password" autoComplete="current-password" />
            </>
          )}
          {asked === 'code' && <Input name="code" label={t('Code')} type="text" autoComplete="one-time-code" />}
          {Array.isArray(asked) && (
            <div className="rows">
              {asked.map(({ id, name }) => (
                <button type="button" key={id} onClick={() => send({ account_id: id })}>
                  <span className="w">{name}</span>
                </button>
              ))}
            </div>
          )}
          {!('serviceWorker' in navigator) && (
            <Say how="warn" flat head={t('This phone can’t work offline: the address is not https.')} />
          )}
        </main>
        <footer className="foot">
          {!Array.isArray(asked) && (
            <div className="acts">
              <button type="submit" className="act mid">
                <span className="w">{t('Sign in')}</span>
              </button>
            </div>
          )}
        </footer>
      </form>
    </div>
  )
}

const Input = ({ label, ...rest }: { label: string; name: string; type: string; autoComplete: string }) => (
  <label className="ask" style={{ display: 'block' }}>
    <span className="lab">{label}</span>
    <span className="input">
      <input {...rest} required />
    </span>
  </label>
)
