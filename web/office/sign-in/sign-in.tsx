import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { queries } from '../session.ts'
import { SignInPage, Step } from './page.tsx'
import { PasswordInput } from './password-input.tsx'
import { refusalText } from './refusal-text.ts'

interface Account {
  id: number
  name: string
}
type Said = { [field: string]: FormDataEntryValue | number }

/** What is asked for next, beside what was said. */
type Asked =
  | { step: 'credentials' }
  | { step: 'account'; said: Said; accounts: Account[] }
  | { step: 'code'; said: Said }

/** Email and password; which company where these fit in several; a code where one is asked for. Then where they wanted to go. */
export function SignIn() {
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/sign-in' })
  const [asked, setAsked] = useState<Asked>({ step: 'credentials' })
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function signIn(said: Said) {
    setBusy(true)
    setRefused(null)
    try {
      const { body } = await api.request<{ accounts?: Account[] }>('POST', 'session', { body: { session: said } })
      if (body.accounts) return setAsked({ step: 'account', said, accounts: body.accounts })
      queries.clear()
      await navigate({ href: safe(to) })
    } catch (error) {
      const code = error instanceof ApiError ? error.faults[0]?.code : undefined
      if (code === 'second_factor_required') return setAsked({ step: 'code', said })
      setRefused(refusalText(error))
      if (code !== 'second_factor_invalid') setAsked({ step: 'credentials' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <SignInPage>
      {asked.step === 'account' ? (
        <Accounts {...asked} onChoose={(account_id) => signIn({ ...asked.said, account_id })} />
      ) : (
        <Form
          key={asked.step}
          refused={refused}
          busy={busy}
          onSaid={(said) => signIn(asked.step === 'code' ? { ...asked.said, ...said } : said)}
        >
          {asked.step === 'code' ? <Code /> : <Credentials />}
        </Form>
      )}
      {asked.step !== 'credentials' && (
        <Button kind="quiet" icon="back" onClick={() => setAsked({ step: 'credentials' })}>
          {t('Somebody else')}
        </Button>
      )}
    </SignInPage>
  )
}

/** Only a place of this office: a link must not lead elsewhere through the sign-in. */
const safe = (to: string | undefined) => (to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : '/')

interface FormProps {
  refused: string | null
  busy: boolean
  onSaid: (said: Said) => void
  children: React.ReactNode
}

function Form({ refused, busy, onSaid, children }: FormProps) {
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSaid(Object.fromEntries(new FormData(event.currentTarget)))
  }
  return (
    <form onSubmit={onSubmit}>
      <Step title={t('Sign in')}>{t('Sign in to plan and dispatch.')}</Step>
      {refused && <Verdict kind="no">{refused}</Verdict>}
      {children}
      <Button kind="primary" type="submit" busy={busy}>
        {t('Sign in')}
      </Button>
    </form>
  )
}

const Credentials = () => (
  <>
    <label className="field">
      <span className="label">{t('Email')}</span>
      <span className="input">
        <input name="email" type="email" autoComplete="username" required />
      </span>
    </label>
    <PasswordInput
      name="password"
      label={t('Password')}
      autoComplete="current-password"
      beside={
        <Link to="/forgotten" className="sm">
          {t('Forgotten')}
        </Link>
      }
    />
  </>
)

const Code = () => (
  <label className="field">
    <span className="label">{t('Code of your app, or a recovery code')}</span>
    <span className="input">
      {/* biome-ignore lint/a11y/noAutofocus: what was pressed before is gone, and this is what comes next */}
      <input name="code" autoComplete="one-time-code" autoFocus required />
    </span>
  </label>
)

/** The companies in which this email and password fit. */
const Accounts = ({ accounts, onChoose }: { accounts: Account[]; onChoose: (id: number) => void }) => (
  <div className="accounts">
    <Step title={t('Which company')}>{t('This email and password fit in several.')}</Step>
    {accounts.map(({ id, name }, i) => (
      <Button key={id} autoFocus={i === 0} onClick={() => onChoose(id)}>
        <bdi>{name}</bdi>
      </Button>
    ))}
  </div>
)
