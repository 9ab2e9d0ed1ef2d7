import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { encode } from 'uqr'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { Skeleton } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { useSession } from '../session.ts'

interface SecondFactor {
  confirmed_at: string | null
  recovery_codes_left: number
  secret?: string | null
  uri?: string | null
  recovery_codes?: string[]
}
type Answer = { second_factor: SecondFactor }

const ask = async (method: string, said?: object, query: { code?: string } = {}) =>
  (await api.request<Answer>(method, 'second_factor', { query, ...(said && { body: { second_factor: said } }) })).body
    .second_factor

/** A code of an app beside the password: set up, looked at, ended. */
export function Screen() {
  const queries = useQueryClient()
  const { second_factor } = useSession()
  const now = useQuery({
    queryKey: ['second factor'],
    queryFn: () =>
      ask('GET').catch((error) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }),
  })
  const [begun, setBegun] = useState<SecondFactor | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const finish = async () => {
    setBegun(null)
    await queries.invalidateQueries({ queryKey: ['second factor'] })
    await queries.invalidateQueries({ queryKey: ['session'] })
  }
  return (
    <main className="main" id="main">
      <header className="bar">
        <h1 className="title">{t('Second factor')}</h1>
      </header>
      <div className="scroll">
        <div className="settings">
          {second_factor === 'missing' && !codes && (
            <Verdict kind="warn">{t('Your company asks everybody for a second factor. Set one up to go on.')}</Verdict>
          )}
          {codes ? (
            <Codes codes={codes} />
          ) : begun?.uri ? (
            <Confirm factor={begun} onDone={(factor) => finish().then(() => setCodes(factor.recovery_codes ?? []))} />
          ) : now.isPending ? (
            <Skeleton height={80} />
          ) : now.data?.confirmed_at ? (
            <End left={now.data.recovery_codes_left} onDone={finish} />
          ) : (
            <Begin onDone={setBegun} />
          )}
        </div>
      </div>
    </main>
  )
}

/** One thing to type, and what is done with it. */
function Ask(props: {
  label: string
  name: string
  type: 'password' | 'text'
  act: string
  run: (text: string) => Promise<void>
  children: ReactNode
}) {
  const { label, name, type, act, run, children } = props
  const { mutate, error, isPending } = useMutation({ mutationFn: run })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get(name)))
  }
  return (
    <form className="form-fields" onSubmit={onSubmit}>
      {children}
      {error && <Verdict kind="no">{error.message}</Verdict>}
      <label className="field">
        <span className="label">{label}</span>
        <span className="input">
          <input
            name={name}
            type={type}
            autoComplete={type === 'password' ? 'current-password' : 'one-time-code'}
            required
          />
        </span>
      </label>
      <Button kind="primary" type="submit" busy={isPending}>
        {act}
      </Button>
    </form>
  )
}

const Begin = ({ onDone }: { onDone: (factor: SecondFactor) => void }) => (
  <Ask
    label={t('Your password')}
    name="password"
    type="password"
    act={t('Go on')}
    run={async (password) => onDone(await ask('POST', { password }))}
  >
    <p>{t('Sign-in then asks for a code that an authenticator app on your phone shows. Any such app will do.')}</p>
  </Ask>
)

const Confirm = ({ factor, onDone }: { factor: SecondFactor; onDone: (factor: SecondFactor) => Promise<void> }) => (
  <Ask
    label={t('The code it shows now')}
    name="code"
    type="text"
    act={t('Switch it on')}
    run={async (code) => onDone(await ask('PUT', { code }))}
  >
    <p>{t('Scan this with the app, or type the secret into it.')}</p>
    <QrCode text={factor.uri ?? ''} />
    <p className="mono" dir="ltr">
      {factor.secret}
    </p>
  </Ask>
)

const End = ({ left, onDone }: { left: number; onDone: () => Promise<void> }) => (
  <Ask
    label={t('A code of your app')}
    name="code"
    type="text"
    act={t('Switch it off')}
    run={async (code) => {
      await ask('DELETE', undefined, { code })
      await onDone()
    }}
  >
    <p>{t('It is on. {left, plural, one {# recovery code is} other {# recovery codes are}} left.', { left })}</p>
  </Ask>
)

const Codes = ({ codes }: { codes: string[] }) => (
  <div className="form-fields">
    <Verdict kind="yes" title={t('The second factor is on')}>
      {t(
        'Keep these recovery codes where you find them without your phone. Each is good for one sign-in. They are shown this once.',
      )}
    </Verdict>
    <ul className="mono codes" dir="ltr">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </div>
)

/** Black on white in every theme: cameras want it so. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t('QR code with the secret')}>
      <path d={path} />
    </svg>
  )
}
