import { joinQuoted, splitQuoted } from '../../../src/fields/quoted.ts'
import { LabeledField } from '../../ui/fields/field.tsx'
import { ChoiceInput, FlagInput, InstantInput, NumberInput, TextInput } from '../../ui/fields/plain.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { t } from '../../ui/words.ts'
import type { Job } from './open-job.ts'

export type CustomField = Job['custom_fields'][number]

interface Props {
  field: CustomField
  value: string | null
  onChange: (value: string | null) => void
}

/** The input of each kind of custom field; all of their values are texts. */
export function CustomFieldInput({ field, value, onChange }: Props) {
  const { zone } = useRecords()
  const { name, type } = field
  const options = field.options ?? []
  if (type === 'checkbox')
    return <FlagInput label={name} value={value === 'true'} onChange={(now) => onChange(String(now))} />
  if (type === 'multi_pick_list' && options.length > 0)
    return <Several name={name} options={options} value={value} onChange={onChange} />
  return (
    <LabeledField label={name} hint={type === 'datetime' ? t('By the clock of {zone}', { zone }) : undefined}>
      {(given) => {
        const all = { ...given, value, onChange }
        if (type === 'number' || type === 'currency')
          return <NumberInput {...all} onChange={(now) => onChange(text(now))} />
        if (type === 'datetime') return <InstantInput {...all} zone={zone} />
        if (type === 'pick_list' && options.length > 0)
          return <ChoiceInput {...all} options={options.map((option) => [option, option] as const)} />
        return <TextInput {...all} type={type === 'link' ? 'url' : 'text'} />
      }}
    </LabeledField>
  )
}

const text = (value: string | number | null) => (value === null ? null : String(value))

function Several({ name, options, value, onChange }: Omit<Props, 'field'> & { name: string; options: string[] }) {
  const chosen = value === null ? [] : splitQuoted(value)
  return (
    <fieldset className="part">
      <legend className="label">{name}</legend>
      {options.map((option) => (
        <FlagInput
          key={option}
          label={option}
          value={chosen.includes(option)}
          onChange={(on) => {
            const now = options.filter((one) => (one === option ? on : chosen.includes(one)))
            onChange(now.length === 0 ? null : joinQuoted(now))
          }}
        />
      ))}
    </fieldset>
  )
}
