import { useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { fieldPath, fill } from './acts.ts'
import { anchorOf, TwoValues, useDisputes } from './conflict.tsx'
import { FieldInput } from './field-input.tsx'
import { askedFields, fileEntry, isFilled, missing } from './missing.ts'
import { Card } from './parts.tsx'
import { Photo } from './photo-field.tsx'
import { ReceiptWords } from './receipts.tsx'
import { currentPhone, type Field, type Job, useFormats, useShown } from './store.ts'
import { tell } from './toast.tsx'

const kinds: { [type: string]: IconName } = {
  text: 'pen',
  location: 'map',
  number: 'keyboard',
  currency: 'keyboard',
  datetime: 'calendar',
  pick_list: 'filter',
  multi_pick_list: 'filter',
  signature: 'sign',
  link: 'link',
}

export function Fields({ job }: { job: Job }) {
  const [openId, setOpenId] = useState<Field['id'] | null>(null)
  const fields = askedFields(job)
  const disputes = useDisputes(job)
  const open = fields.find(({ id }) => id === openId)
  const left = missing(job).length
  if (fields.length === 0) return null
  const close = () => setOpenId(null)
  const save = async (value: string | null) => {
    if (!open) return
    close()
    await currentPhone().act([fill(job, open, value)], fieldPath(job, open))
  }
  return (
    <Card
      kind="sec"
      flush
      head={
        <>
          <h2 id="fields">{t('Fields')}</h2>
          {left > 0 && <span className="end bold">{t('{left} still needed', { left })}</span>}
        </>
      }
    >
      {fields.map((field) => {
        const dispute = disputes.find((one) => anchorOf(one) === `f-${field.id}`)
        return dispute ? (
          <TwoValues key={field.id} dispute={dispute} />
        ) : (
          <Slip key={field.id} job={job} field={field} onOpen={() => setOpenId(field.id)} />
        )
      })}
      {open && <FieldInput job={job} field={open} place={fieldPath(job, open)} onSave={save} onClose={close} />}
    </Card>
  )
}

function Slip({ job, field, onOpen }: { job: Job; field: Field; onOpen: () => void }) {
  const { type, name, value } = field
  const id = `f-${field.id}`
  if (type === 'header') return <h3 className="grp">{name}</h3>
  if (type === 'image') return <Photo job={job} field={field} />
  const isClosed = field.permission === 'read_only'
  const filled = isFilled(job, field)
  const mark = <Mark job={job} path={`custom_fields[${field.id}].value`} />
  const label = (
    <span className="l">
      {name}
      {field.permission === 'required' && !filled && <em className="need">{t('Needed')}</em>}
    </span>
  )
  if (type === 'checkbox' && !isClosed)
    return (
      // biome-ignore lint/a11y/useSemanticElements: the whole slip is what is touched
      <button
        type="button"
        id={id}
        className={value === 'true' ? 'fld full' : 'fld'}
        role="checkbox"
        aria-checked={value === 'true'}
        onClick={async () => {
          await currentPhone().act([fill(job, field, value === 'true' ? 'false' : 'true')])
          tell(value === 'true' ? t('{name}: no', { name }) : t('{name}: yes', { name }))
        }}
      >
        <span>
          {label}
          <span className="v">{value === 'true' ? t('Yes') : t('Not ticked')}</span>
          {mark}
        </span>
        <span className="box">
          <Icon name="check" />
        </span>
      </button>
    )
  const content = (
    <>
      <span>
        {label}
        <span className={filled ? 'v' : 'v ph'}>{filled ? <Value field={field} /> : t('Empty')}</span>
        {type === 'signature' ? <SignatureMark job={job} field={field} /> : mark}
      </span>
      <span className="kind">
        <Icon name={isClosed ? 'lock' : (kinds[type] ?? 'pen')} />
      </span>
    </>
  )
  if (isClosed)
    return (
      <div id={id} className="fld ro full">
        {content}
      </div>
    )
  return (
    <button
      type="button"
      id={id}
      className={`fld ${filled ? 'full' : ''} ${field.show_when ? 'if' : ''}`}
      onClick={onOpen}
    >
      {content}
    </button>
  )
}

function Value({ field: { type, value } }: { field: Field }) {
  const { dateTime } = useFormats()
  if (type === 'signature') return <>{t('Signed')}</>
  if (type === 'datetime' && value) return <>{dateTime(value)}</>
  if (type === 'checkbox') return <>{value === 'true' ? t('Yes') : t('No')}</>
  if (type === 'link' && value)
    return (
      <a className="link" href={value} rel="noreferrer" target="_blank">
        {value}
      </a>
    )
  return <>{value}</>
}

/** Quiet when well: only what has not arrived carries a mark. `path` is that of a change, as `custom_fields[12].value`. */
export function Mark({ job, path }: { job: Job; path: string }) {
  const entry = useShown().entries.findLast(
    ({ effects = [], state, lane }) =>
      lane === `jobs/${job.id}` &&
      (state === 'waiting' || state === 'refused') &&
      effects.some((effect) => 'changes' in effect && effect.changes.some((change) => change.path === path)),
  )
  return entry ? (
    <span className="after">
      <ReceiptWords id={entry.id} />
    </span>
  ) : null
}

function SignatureMark({ job, field }: { job: Job; field: Field }) {
  const file = fileEntry(job, field)
  return file && !file.receipt ? (
    <span className="after">
      <ReceiptWords id={file.id} />
    </span>
  ) : null
}
