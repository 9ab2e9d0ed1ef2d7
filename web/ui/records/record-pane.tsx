import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Field, RecordType, Shown } from '../../../src/fields/index.ts'
import { Button } from '../button.tsx'
import { Verdict } from '../marks.tsx'
import { toast } from '../toast.tsx'
import { Skeleton } from '../told.tsx'
import { t } from '../words.ts'
import { useRecords } from './context.tsx'
import { labelOf } from './labels.ts'
import { type Id, useNames } from './names.ts'
import { type FormField, type FormProps, RecordForm } from './record-form.tsx'
import { undo } from './undo.ts'
import { idsIn, Value } from './value.tsx'

/** What a screen has an input of its own for, it shows by itself as well. */
interface Props<R extends RecordType> extends Pick<FormProps<R>, 'given' | 'inputs'> {
  record: R
  /** `new` for one that is being made. */
  id: Id | 'new'
  fields: readonly FormField[]
  /** What it is called in sentences: "New tag". */
  newTitle: string
  onOpen: (id: Id) => void
  onClose: () => void
  /** Whether its form is open, and which input of it has the focus: `form`, or the input's name. */
  edit: string | undefined
  onEdit: (edit: string | undefined) => void
  /** Below what its fields say. */
  children?: (row: Shown<R>) => ReactNode
}

/** One record beside its list: as it is read, and the form that changes it. */
export function RecordPane<R extends RecordType>(props: Props<R>) {
  const { record, id, fields, newTitle, onOpen, onClose } = props
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(record.name) })
  if (id === 'new')
    return (
      <Pane title={newTitle} onClose={onClose}>
        <RecordForm
          record={record}
          fields={fields}
          given={props.given}
          inputs={props.inputs}
          row={null}
          etag={null}
          onCancel={onClose}
          onSaved={async ({ row }) => {
            await changed()
            onOpen((row as { id: Id }).id)
          }}
        />
      </Pane>
    )
  return <Known {...props} id={id} key={id} changed={changed} />
}

interface KnownProps<R extends RecordType> extends Props<R> {
  id: Id
  changed: () => Promise<void>
}

function Known<R extends RecordType>({
  record,
  id,
  fields,
  inputs,
  onClose,
  children,
  edit,
  onEdit,
  changed,
}: KnownProps<R>) {
  const { client, mayChange } = useRecords()
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['one', record.name, id],
    queryFn: ({ signal }) => client.find(record, id as never, { signal }),
  })
  if (error)
    return (
      <Pane title={t('This can’t be shown')} onClose={onClose}>
        <Verdict kind="no">{error.message}</Verdict>
      </Pane>
    )
  const row = data?.row as { [name: string]: unknown } | undefined
  const title = row ? String(row[record.title]) : ''
  const remove = async () => {
    const { callId } = await client.delete(record, id as never)
    onClose()
    queries.removeQueries({ queryKey: ['one', record.name, id] })
    await changed()
    toast({
      title: t('{name} is deleted', { name: title }),
      action: { label: t('Undo'), run: () => void undo(client, callId).then(changed) },
    })
  }
  return (
    <Pane
      title={title}
      onClose={onClose}
      actions={
        row &&
        edit === undefined &&
        mayChange(record) && (
          <>
            {!record.without?.includes('update') && (
              <Button small icon="pen" onClick={() => onEdit('form')}>
                {t('Edit')}
              </Button>
            )}
            {!record.without?.includes('delete') && (
              <Button
                small
                kind="quiet"
                icon="trash"
                aria-label={t('Delete {name}', { name: title })}
                onClick={remove}
              />
            )}
          </>
        )
      }
    >
      {!data ? (
        <Skeleton height={80} />
      ) : edit !== undefined && mayChange(record) ? (
        <RecordForm
          record={record}
          fields={fields}
          inputs={inputs}
          row={data.row}
          etag={data.etag}
          focus={edit}
          onCancel={() => onEdit(undefined)}
          onSaved={async ({ callId }) => {
            await changed()
            onEdit(undefined)
            toast({
              title: t('{name} is saved', { name: title }),
              action: { label: t('Undo'), run: () => void undo(client, callId).then(changed) },
            })
          }}
        />
      ) : (
        <>
          <Details
            record={record}
            row={data.row}
            names={namesOf(fields).filter((name) => !inputs?.[name] && !record.fields[name]?.writeOnly)}
          />
          {children?.(data.row)}
        </>
      )}
    </Pane>
  )
}

const namesOf = (fields: readonly FormField[]) => fields.map((field) => (typeof field === 'string' ? field : field[0]))

/** Labels and values, of these fields. */
export function Details<R extends RecordType>({
  record,
  row,
  names,
}: {
  record: R
  row: Shown<R>
  names: readonly string[]
}) {
  const values = row as { [name: string]: unknown }
  const ids: { [target: string]: Id[] } = {}
  for (const name of names) {
    const { target } = record.fields[name] ?? {}
    const value = values[name]
    if (target && value !== null && value !== undefined)
      ids[target] = [...(ids[target] ?? []), ...(Array.isArray(value) ? idsIn(value) : [value as Id])]
  }
  const nameOf = useNames(ids)
  return (
    <dl className="kv">
      {names.map((name) => (
        <div key={name}>
          <dt>{labelOf(`${record.name}.${name}`)}</dt>
          <dd>
            <Value
              field={record.fields[name] as Field<unknown>}
              path={`${record.name}.${name}`}
              value={values[name]}
              nameOf={nameOf}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Pane = ({
  title,
  actions,
  onClose,
  children,
}: {
  title: string
  actions?: ReactNode
  onClose: () => void
  children: ReactNode
}) => (
  <aside className="pane" aria-label={title}>
    <header className="pane-head">
      <h2 className="h2 clip" dir="auto">
        {title}
      </h2>
      <span className="push" />
      {actions}
      <Button small kind="quiet" icon="x" aria-label={t('Close')} onClick={onClose} />
    </header>
    <div className="pane-in">{children}</div>
  </aside>
)
