import { Icon } from '../icon.tsx'
import { type Id, useNames } from '../records/names.ts'
import { t } from '../words.ts'
import type { InputProps } from './field.tsx'
import { RecordsPicker } from './picker.tsx'
import { instantOf, wallTimeOf } from './plain.tsx'

interface Link {
  id: Id
  expires_at: string | null
}

/** Records that are held until a day, as qualifications are: each with its date, and a place to type for more. */
export function DatedLinks({
  target,
  value,
  onChange,
  zone,
  ...given
}: InputProps<Link[]> & { target: string; zone: string }) {
  const nameOf = useNames({ [target]: value.map(({ id }) => id) })
  const set = (id: Id, expires_at: string | null) =>
    onChange(value.map((link) => (link.id === id ? { id, expires_at } : { id: link.id, expires_at: link.expires_at })))
  return (
    <div className="dated">
      {value.map(({ id, expires_at }) => {
        const name = nameOf(target, id) ?? '…'
        return (
          <div key={id} className="line">
            <span className="push clip" dir="auto">
              {name}
            </span>
            <span className="input">
              <input
                type="date"
                name={`${target}-${id}`}
                aria-label={t('{name}, until', { name })}
                value={expires_at === null ? '' : wallTimeOf(expires_at, zone).slice(0, 10)}
                onChange={({ target: { value: day } }) => set(id, day === '' ? null : instantOf(`${day}T23:59`, zone))}
              />
            </span>
            <button
              type="button"
              className="btn quiet small only"
              aria-label={t('Take {name} away', { name })}
              onClick={() => onChange(value.filter((link) => link.id !== id))}
            >
              <Icon name="x" />
            </button>
          </div>
        )
      })}
      <RecordsPicker
        {...given}
        target={target}
        value={[]}
        without={value.map(({ id }) => id)}
        onChange={([id]) => id !== undefined && onChange([...value, { id, expires_at: null }])}
      />
    </div>
  )
}
