import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Draft, Field } from '../../../src/fields/index.ts'
import { job as record } from '../../../src/records/job.ts'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { FieldInput } from '../../ui/fields/field-input.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { t } from '../../ui/words.ts'
import { type Job, useOpenJob } from './open-job.ts'

interface Props<V> {
  /** What is changed: "Notes". */
  label: string
  value: V
  /** `seen` is the value when the form was opened. @throws ApiError, which the form shows */
  save: (value: V, seen: V) => Promise<unknown>
  form: (value: V, set: (value: V) => void) => ReactNode
  /** As it is read. */
  children: ReactNode
}

/** Something that is changed where it is read: a pen opens its form, Enter saves, Escape puts it away. */
export function InPlace<V>({ label, value, save, form, children }: Props<V>) {
  const { mayChange } = useOpenJob()
  const [draft, setDraft] = useState<{ value: V; seen: V } | null>(null)
  useUnsaved(draft !== null && draft.value !== draft.seen)
  const pen = useRef<HTMLButtonElement>(null)
  const close = () => {
    setDraft(null)
    requestAnimationFrame(() => pen.current?.focus())
  }
  if (draft)
    return (
      <Form
        label={label}
        save={async () => {
          await save(draft.value, draft.seen)
          close()
        }}
        onClose={close}
      >
        {form(draft.value, (now) => setDraft({ ...draft, value: now }))}
      </Form>
    )
  return (
    <div className="in-place">
      <div>{children}</div>
      {mayChange && (
        <Button
          ref={pen}
          small
          kind="quiet"
          icon="pen"
          aria-label={t('Change {what}', { what: label })}
          onClick={() => setDraft({ value, seen: value })}
        />
      )}
    </div>
  )
}

interface FormProps {
  label: string
  save: () => Promise<unknown>
  onClose: () => void
  act?: string
  children: ReactNode
}

/** A few fields with what the server says to them; the first has the focus. */
export function Form({ label, save, onClose, act = t('Save'), children }: FormProps) {
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await save()
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose()
    // In a text of several lines Enter is a new one.
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
  }
  return (
    <form ref={form} className="form-fields" aria-label={label} noValidate onSubmit={onSubmit} onKeyDown={onKeyDown}>
      {error && <Faults error={error} />}
      {children}
      <div className="line">
        <Button kind="primary" small type="submit" busy={busy}>
          {act}
        </Button>
        <Button kind="quiet" small onClick={onClose}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  )
}

/** Every sentence of a refusal, each with what mends it. */
export const Faults = ({ error }: { error: ApiError }) =>
  error.faults.map(({ field, code, message, remedy }) => (
    <Verdict key={`${field} ${code} ${message}`} kind="no" title={message}>
      {remedy}
    </Verdict>
  ))

type Name = keyof Job & keyof Draft<typeof record> & string
/** Of a part, with those of its fields that are asked for. */
type Asked = Name | readonly [part: Name, fields: readonly string[]]

/** Fields of the job, changed where they are read. */
export function FieldsInPlace({ label, asked, children }: { label: string; asked: Asked[]; children: ReactNode }) {
  const { job, change } = useOpenJob()
  const names = asked.map(nameOf)
  const value = Object.fromEntries(names.map((name) => [name, job[name]])) as Partial<Job>
  return (
    <InPlace
      label={label}
      value={value}
      save={async (now, seen) => {
        const changed = names.filter((name) => now[name] !== seen[name])
        const only = (all: Partial<Job>) => Object.fromEntries(changed.map((name) => [name, all[name]]))
        if (changed.length > 0)
          await change(only(now) as Draft<typeof record>, only(seen), t('{what} is saved', { what: label }))
      }}
      form={(now, set) =>
        asked.map((one) => (
          <FieldInput
            key={nameOf(one)}
            field={record.fields[nameOf(one)] as Field<unknown>}
            path={nameOf(one)}
            of={record.name}
            value={now[nameOf(one)]}
            onChange={(changed) => set({ ...now, [nameOf(one)]: changed })}
            faultOf={() => undefined}
            only={typeof one === 'string' ? undefined : one[1]}
          />
        ))
      }
    >
      {children}
    </InPlace>
  )
}

const nameOf = (asked: Asked): Name => (typeof asked === 'string' ? asked : asked[0])
