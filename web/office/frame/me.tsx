import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef } from 'react'
import type { Shown } from '../../../src/fields/index.ts'
import type { session } from '../../../src/records/session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { useSession } from '../session.ts'

/** Who is signed in: their password, their second factor, and where else they are signed in. */
export function Screen() {
  const { user_name } = useSession()
  return (
    <main className="main" id="main">
      <header className="bar">
        <h1 className="title" dir="auto">
          {user_name}
        </h1>
      </header>
      <div className="scroll">
        <div className="settings">
          <Password />
          <section className="form-fields">
            <h2 className="h2">{t('Second factor')}</h2>
            <p>{t('A code of your phone beside the password.')}</p>
            <Link className="btn" to="/second-factor">
              <Icon name="shield" />
              {t('Second factor …')}
            </Link>
          </section>
          <Sessions />
        </div>
      </div>
    </main>
  )
}

function Password() {
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: { current_password: string; password: string }) =>
      api.request('PUT', 'password', { body: { password } }),
    onSuccess: async () => {
      form.current?.reset()
      toast({ title: t('The password is changed'), detail: t('Your other sessions have ended.') })
      await queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const said = new FormData(event.currentTarget)
    mutate({ current_password: String(said.get('current')), password: String(said.get('new')) })
  }
  const input = (name: string, label: string, autoComplete: string) => (
    <label className="field">
      <span className="label">{label}</span>
      <span className="input">
        <input name={name} type="password" autoComplete={autoComplete} required />
      </span>
    </label>
  )
  return (
    <form ref={form} className="form-fields" aria-label={t('Password')} onSubmit={onSubmit}>
      <h2 className="h2">{t('Password')}</h2>
      {error && <Verdict kind="no">{error.message}</Verdict>}
      {input('current', t('The password now'), 'current-password')}
      {input('new', t('The new password'), 'new-password')}
      <Button type="submit" busy={isPending}>
        {t('Change the password')}
      </Button>
    </form>
  )
}

interface Listed extends Shown<typeof session> {
  current: boolean
}

/** Every browser and phone where they are signed in; any of them is signed out from here. */
function Sessions() {
  const queries = useQueryClient()
  const { formats } = useRecords()
  const { data } = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) =>
      (await api.request<{ sessions: Listed[] }>('GET', 'sessions', { query: { per_page: 100 }, signal })).body
        .sessions,
  })
  const { mutate, error } = useMutation({
    mutationFn: ({ id }: Listed) => api.request('DELETE', `sessions/${id}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <section className="form-fields" aria-label={t('Signed in on')}>
      <h2 className="h2">{t('Signed in on')}</h2>
      {error && <Verdict kind="no">{error.message}</Verdict>}
      <ul className="sessions">
        {data?.map((one) => (
          <li key={one.id}>
            <span>
              <span dir="auto">{one.device ?? t('A browser')}</span>
              <br />
              <span className="sm two-ink">
                {one.current
                  ? t('this one')
                  : t('last used {at}', { at: formats.brief(one.last_used_at ?? one.created_at) })}
              </span>
            </span>
            {!one.current && (
              <Button
                small
                icon="out"
                aria-label={t('Sign out {device}', { device: one.device ?? t('A browser') })}
                onClick={() => mutate(one)}
              >
                {t('Sign out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
