import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { SignInPage, Step } from './page.tsx'
import { refusalText } from './refusal-text.ts'

/** Asks for a link by mail; whether anybody has the address is not told. */
export function Forgotten() {
  const [sent, setSent] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const said = Object.fromEntries(new FormData(event.currentTarget))
    try {
      setRefused(null)
      await api.request('POST', 'password_reset', { body: { password_reset: said } })
      setSent(true)
    } catch (error) {
      setRefused(refusalText(error))
    }
  }
  return (
    <SignInPage>
      <form onSubmit={ask}>
        <Step title={t('Set a new password')}>{t('A link for it comes by mail, good for an hour.')}</Step>
        {refused && <Verdict kind="no">{refused}</Verdict>}
        {sent ? (
          <Verdict kind="yes">{t('If somebody has this address, the link is on its way.')}</Verdict>
        ) : (
          <>
            <label className="field">
              <span className="label">{t('Email')}</span>
              <span className="input">
                <input name="email" type="email" autoComplete="username" required />
              </span>
            </label>
            <Button kind="primary" type="submit">
              {t('Send the link')}
            </Button>
          </>
        )}
        <Link to="/sign-in">{t('Back to the sign-in')}</Link>
      </form>
    </SignInPage>
  )
}
