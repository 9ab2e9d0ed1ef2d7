import { useState } from 'react'
import { isRevealed } from '../../../../src/records/work.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import { t } from '../../../ui/words.ts'
import { isFile } from '../../job/fields.tsx'
import { type Job, useOpenJob } from '../../job/open-job.ts'
import { Section } from '../../job/section.tsx'

/** A photo, a signature, or the place where one is wanted. */
interface Picture {
  key: string
  name: string
  /** Relative to the server; null while there is none. */
  address: string | null
  isSignature: boolean
  isNeeded: boolean
  detail?: string
}

/** Photos and signatures, those that are still wanted among them; a press shows one whole. */
export function Files() {
  const { job } = useOpenJob()
  const { formats } = useRecords()
  const [shown, setShown] = useState<number | null>(null)
  const pictures = picturesOf(job, formats.dateTime)
  const there = pictures.filter(({ address }) => address !== null)
  if (pictures.length === 0) return null
  const picture = shown === null ? undefined : there[shown]
  return (
    <Section
      title={t('Photos and signatures')}
      beside={t('{there} of {all}', { there: there.length, all: pictures.length })}
    >
      <ul className="shots">
        {pictures.map((one) => (
          <li key={one.key} className="shot">
            {one.address ? (
              <button
                type="button"
                aria-label={t('Show {name}', { name: one.name })}
                onClick={() => setShown(there.indexOf(one))}
              >
                <img src={one.address} alt="" loading="lazy" className={one.isSignature ? 'signature' : ''} />
              </button>
            ) : (
              <span className="wanted">
                <Icon name={one.isSignature ? 'sign' : 'camera'} size="l" />
              </span>
            )}
            <span className="clip" dir="auto">
              {one.name}
            </span>
            <span className={one.isNeeded && !one.address ? 'risk' : 'dim'}>
              {one.address ? one.detail : one.isNeeded ? t('Needed') : t('not there yet')}
            </span>
          </li>
        ))}
      </ul>
      {picture && (
        <Viewer
          picture={picture}
          onClose={() => setShown(null)}
          onStep={there.length > 1 ? (step) => setShown(((shown ?? 0) + step + there.length) % there.length) : null}
        />
      )}
    </Section>
  )
}

function picturesOf(job: Job, at: (instant: string) => string): Picture[] {
  const asked = job.custom_fields.filter((field) => isFile(field) && isRevealed(field, job.custom_fields))
  const pictures = asked.map(
    ({ id, name, type, permission, attachment_id, signature_id }): Picture => ({
      key: String(id),
      name,
      address: attachment_id
        ? `v5/attachments/${attachment_id}.jpeg`
        : signature_id
          ? `v5/signatures/${signature_id}.png`
          : null,
      isSignature: type === 'signature',
      isNeeded: permission === 'required',
    }),
  )
  const { signature_id, name, signed_at } = job.proof_of_delivery ?? {}
  if (!signature_id) return pictures
  const detail = [name, signed_at && at(signed_at)].filter(Boolean).join(', ')
  return [
    ...pictures,
    {
      key: 'proof',
      name: t('Signature for the whole job'),
      address: `v5/signatures/${signature_id}.png`,
      isSignature: true,
      isNeeded: false,
      detail,
    },
  ]
}

interface ViewerProps {
  picture: Picture
  onClose: () => void
  /** Null where it is the only one. */
  onStep: ((step: 1 | -1) => void) | null
}

function Viewer({ picture: { name, address, detail }, onClose, onStep }: ViewerProps) {
  const [turns, setTurns] = useState(0)
  return (
    <Dialog
      open
      wide
      title={name}
      onClose={onClose}
      foot={
        <>
          {onStep && (
            <>
              <Button icon="left" aria-label={t('The one before')} onClick={() => onStep(-1)} />
              <Button icon="right" aria-label={t('The next one')} onClick={() => onStep(1)} />
            </>
          )}
          <Button icon="refresh" onClick={() => setTurns((turns + 1) % 4)}>
            {t('Turn')}
          </Button>
          <span className="push" />
          <a className="btn" href={address ?? ''} download>
            <Icon name="download" />
            {t('Save a copy')}
          </a>
          <Button kind="primary" onClick={onClose}>
            {t('Close')}
          </Button>
        </>
      }
    >
      {detail && <p className="two-ink">{detail}</p>}
      <div className="viewer">
        <img src={address ?? ''} alt={name} style={{ rotate: `${turns * 90}deg` }} />
      </div>
    </Dialog>
  )
}
