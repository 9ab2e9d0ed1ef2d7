import { t } from '../ui/words.ts'
import { fillFile } from './acts.ts'
import { ChoiceInput, InstantInput, NumberInput, TextInput } from './inputs.tsx'
import { SignatureScreen } from './signature.tsx'
import { currentPhone, type Field, type Job } from './store.ts'
import { tell } from './toast.tsx'

interface InputProps {
  job: Job
  field: Field
  /** Where the draft is kept. */
  place: string
  onSave: (value: string | null) => void
  onClose: () => void
}

/** The sheet in which a field is filled in, by its type. */
export function FieldInput(props: InputProps) {
  const { job, field, place, onClose } = props
  const input = {
    place,
    title: field.name,
    value: field.value ?? null,
    onClose,
    onSave: props.onSave,
  }
  const options = (field.options ?? []).map((option) => String((option as { name?: string }).name ?? option))
  if (field.type === 'number' || field.type === 'currency') return <NumberInput {...input} />
  if (field.type === 'datetime') return <InstantInput {...input} />
  if (field.type === 'pick_list' && options.length > 0) return <ChoiceInput {...input} options={options} />
  if (field.type === 'multi_pick_list' && options.length > 0)
    return <ChoiceInput {...input} options={options} several />
  if (field.type === 'signature')
    return (
      <SignatureScreen
        title={field.name}
        onClose={onClose}
        onSigned={async (bytes) => {
          onClose()
          await currentPhone().act([fillFile(job, field, bytes, 'image/png')])
          tell(t('Signature kept'))
        }}
      />
    )
  return <TextInput {...input} />
}
