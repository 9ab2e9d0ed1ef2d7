import { useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { useDraft } from './draft.ts'
import { type Find, find, withCode } from './find.ts'
import { Act, Say, Sheet, Side, To } from './parts.tsx'
import { go } from './route.ts'
import { Screen } from './screen.tsx'
import { useShown } from './store.ts'

/** Of the browsers that can read codes: https://wicg.github.io/shape-detection-api/ */
declare global {
  var BarcodeDetector: { new (): { detect(from: HTMLVideoElement): Promise<{ rawValue: string }[]> } } | undefined
}

const EVERY_MS = 250

/** Finds jobs, assets and customers of this phone: by their number or words, or by a code where the browser can read one. */
export function Scan() {
  const shown = useShown()
  const [scans, setScans] = useState(false)
  const [code, setCode] = useState<string | null>(null)
  const [isDenied, setDenied] = useState(false)
  const [text, setText] = useDraft('scan', '')
  const found = find(shown, text)
  const canScan = typeof BarcodeDetector !== 'undefined' && navigator.mediaDevices !== undefined
  const read = (value: string) => {
    setScans(false)
    navigator.vibrate?.(20)
    setCode(value)
  }
  const refuse = () => {
    setScans(false)
    setDenied(true)
  }
  if (scans)
    return (
      <Screen
        title={t('Scan')}
        acts={
          <Act icon="keyboard" onAct={() => setScans(false)}>
            {t('Type a number instead')}
          </Act>
        }
      >
        <Camera onCode={read} onRefused={refuse} />
      </Screen>
    )
  return (
    <Screen
      title={t('Scan')}
      acts={
        canScan && (
          <Act icon="camera" onAct={() => setScans(true)}>
            {t('Scan a code')}
          </Act>
        )
      }
    >
      {isDenied && (
        <Say how="no" head={t('Muster may not use the camera')}>
          <span>{t('The browser has blocked it. Without it you can still find everything by number.')}</span>
        </Say>
      )}
      <label className="ask">
        <span className="lab">{t('Number or words')}</span>
        <span className="input">
          <Icon name="search" />
          <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </span>
      </label>
      {text && <h2 className="cap">{t('On this phone: {count}', { count: found.length })}</h2>}
      <div className="list rows" role="status">
        {found.map((one) => (
          <Found key={one.key} found={one} />
        ))}
      </div>
      <p className="hint">{t('Looks through the jobs of this phone, their assets and their customers.')}</p>
      {code !== null && <Read code={code} onClose={() => setCode(null)} onAgain={() => setScans(true)} />}
    </Screen>
  )
}

const icons: { [kind in Find['kind']]: IconName } = { job: 'jobs', asset: 'equipment', customer: 'customers' }

const Found = ({ found: { kind, title, about, to } }: { found: Find }) => {
  const content = (
    <>
      <Icon name={icons[kind]} />
      <span className="w">
        <b>{title}</b>
        <small>{about}</small>
      </span>
    </>
  )
  return to ? (
    <To to={to}>
      {content}
      <Icon name="right" className="go" />
    </To>
  ) : (
    <div>{content}</div>
  )
}

function Read({ code, onClose, onAgain }: { code: string; onClose: () => void; onAgain: () => void }) {
  const found = withCode(useShown(), code)
  const first = found.find(({ to }) => to)?.to
  const again = () => {
    onClose()
    onAgain()
  }
  return (
    <Sheet
      title={found[0]?.title ?? t('Nothing has this code')}
      sub={code}
      onClose={onClose}
      acts={
        first ? (
          <>
            <Side onAct={again}>{t('Scan another')}</Side>
            <Act mid icon="jobs" onAct={() => go(first)}>
              {t('Open it')}
            </Act>
          </>
        ) : (
          <Act mid icon="camera" onAct={again}>
            {t('Scan another')}
          </Act>
        )
      }
    >
      <div className="rows">
        {found.map((one) => (
          <Found key={one.key} found={one} />
        ))}
      </div>
      {found.length === 0 && <p>{t('Not on this phone. It may be a part, or a place outside of your jobs.')}</p>}
    </Sheet>
  )
}

/** Looks through the camera until there is a code; the camera is let go of in any case. */
function Camera({ onCode, onRefused }: { onCode: (code: string) => void; onRefused: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one camera for as long as it is on the screen
  useEffect(() => {
    let stream: MediaStream | null = null
    let isOver = false
    const detector = BarcodeDetector && new BarcodeDetector()
    const look = async () => {
      const { current } = video
      if (isOver || !current) return
      const [code] = current.readyState >= 2 ? ((await detector?.detect(current).catch(() => [])) ?? []) : []
      if (isOver) return
      if (code) onCode(code.rawValue)
      else setTimeout(look, EVERY_MS)
    }
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(async (given) => {
      stream = given
      if (isOver || !video.current) return stop()
      video.current.srcObject = given
      await video.current.play()
      void look()
    }, onRefused)
    const stop = () => {
      isOver = true
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    return stop
  }, [])
  return (
    <div className="scanbox">
      <video ref={video} playsInline muted />
      <span className="aim" aria-hidden="true" />
      <p className="scanhint">{t('Hold the code of an asset or a job sheet into the frame')}</p>
    </div>
  )
}
