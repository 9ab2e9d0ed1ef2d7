import { useEffect, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { fill, fillFile } from './acts.ts'
import { ChoiceInput, InstantInput, NumberInput, TextInput } from './inputs.tsx'
import { ReceiptWords } from './job.tsx'
import { askedFields, fileEntry, isFilled, missing } from './missing.ts'
import { Card, Say, tell } from './parts.tsx'
import { scaled } from './photo.ts'
import { SignatureScreen } from './signature.tsx'
import { currentPhone, type Field, type Job, useFormats, useShown } from './store.ts'

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
  const open = fields.find(({ id }) => id === openId)
  const left = missing(job).length
  if (fields.length === 0) return null
  const close = () => setOpenId(null)
  const save = async (value: string | null) => {
    if (!open) return
    close()
    await currentPhone().act([fill(job, open, value)], placeOf(job, open))
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
      {fields.map((field) => (
        <Slip key={field.id} job={job} field={field} onOpen={() => setOpenId(field.id)} />
      ))}
      {open && <Input job={job} field={open} onSave={save} onClose={close} />}
    </Card>
  )
}

export const placeOf = (job: Job, field: Field) => `jobs/${job.id}/custom_fields/${field.id}`

function Slip({ job, field, onOpen }: { job: Job; field: Field; onOpen: () => void }) {
  const { type, name, value } = field
  const id = `f-${field.id}`
  if (type === 'header') return <h3 className="grp">{name}</h3>
  if (type === 'image') return <Photo job={job} field={field} />
  const isClosed = field.permission === 'read_only'
  const filled = isFilled(job, field)
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
          <Mark job={job} field={field} />
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
        <Mark job={job} field={field} />
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

/** Quiet when well: only what has not arrived carries a mark. */
function Mark({ job, field }: { job: Job; field: Field }) {
  const path = `custom_fields[${field.id}].value`
  const entry = useShown().entries.findLast(
    ({ effect, state, lane }) =>
      lane === `jobs/${job.id}` &&
      state !== 'received' &&
      effect &&
      'changes' in effect &&
      effect.changes.some((change) => change.path === path),
  )
  const file = field.type === 'signature' ? fileEntry(job, field) : undefined
  const shown = entry ?? (file?.receipt ? undefined : file)
  return shown ? (
    <span className="after">
      <ReceiptWords id={shown.id} />
    </span>
  ) : null
}

interface InputProps {
  job: Job
  field: Field
  onSave: (value: string | null) => void
  onClose: () => void
}

function Input(props: InputProps) {
  const { job, field, onClose } = props
  const input = {
    place: placeOf(job, field),
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

function Photo({ job, field }: { job: Job; field: Field }) {
  const entry = fileEntry(job, field)
  const local = usePicture(entry?.id)
  const [isUnreadable, setUnreadable] = useState(false)
  const picture = local ?? (field.attachment_id ? `v5/attachments/${field.attachment_id}.jpeg` : null)
  const take = async (file: File | undefined) => {
    if (!file) return
    setUnreadable(false)
    const bytes = await scaled(file).catch(() => null)
    if (!bytes) return setUnreadable(true)
    await currentPhone().act([fillFile(job, field, bytes, 'image/jpeg')])
    tell(t('Photo kept'))
  }
  const tile = (isCamera: boolean) => (
    <label className={picture && isCamera ? 'photo' : 'photo none'}>
      <span className="img">
        {picture && isCamera ? (
          <img src={picture} alt={field.name} />
        ) : (
          <>
            <Icon name={isCamera ? 'camera' : 'file'} size="l" />
            {isCamera ? t('Take photo') : t('From the gallery')}
          </>
        )}
      </span>
      <span className="cap2">
        <b>{field.name}</b>
        {isCamera && entry && (
          <span>
            <ReceiptWords id={entry.id} />
          </span>
        )}
        {isCamera && !picture && field.permission === 'required' && (
          <span>
            <em className="need">{t('Needed')}</em>
          </span>
        )}
      </span>
      <input
        type="file"
        accept="image/*"
        {...(isCamera && { id: `f-${field.id}`, capture: 'environment' as const })}
        onChange={(event) => take(event.target.files?.[0])}
      />
    </label>
  )
  return (
    <>
      <div className="photos">
        {tile(true)}
        {tile(false)}
      </div>
      {isUnreadable && (
        <Say how="warn" head={t('This picture can’t be opened.')}>
          <span>{t('Take it again or choose another.')}</span>
        </Say>
      )}
    </>
  )
}

/** The picture that is on this phone, as long as it is. */
function usePicture(id: string | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let made: string | null = null
    let isGone = false
    if (id)
      void currentPhone()
        .outbox.bytesOf(id)
        .then((bytes) => {
          if (!bytes || isGone) return
          made = URL.createObjectURL(new Blob([bytes]))
          setUrl(made)
        })
    return () => {
      isGone = true
      setUrl(null)
      if (made) URL.revokeObjectURL(made)
    }
  }, [id])
  return url
}
