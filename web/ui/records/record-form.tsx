import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Field, RecordType, Shown } from '../../../src/fields/index.ts'
import { ApiError, type Written } from '../../client/index.ts'
import { Button } from '../button.tsx'
import { FieldInput } from '../fields/field-input.tsx'
import { Verdict } from '../marks.tsx'
import { useUnsaved } from '../unsaved.ts'
import { t } from '../words.ts'
import { useRecords } from './context.tsx'
import { labelOf } from './labels.ts'

/** A field by its name; of a part, with those of its fields that are asked for. */
export type FormField = string | readonly [part: string, fields: readonly string[]]

/** What an input that a screen brings along is given. */
export interface OwnInput {
  label: string
  value: unknown
  onChange: (value: unknown) => void
  /** What is wrong with it, in the server's words. */
  fault: string | undefined
}

export interface FormProps<R extends RecordType> {
  record: R
  fields: readonly FormField[]
  /** What is changed; null for a new one. */
  row: Shown<R> | null
  etag: string | null
  /** What a new one begins with. */
  given?: { [field: string]: unknown } | undefined
  /** The name of the input that has the focus at first. */
  focus?: string | undefined
  /** In place of the input of a field's kind. */
  inputs?: { [field: string]: (props: OwnInput) => ReactNode } | undefined
  onSaved: (written: Written<Shown<R>>) => void
  onCancel: () => void
}

type Values = { [field: string]: unknown }

/** Asks for fields of a record. Only what was changed is sent, and only if nobody has changed the record in between. */
export function RecordForm<R extends RecordType>({
  record,
  fields,
  row,
  etag,
  given = {},
  focus,
  inputs = {},
  onSaved,
  onCancel,
}: FormProps<R>) {
  const { client } = useRecords()
  const [first] = useState<Values>(row ? {} : given)
  const [changed, setChanged] = useState(first)
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const input = focus && form.current?.elements.namedItem(focus)
    if (input instanceof HTMLElement) input.focus()
  }, [focus])
  const saved = useUnsaved(changed !== first)
  const before = (row ?? {}) as Values
  const names = fields.map((field) => (typeof field === 'string' ? field : field[0]))

  async function save(ifMatch: string | null) {
    setBusy(true)
    setError(null)
    try {
      const draft = changed as Parameters<typeof client.update<R>>[2]
      const written = row
        ? await client.update(record, before.id as never, draft, ifMatch ? { ifMatch } : {})
        : await client.create(record, draft)
      saved()
      onSaved(written)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
      setBusy(false)
    }
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void save(etag)
  }

  const stale = error?.status === 412
  const faultOf = (path: string) => sentenceOf(error, (field) => field === path)
  const elsewhere = stale ? undefined : sentenceOf(error, (field) => !names.some((name) => isUnder(field, name)))
  return (
    <form ref={form} className="form-fields" onSubmit={onSubmit} noValidate>
      {elsewhere && <Verdict kind="no">{elsewhere}</Verdict>}
      {stale && (
        <Verdict kind="warn" title={t('Somebody has changed this in the meantime')}>
          {error.message}{' '}
          <Button small onClick={() => void save(null)}>
            {t('Keep mine')}
          </Button>
        </Verdict>
      )}
      {fields.map((field) => {
        const [name, only] = typeof field === 'string' ? [field] : field
        const value = name in changed ? changed[name] : (before[name] ?? defaultOf(record, name))
        const onChange = (next: unknown) => setChanged({ ...changed, [name]: next })
        const Own = inputs[name]
        if (Own) {
          const label = labelOf(`${record.name}.${name}`)
          return <Own key={name} label={label} value={value} onChange={onChange} fault={faultOf(name)} />
        }
        return (
          <FieldInput
            key={name}
            field={record.fields[name] as Field<unknown>}
            path={name}
            of={record.name}
            only={only}
            value={value}
            onChange={onChange}
            faultOf={faultOf}
          />
        )
      })}
      <div className="line">
        <Button
          kind="primary"
          type="submit"
          busy={busy}
          unless={row && Object.keys(changed).length === 0 && t('Nothing is changed yet')}
        >
          {row ? t('Save') : t('Add')}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  )
}

/** What the server says of some fields, each with what mends it. */
function sentenceOf(error: ApiError | null, of: (field: string) => boolean): string | undefined {
  const faults = error?.faults.filter(({ field }) => of(field ?? '')) ?? []
  return faults.map(({ message, remedy }) => (remedy ? `${message}. ${remedy}` : message)).join('. ') || undefined
}

const isUnder = (field: string, name: string) =>
  field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`)

const defaultOf = ({ fields }: RecordType, name: string) => fields[name]?.default ?? null
