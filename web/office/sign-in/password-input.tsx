import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { t } from '../../ui/words.ts'

interface Props {
  name: string
  label: string
  autoComplete: 'current-password' | 'new-password'
  /** Seen beside the label; reached after the input. */
  beside?: React.ReactNode
}

/** A password, which can be looked at while it is typed. */
export function PasswordInput({ name, label, autoComplete, beside }: Props) {
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <div className="field password">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="input">
        <input id={id} name={name} type={shown ? 'text' : 'password'} autoComplete={autoComplete} required />
        <Button
          kind="quiet"
          small
          icon="eye"
          aria-label={shown ? t('Hide the password') : t('Show the password')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      </span>
      {beside}
    </div>
  )
}
