import { useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { fillFile } from './acts.ts'
import { cameraDraft, closedCamera, openedCamera, wasCameraOpen } from './camera.ts'
import { fileEntry } from './missing.ts'
import { Say } from './parts.tsx'
import { scaled } from './photo.ts'
import { PhotoView } from './photo-view.tsx'
import { ReceiptWords } from './receipts.tsx'
import { currentPhone, type Field, type Job } from './store.ts'
import { tell } from './toast.tsx'

/** A photo is kept as soon as it is taken; what is drawn on it, or another try, takes its place. */
export function Photo({ job, field }: { job: Job; field: Field }) {
  const entry = fileEntry(job, field)
  const local = usePicture(entry?.id)
  const [trouble, setTrouble] = useState<'unreadable' | 'full' | 'closed' | null>(null)
  const [isOpen, setOpen] = useState(false)
  const picture = local ?? (field.attachment_id ? `v5/attachments/${field.attachment_id}.jpeg` : null)
  const fieldId = String(field.id)
  useEffect(() => {
    void wasCameraOpen(fieldId).then((wasOpen) => wasOpen && setTrouble('closed'))
  }, [fieldId])

  const keep = async (bytes: ArrayBuffer) => {
    setOpen(false)
    try {
      await currentPhone().act([fillFile(job, field, bytes, 'image/jpeg')], cameraDraft)
      tell(t('Photo kept'))
    } catch {
      await closedCamera()
      setTrouble('full')
    }
  }
  /** Until it is kept, the camera counts as open: whoever ends the app meanwhile ends the photo. */
  const take = async (file: File | undefined) => {
    setTrouble(null)
    const bytes = file && (await scaled(file).catch(() => null))
    if (bytes) return keep(bytes)
    await closedCamera()
    if (file) setTrouble('unreadable')
  }
  const caption = (
    <span className="cap2">
      <b>{field.name}</b>
      {entry && (
        <span>
          <ReceiptWords id={entry.id} />
        </span>
      )}
      {!picture && field.permission === 'required' && (
        <span>
          <em className="need">{t('Needed')}</em>
        </span>
      )}
    </span>
  )
  return (
    <>
      <div className="photos">
        {picture ? (
          <button type="button" className="photo" onClick={() => setOpen(true)}>
            <span className="img">
              <img src={picture} alt={t('Look at {name}', { name: field.name })} />
            </span>
            {caption}
          </button>
        ) : (
          <Pick isCamera job={job} field={field} onPicked={take}>
            <span className="img">
              <Icon name="camera" size="l" />
              {t('Take photo')}
            </span>
            {caption}
          </Pick>
        )}
        <Pick isCamera={picture !== null} job={job} field={field} onPicked={take}>
          <span className="img">
            <Icon name={picture ? 'camera' : 'file'} size="l" />
            {picture ? t('Take another') : t('From the gallery')}
          </span>
        </Pick>
      </div>
      {trouble && <Trouble trouble={trouble} />}
      {isOpen && picture && (
        <PhotoView title={field.name} picture={picture} onDrawn={keep} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

interface PickProps {
  isCamera: boolean
  job: Job
  field: Field
  onPicked: (file: File | undefined) => void
  children: React.ReactNode
}

/** The camera or the gallery of the phone. */
function Pick({ isCamera, job, field, onPicked, children }: PickProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const { current } = input
    const cancel = () => void closedCamera()
    current?.addEventListener('cancel', cancel)
    return () => current?.removeEventListener('cancel', cancel)
  }, [])
  return (
    <label className="photo none">
      {children}
      <input
        ref={input}
        type="file"
        accept="image/*"
        {...(isCamera && { id: `f-${field.id}`, capture: 'environment' as const })}
        onClick={() => openedCamera(job, String(field.id))}
        onChange={(event) => onPicked(event.target.files?.[0])}
      />
    </label>
  )
}

function Trouble({ trouble }: { trouble: 'unreadable' | 'full' | 'closed' }) {
  if (trouble === 'unreadable')
    return (
      <Say how="warn" head={t('This picture can’t be opened.')}>
        <span>{t('Take it again or choose another.')}</span>
      </Say>
    )
  if (trouble === 'full')
    return (
      <Say how="no" head={t('This phone is full. The photo was not kept.')}>
        <span>{t('Make room on the phone, then take it again.')}</span>
      </Say>
    )
  return (
    <Say how="warn" head={t('The phone closed Muster while the camera was open.')}>
      <span>{t('The photo did not arrive here. Take it again.')}</span>
    </Say>
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
