import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { Skeleton } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { queries } from '../session.ts'
import { SignInPage, Step } from './page.tsx'
import { PasswordInput } from './password-input.tsx'
import { refusalText } from './refusal-text.ts'

interface SignInLink {
  kind: 'invitation' | 'password_reset'
  user_name: string
  email: string
  account_name: string
}

/** Where the link of an invitation or a reset leads. What stands behind its # never leaves the browser but in a body. */
export function Welcome() {
  const [token] = useState(() => location.hash.slice(1))
  const { data, error } = useQuery({
    queryKey: ['sign-in link'],
    queryFn: async () => {
      const { body } = await api.request<{ sign_in_link: SignInLink }>('POST', 'sign_in_link', {
        body: { sign_in_link: { token } },
      })
      return body.sign_in_link
    },
  })
  return (
    <SignInPage>
      {error ? (
        <div className="accounts">
          <Step title={t('This link is not good any more')}>
            {t('It was used, or is too old. Ask an admin of your company for another.')}
          </Step>
          <Link to="/sign-in">{t('Back to the sign-in')}</Link>
        </div>
      ) : data ? (
        <NewPassword link={data} token={token} />
      ) : (
        <Skeleton height={120} />
      )}
    </SignInPage>
  )
}

function NewPassword({ link, token }: { link: SignInLink; token: string }) {
  const navigate = useNavigate()
  const [refused, setRefused] = useState<string | null>(null)
  const { email, user_name: name, account_name: company } = link
  async function set(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { password } = Object.fromEntries(new FormData(event.currentTarget))
    try {
      setRefused(null)
      await api.request('PUT', 'sign_in_link', { body: { sign_in_link: { token, password } } })
    } catch (error) {
      return setRefused(refusalText(error))
    }
    queries.clear()
    try {
      const { body } = await api.request<object>('POST', 'session', { body: { session: { email, password } } })
      await navigate('accounts' in body ? { to: '/sign-in' } : { to: '/' })
    } catch (error) {
      // A code is asked for besides, say: the sign-in knows how.
      if (!(error instanceof ApiError)) throw error
      await navigate({ to: '/sign-in' })
    }
  }
  return (
    <form onSubmit={set}>
      <Step title={<bdi>{company}</bdi>}>
        {link.kind === 'invitation'
          ? t('Welcome, {name}. Choose a password; with {email} it signs you in.', { name, email })
          : t('{name}, choose a new password for {email}.', { name, email })}
      </Step>
      {refused && <Verdict kind="no">{refused}</Verdict>}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <PasswordInput name="password" label={t('New password')} autoComplete="new-password" />
      <Button kind="primary" type="submit">
        {t('Set it and sign in')}
      </Button>
    </form>
  )
}
