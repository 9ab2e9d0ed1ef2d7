import { useEffect, useRef, useState } from 'react'
import SignaturePad from 'signature_pad'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { Act, Side } from './parts.tsx'
import { bytesOf } from './photo.ts'

interface SignatureProps {
  title: string
  /** Who signs, where that is asked. */
  signer?: string
  onSigned: (bytes: ArrayBuffer, name: string) => void
  onClose: () => void
}

/** The whole screen, ink on white, nothing over it. */
export function SignatureScreen({ title, signer, onSigned, onClose }: SignatureProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad | null>(null)
  const [isEmpty, setEmpty] = useState(true)
  const [name, setName] = useState(signer ?? '')
  const isNameless = signer !== undefined && name.trim() === ''
  useEffect(() => {
    const { current } = canvas
    if (!current) return
    if (!dialog.current?.open) dialog.current?.showModal()
    const made = new SignaturePad(current, { penColor: '#11171a', backgroundColor: '#ffffff' })
    pad.current = made
    const fit = () => {
      const strokes = made.toData()
      current.width = current.clientWidth * devicePixelRatio
      current.height = current.clientHeight * devicePixelRatio
      current.getContext('2d')?.scale(devicePixelRatio, devicePixelRatio)
      made.clear()
      made.fromData(strokes)
    }
    fit()
    made.addEventListener('endStroke', () => setEmpty(made.isEmpty()))
    addEventListener('resize', fit)
    return () => {
      removeEventListener('resize', fit)
      made.off()
    }
  }, [])
  return (
    <dialog ref={dialog} className="scrim" aria-label={title} onCancel={onClose}>
      <div className="signscreen upright">
        <div className="r1">
          {signer !== undefined && (
            <label className="input">
              <Icon name="user" />
              <input
                aria-label={t('Name of who signs')}
                placeholder={t('Name')}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </label>
          )}
          <b className="push">{title}</b>
        </div>
        <div className="pad">
          <canvas ref={canvas} role="img" aria-label={t('Sign here with a finger')} />
        </div>
        <div className="r3">
          <Side onAct={onClose}>{t('Not now')}</Side>
          <Side
            onAct={() => {
              pad.current?.clear()
              setEmpty(true)
            }}
          >
            {t('Clear')}
          </Side>
          <Act
            mid
            icon="check"
            onAct={async () =>
              !isEmpty &&
              !isNameless &&
              canvas.current &&
              onSigned(await bytesOf(canvas.current, 'image/png'), name.trim())
            }
          >
            {isNameless ? t('First the name') : isEmpty ? t('Sign here first') : t('Keep it')}
          </Act>
        </div>
      </div>
    </dialog>
  )
}
