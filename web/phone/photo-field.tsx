import { useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { fillFile } from './acts.ts'
import { fileEntry } from './missing.ts'
import { Say } from './parts.tsx'
import { scaled } from './photo.ts'
import { ReceiptWords } from './receipts.tsx'
import { currentPhone, type Field, type Job } from './store.ts'
import { tell } from './toast.tsx'

export function Photo({ job, field }: { job: Job; field: Field }) {
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
