import type { ReactNode } from 'react'
import type { Field } from '../../../src/fields/kind.ts'
import { Button } from '../button.tsx'
import { useRecords } from '../records/context.tsx'
import { labelOf } from '../records/labels.ts'
import type { Id } from '../records/names.ts'
import { t } from '../words.ts'
import { LabeledField } from './field.tsx'
import { DatedLinks } from './links.tsx'
import { RecordPicker, RecordsPicker } from './picker.tsx'
import { ChoiceInput, FlagInput, InstantInput, LinesInput, LongTextInput, NumberInput, TextInput } from './plain.tsx'

interface Props {
  field: Field<unknown>
  /** `delivery_contact.email`: as the server names it in a fault. */
  path: string
  /** The record that it is a field of. */
  of: string
  value: unknown
  onChange: (value: unknown) => void
  faultOf: (path: string) => string | undefined
  /** Of a part: those of its fields that are asked for; without it, all that somebody may write. */
  only?: readonly string[] | undefined
}

/** The one input for each kind of field, with its label and what is wrong with it. */
export function FieldInput(props: Props): ReactNode {
  const { field, path, of, value, onChange, faultOf } = props
  const { zone } = useRecords()
  const label = labelOf(`${of}.${path}`)
  const fault = faultOf(path)
  if (field.kind === 'part') return <PartInput {...props} />
  if (field.shape === 'array') return <ItemsInput {...props} />
  if (field.kind === 'flag') return <FlagInput label={label} value={value === true} onChange={onChange} fault={fault} />
  return (
    <LabeledField label={label} fault={fault} required={field.required} hint={hintOf(field.kind, zone)}>
      {(given) => {
        const all = { ...given, onChange }
        switch (field.kind) {
          case 'email':
            return <TextInput {...all} value={textIn(value)} type="email" max={field.max} />
          case 'secret':
            return <TextInput {...all} value={textIn(value)} type="password" />
          case 'link':
            return <TextInput {...all} value={textIn(value)} type="url" />
          case 'integer':
            return <NumberInput {...all} value={textIn(value)} whole />
          case 'decimal':
          case 'price':
            return <NumberInput {...all} value={textIn(value)} />
          case 'choice':
            return (
              <ChoiceInput
                {...all}
                value={textIn(value ?? field.default)}
                options={optionsOf(field, path)}
                // What is one of them where nothing is said can't be none of them.
                hasNone={!field.required && field.default === undefined}
              />
            )
          case 'instant':
            return <InstantInput {...all} value={textIn(value)} zone={zone} />
          case 'ref':
            return <RecordPicker {...all} value={(value ?? null) as Id | null} target={field.target ?? ''} />
          case 'ids':
            return <RecordsPicker {...all} value={(value ?? []) as Id[]} target={field.target ?? ''} />
          case 'texts':
            return <LinesInput {...all} value={(value ?? []) as string[]} />
          case 'links':
            return <DatedLinks {...all} value={(value ?? []) as never} target={field.target ?? ''} zone={zone} />
          default:
            return field.max === undefined ? (
              <LongTextInput {...all} value={textIn(value)} />
            ) : (
              <TextInput {...all} value={textIn(value)} max={field.max} />
            )
        }
      }}
    </LabeledField>
  )
}

/** An object inside of a record: its fields under its name. */
function PartInput({ field, path, of, value, onChange, faultOf, only }: Props) {
  const part = (value ?? {}) as { [name: string]: unknown }
  const inner = Object.entries(field.fields ?? {}).filter(([name, { server, internal, auto }]) =>
    only ? only.includes(name) : !server && !internal && !auto,
  )
  return (
    <fieldset className="part">
      <legend className="label">{labelOf(`${of}.${path}`)}</legend>
      {inner.map(([name, one]) => (
        <FieldInput
          key={name}
          field={one}
          path={`${path}.${name}`}
          of={of}
          value={part[name] ?? null}
          onChange={(now) => onChange({ ...part, [name]: now })}
          faultOf={faultOf}
        />
      ))}
    </fieldset>
  )
}

/** A few small objects, such as spans of a week: a row of inputs for each. */
function ItemsInput({ field, path, of, value, onChange, faultOf }: Props) {
  const items = (value ?? []) as { [name: string]: unknown }[]
  const label = labelOf(`${of}.${path}`)
  const inner = Object.entries(field.fields ?? {}).filter(
    ([, { server, internal, auto }]) => !server && !internal && !auto,
  )
  return (
    <fieldset className="part">
      <legend className="label">{label}</legend>
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have nothing but their place
        <div key={i} className="item">
          {inner.map(([name, one]) => (
            <FieldInput
              key={name}
              field={one}
              path={`${path}[${i}].${name}`}
              of={of}
              value={item[name] ?? null}
              onChange={(now) => onChange(items.with(i, { ...item, [name]: now }))}
              faultOf={faultOf}
            />
          ))}
          <Button
            small
            kind="quiet"
            icon="x"
            aria-label={t('Take row {number} of {what} away', { number: i + 1, what: label })}
            onClick={() => onChange(items.toSpliced(i, 1))}
          />
        </div>
      ))}
      <div className="line">
        {/* Most days are like the one before. */}
        <Button small icon="plus" onClick={() => onChange([...items, { ...items.at(-1) }])}>
          {t('Add to {what}', { what: label })}
        </Button>
      </div>
    </fieldset>
  )
}

const textIn = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

const optionsOf = ({ schema }: Field<unknown>, path: string) =>
  ((schema.enum ?? []) as string[]).map((word) => [word, labelOf(`${path}.${word}`)] as const)

const hintOf = (kind: string, zone: string) => (kind === 'instant' ? t('By the clock of {zone}', { zone }) : undefined)
