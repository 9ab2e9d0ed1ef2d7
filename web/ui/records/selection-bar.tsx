import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Field, RecordType, Shown } from '../../../src/fields/index.ts'
import { ApiError } from '../../client/index.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { FieldInput } from '../fields/field-input.tsx'
import { Verdict } from '../marks.tsx'
import { toast } from '../toast.tsx'
import { t } from '../words.ts'
import { useRecords } from './context.tsx'
import { labelOf } from './labels.ts'
import type { Id } from './names.ts'
import { nameOf } from './selection.ts'
import { undo } from './undo.ts'

/** A write to one of the selected rows. */
interface RowWrite<R extends RecordType> {
  row: Shown<R>
  method: 'PATCH' | 'DELETE'
  body?: object
}

export interface SelectionProps<R extends RecordType> {
  record: R
  rows: Shown<R>[]
  /** Fields that are set, or added to, in all of them at once. */
  fields: string[]
  /** What a screen can do with them beside that. */
  acts?: ((rows: Shown<R>[], done: () => void) => ReactNode) | undefined
  clear: () => void
}

/** What can be done with the selected rows: each deed is one, kept whole or not at all, with one Undo. */
export function SelectionBar<R extends RecordType>({ record, rows, fields, acts, clear }: SelectionProps<R>) {
  const { client, mayChange } = useRecords()
  const queries = useQueryClient()
  const [asking, setAsking] = useState<string | null>(null)
  const [refused, setRefused] = useState<Refused<R> | null>(null)
  const refresh = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(record.name) })
  const done = () => {
    clear()
    void refresh()
  }
  async function write(writes: RowWrite<R>[], says: (count: number) => string) {
    setAsking(null)
    setRefused(null)
    const requests = writes.map(({ row, method, body }) => ({
      method,
      path: `/v5${record.path}/${idOf(row)}.json`,
      body,
    }))
    try {
      const { callId } = await client.request('POST', 'batch', { body: { batch: { atomic: true, requests } } })
      done()
      toast({
        title: says(writes.length),
        action: { label: t('Undo'), run: () => void undo(client, callId).then(refresh) },
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefused({ error, writes, says })
    }
  }
  if (rows.length === 0) return null
  const count = rows.length
  return (
    <div className="selection-bar" role="toolbar" aria-label={t('Selected entries')}>
      <b>{t('{count} selected', { count })}</b>
      {mayChange(record) && (
        <>
          {fields.map((name) => (
            <Button key={name} small onClick={() => setAsking(name)}>
              {t('{field} …', { field: labelOf(`${record.name}.${name}`) })}
            </Button>
          ))}
          {acts?.(rows, done)}
          <Button
            small
            kind="danger"
            icon="trash"
            onClick={() =>
              void write(
                rows.map((row) => ({ row, method: 'DELETE' })),
                (count) => t('{count} deleted', { count }),
              )
            }
          >
            {t('Delete')}
          </Button>
        </>
      )}
      <Button small kind="quiet" icon="x" aria-label={t('Clear the selection')} onClick={clear} />
      {asking && (
        <Ask
          record={record}
          name={asking}
          count={count}
          onClose={() => setAsking(null)}
          onGiven={async (change) => {
            // As they are now: what was selected a while ago may have changed since.
            const ids = rows.map(idOf)
            const { rows: fresh } = await client.list(record, { ids, per_page: count })
            const writes = fresh.map((row) => {
              const value = (row as { [name: string]: unknown })[asking]
              return { row, method: 'PATCH' as const, body: { [record.name]: { [asking]: change(value) } } }
            })
            await write(writes, (count) => t('{count} changed', { count }))
          }}
        />
      )}
      {refused && (
        <RefusedDialog
          {...refused}
          record={record}
          onClose={() => setRefused(null)}
          onOthers={(writes) => void write(writes, refused.says)}
        />
      )}
    </div>
  )
}

const idOf = (row: unknown) => (row as { id: Id }).id

interface AskProps<R extends RecordType> {
  record: R
  name: string
  count: number
  onClose: () => void
  /** Makes the value of each row out of what it is. */
  onGiven: (change: (value: unknown) => unknown) => Promise<void>
}

/** The value for all of them; of lists, what is added to each or taken from it. */
function Ask<R extends RecordType>({ record, name, count, onClose, onGiven }: AskProps<R>) {
  const [value, setValue] = useState<unknown>(null)
  const field = record.fields[name] as Field<unknown>
  const given = (value ?? []) as Id[]
  const isList = field.kind === 'ids'
  const isEmpty = isList && given.length === 0 && t('Nothing is chosen yet')
  return (
    <Dialog
      open
      title={t('{field} of {count}', { field: labelOf(`${record.name}.${name}`), count })}
      onClose={onClose}
      foot={
        isList ? (
          <>
            <Button onClick={onClose}>{t('Cancel')}</Button>
            <Button
              unless={isEmpty}
              onClick={() => void onGiven((now) => (now as Id[]).filter((id) => !given.includes(id)))}
            >
              {t('Take from all')}
            </Button>
            <Button
              kind="primary"
              unless={isEmpty}
              onClick={() => void onGiven((now) => [...new Set([...(now as Id[]), ...given])])}
            >
              {t('Add to all')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{t('Cancel')}</Button>
            <Button kind="primary" onClick={() => void onGiven(() => value)}>
              {t('Set for all')}
            </Button>
          </>
        )
      }
    >
      <FieldInput
        field={field}
        path={name}
        of={record.name}
        value={value}
        onChange={setValue}
        faultOf={() => undefined}
      />
    </Dialog>
  )
}

interface Refused<R extends RecordType> {
  error: ApiError
  writes: RowWrite<R>[]
  says: (count: number) => string
}

/** Which of them stand in the way, and why; the others can be done without. */
function RefusedDialog<R extends RecordType>(
  props: Refused<R> & { record: R; onClose: () => void; onOthers: (writes: RowWrite<R>[]) => void },
) {
  const { error, writes, record, onClose, onOthers } = props
  const wrong = new Set(error.faults.flatMap(({ request }) => request ?? []))
  const others = writes.filter((_, i) => !wrong.has(i))
  return (
    <Dialog
      open
      alert
      title={t('Nothing was changed')}
      onClose={onClose}
      foot={
        <>
          <Button {...(others.length === 0 && { kind: 'primary' as const })} onClick={onClose}>
            {t('Leave it as it is')}
          </Button>
          {wrong.size > 0 && others.length > 0 && (
            <Button kind="primary" onClick={() => onOthers(others)}>
              {t('Do the other {count}', { count: others.length })}
            </Button>
          )}
        </>
      }
    >
      {error.faults.map(({ request, field, code, message, remedy }) => {
        const row = request === undefined ? undefined : writes[request]?.row
        return (
          <Verdict
            key={`${request} ${field} ${code}`}
            kind="no"
            title={row ? t('{name}: {message}', { name: nameOf(record, row), message }) : message}
          >
            {remedy}
          </Verdict>
        )
      })}
    </Dialog>
  )
}
