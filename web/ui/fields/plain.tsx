import { Icon } from '../icon.tsx'
import { t } from '../words.ts'
import type { InputProps } from './field.tsx'

const about = ({ id, describedBy, wrong, required }: Omit<InputProps<never>, 'value' | 'onChange'>) => ({
  id,
  'aria-describedby': describedBy,
  'aria-invalid': wrong || undefined,
  'aria-required': required || undefined,
})
const classOf = (wrong: boolean) => (wrong ? 'input wrong' : 'input')

type TextProps = InputProps<string | null> & {
  type?: 'text' | 'email' | 'password' | 'url'
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel'
  max?: number | undefined
}

/** One line. Empty is nothing. */
export const TextInput = ({ value, onChange, type = 'text', inputMode, max, ...given }: TextProps) => (
  <span className={classOf(given.wrong)}>
    <input
      {...about(given)}
      type={type}
      inputMode={inputMode}
      maxLength={max}
      dir="auto"
      autoComplete="off"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
    />
  </span>
)

/** Several lines. */
export const LongTextInput = ({ value, onChange, ...given }: InputProps<string | null>) => (
  <textarea
    {...about(given)}
    className={classOf(given.wrong)}
    rows={3}
    dir="auto"
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
  />
)

/** Several texts, one a line. */
export const LinesInput = ({ value, onChange, ...given }: InputProps<string[]>) => (
  <textarea
    {...about(given)}
    className={classOf(given.wrong)}
    rows={Math.max(3, value.length + 1)}
    dir="auto"
    defaultValue={value.join('\n')}
    onChange={({ target }) =>
      onChange(
        target.value
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      )
    }
  />
)

/** A number as text, so that `1.50` stays what was typed; the server says where it is none. */
export const NumberInput = (props: InputProps<string | number | null> & { whole?: boolean }) => {
  const { whole, value, ...rest } = props
  return <TextInput {...rest} value={value === null ? null : String(value)} inputMode={whole ? 'numeric' : 'decimal'} />
}

/** Yes or no. The label stands beside it: it is drawn without `LabeledField`. */
export const FlagInput = ({ label, value, onChange, fault }: FlagProps) => (
  <div className="field">
    <label className="line flag">
      <input type="checkbox" className="vh" checked={value} onChange={(event) => onChange(event.target.checked)} />
      <span className="check" data-on={value || undefined}>
        <Icon name="check" />
      </span>
      {label}
    </label>
    {fault && <span className="hint bad">{fault}</span>}
  </div>
)
interface FlagProps {
  label: string
  value: boolean
  onChange: (value: boolean) => void
  fault?: string | undefined
}

/** One of a few words. `words` says how each is called. */
export const ChoiceInput = ({ value, onChange, options, hasNone, ...given }: ChoiceProps) => (
  <span className="select">
    <select {...about(given)} value={value ?? ''} onChange={(event) => onChange(event.target.value || null)}>
      {(hasNone ?? !given.required) && <option value="">{t('none')}</option>}
      {options.map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </select>
    <Icon name="down" className="caret" />
  </span>
)
type ChoiceProps = InputProps<string | null> & {
  options: readonly (readonly [value: string, label: string])[]
  /** Whether none of them may be chosen; without it, where one is not required. */
  hasNone?: boolean
}

/** A date and a time by the clock of `zone`; the value is an instant in UTC. */
export const InstantInput = ({ value, onChange, zone, ...given }: InputProps<string | null> & { zone: string }) => (
  <span className={classOf(given.wrong)}>
    <input
      {...about(given)}
      type="datetime-local"
      value={value === null ? '' : wallTimeOf(value, zone)}
      onChange={(event) => onChange(event.target.value === '' ? null : instantOf(event.target.value, zone))}
    />
  </span>
)

/** `2026-11-22T09:15` as clocks in the zone show it. */
export function wallTimeOf(instant: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', ...wallParts }).formatToParts(
    new Date(instant),
  )
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`
}
const wallParts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const

/** The instant at which clocks in the zone show this. An hour that is left out counts on from before; of one that comes twice it is the first. */
export function instantOf(wallTime: string, zone: string): string {
  const wanted = Date.parse(`${wallTime}Z`)
  const offsetAt = (at: number) =>
    Date.parse(`${wallTimeOf(new Date(at).toISOString(), zone)}Z`) - Math.floor(at / 60_000) * 60_000
  // The offset before the wanted time by a day, so that the first of two equal hours is taken.
  const earlier = wanted - offsetAt(wanted - 86_400_000)
  if (earlier + offsetAt(earlier) === wanted) return iso(earlier)
  const later = wanted - offsetAt(wanted + 86_400_000)
  return iso(later + offsetAt(later) === wanted ? later : earlier)
}

const iso = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
