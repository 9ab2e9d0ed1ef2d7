import { useEffect, useRef, useState } from 'react'
import SignaturePad from 'signature_pad'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { Act } from './parts.tsx'
import { bytesOf } from './photo.ts'

interface PhotoViewProps {
  title: string
  /** Its address. */
  picture: string
  onDrawn: (bytes: ArrayBuffer) => void
  onClose: () => void
}

const pens = () => [
  { color: '#f4ff3a', name: t('Yellow') },
  { color: '#ff3b30', name: t('Red') },
  { color: '#ffffff', name: t('White') },
]
const PEN_PX = 6

/** A photo on the whole screen, and a pen to point at things in it. */
export function PhotoView({ title, picture, onDrawn, onClose }: PhotoViewProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [pen, setPen] = useState<string | null>(null)
  const drawing = useDrawing(picture, pen)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="scrim" aria-label={title} onCancel={onClose}>
      <div className="lens">
        <div className="bar1">
          <button type="button" className="ctl" aria-label={t('Close')} onClick={onClose}>
            <Icon name="x" />
          </button>
          <b className="push middle">{title}</b>
          {drawing.strokes > 0 && (
            <button type="button" className="ctl" aria-label={t('Take back the last stroke')} onClick={drawing.undo}>
              <Icon name="undo" />
            </button>
          )}
        </div>
        <div className="view">
          <canvas ref={drawing.canvas} role="img" aria-label={title} className={pen ? 'drawn' : ''} />
        </div>
        <div>
          {/* biome-ignore lint/a11y/useSemanticElements: as the other rows of tools */}
          <div className="pens" role="group" aria-label={t('Draw on it')}>
            {(drawing.isReady ? pens() : []).map(({ color, name }) => (
              <button
                type="button"
                key={color}
                className="pen"
                style={{ '--c': color } as React.CSSProperties}
                aria-label={name}
                aria-pressed={pen === color}
                onClick={() => setPen(pen === color ? null : color)}
              />
            ))}
          </div>
          <div className="acts">
            <Act
              mid
              icon="check"
              onAct={async () => {
                if (drawing.strokes === 0 || !drawing.canvas.current) return onClose()
                onDrawn(await bytesOf(drawing.canvas.current, 'image/jpeg'))
              }}
            >
              {drawing.strokes > 0 ? t('Keep it so') : t('Back to the job')}
            </Act>
          </div>
        </div>
      </div>
    </dialog>
  )
}

/** The picture in its own size on a canvas, shown as large as there is room, and strokes over it. */
function useDrawing(picture: string, pen: string | null) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const [strokes, setStrokes] = useState(0)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const { current } = canvas
    if (!current) return
    const made = new Drawing(current, setStrokes)
    drawing.current = made
    void made.load(picture).then(
      () => setReady(true),
      () => {},
    )
    const fit = () => made.paint()
    addEventListener('resize', fit)
    return () => {
      removeEventListener('resize', fit)
      made.close()
    }
  }, [picture])
  useEffect(() => drawing.current?.take(pen), [pen])
  return { canvas, isReady, strokes, undo: () => drawing.current?.undo() }
}

class Drawing {
  readonly #canvas: HTMLCanvasElement
  readonly #pad: SignaturePad
  readonly #onStrokes: (count: number) => void
  #image: ImageBitmap | null = null
  /** Pixels of the picture to one of the screen; strokes are kept in those of the screen. */
  #ratio = 1
  #isClosed = false

  constructor(canvas: HTMLCanvasElement, onStrokes: (count: number) => void) {
    this.#canvas = canvas
    this.#onStrokes = onStrokes
    this.#pad = new SignaturePad(canvas, { minWidth: PEN_PX * 0.7, maxWidth: PEN_PX })
    this.#pad.off()
    this.#pad.addEventListener('endStroke', () => onStrokes(this.#pad.toData().length))
  }

  async load(picture: string): Promise<void> {
    const image = new Image()
    image.src = picture
    await image.decode()
    const bitmap = await createImageBitmap(image)
    if (this.#isClosed) return bitmap.close()
    this.#image = bitmap
    this.#canvas.width = bitmap.width
    this.#canvas.height = bitmap.height
    this.#ratio = this.#canvas.width / this.#canvas.clientWidth
    this.paint()
  }

  /** Anew, also where the screen was turned: strokes stay where they are on the picture. */
  paint(): void {
    const context = this.#canvas.getContext('2d')
    if (!context || !this.#image) return
    const ratio = this.#canvas.width / this.#canvas.clientWidth
    const turned = this.#ratio / ratio
    const data = this.#pad.toData().map((stroke) => ({
      ...stroke,
      points: stroke.points.map((point) => ({ ...point, x: point.x * turned, y: point.y * turned })),
    }))
    this.#ratio = ratio
    this.#pad.clear()
    context.resetTransform()
    context.drawImage(this.#image, 0, 0)
    context.scale(ratio, ratio)
    this.#pad.fromData(data, { clear: false })
    this.#onStrokes(data.length)
  }

  take(pen: string | null): void {
    this.#pad.off()
    if (!pen) return
    this.#pad.penColor = pen
    this.#pad.on()
  }

  undo(): void {
    const data = this.#pad.toData().slice(0, -1)
    this.#pad.clear()
    this.#pad.fromData(data, { clear: false })
    this.paint()
  }

  close(): void {
    this.#isClosed = true
    this.#pad.off()
    this.#image?.close()
  }
}
