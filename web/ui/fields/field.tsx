import { type ReactNode, useId } from 'react'
import { t } from '../words.ts'

/** What an input is told by what stands around it. */
export interface InputProps<Value> {
  id: string
  /** For parts that take no `<label>`. */
  label: string
  value: Value
  onChange: (value: Value) => void
  /** Names of what describes it: its hint, its fault. */
  describedBy: string | undefined
  wrong: boolean
  required: boolean
}

interface Props {
  label: string
  hint?: string | undefined
  /** What is wrong with it, in the server's words, with what mends it. */
  fault?: string | undefined
  required?: boolean | undefined
  children: (given: Pick<InputProps<never>, 'id' | 'label' | 'describedBy' | 'wrong' | 'required'>) => ReactNode
}

/** A label over its input, a hint or what is wrong under it. */
export function LabeledField({ label, hint, fault, required = false, children }: Props) {
  const id = useId()
  const [hintId, faultId] = [hint && `${id}-hint`, fault && `${id}-fault`]
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
        {required && <span className="dim"> {t('needed')}</span>}
      </label>
      {children({
        id,
        label,
        describedBy: [hintId, faultId].filter(Boolean).join(' ') || undefined,
        wrong: Boolean(fault),
        required,
      })}
      {hint && (
        <span className="hint" id={hintId}>
          {hint}
        </span>
      )}
      {fault && (
        <span className="hint bad" id={faultId}>
          {fault}
        </span>
      )}
    </div>
  )
}
