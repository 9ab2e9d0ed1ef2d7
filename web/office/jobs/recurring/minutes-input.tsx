import { LabeledField } from '../../../ui/fields/field.tsx'
import { NumberInput } from '../../../ui/fields/plain.tsx'
import type { OwnInput } from '../../../ui/records/record-form.tsx'
import { t } from '../../../ui/words.ts'

/** How long something takes: people say minutes, the API seconds. */
export const MinutesInput = ({ value, onChange, fault }: OwnInput) => (
  <LabeledField
    label={t('Takes, in minutes')}
    fault={fault}
    hint={t('Without it, as its template says, else an hour.')}
  >
    {(given) => (
      <NumberInput
        {...given}
        whole
        value={value === null || value === undefined ? null : Number(value) / 60}
        onChange={(minutes) => onChange(minutes === null ? null : Math.round(Number(minutes) * 60) || null)}
      />
    )}
  </LabeledField>
)
