import { useEffect, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { Card } from './parts.tsx'
import { askForPlace } from './place.ts'
import { type PushState, pushState, turnPushOn } from './push.ts'
import { tell } from './toast.tsx'

/** What the browser lets Muster do, and how it is turned on. */
export function Permissions() {
  const [push, setPush] = useState<PushState | null>(null)
  const camera = usePermission('camera')
  const place = usePermission('geolocation')
  const [isSafe, setSafe] = useState<boolean | null>(null)
  useEffect(() => {
    void pushState().then(setPush)
    void navigator.storage?.persisted?.().then(setSafe)
  }, [])
  const turnOn = async () => {
    try {
      setPush(await turnPushOn())
    } catch {
      tell(t('That needs a connection.'))
    }
  }
  const words: { [state in PushState]: string } = {
    on: t('On: new and changed jobs, messages'),
    off: t('Off. New work only shows when you look'),
    blocked: t('Blocked: allow notifications in the settings of the browser'),
    none: t('Not in this browser. On an iPhone add Muster to the home screen first'),
  }
  return (
    <Card kind="sec" flush head={<h2>{t('What the browser lets Muster do')}</h2>}>
      <div className="rows">
        {push && (
          <Line icon="bell" name={t('Push')} isOn={push === 'on'} words={words[push]}>
            {push === 'off' && (
              <button type="button" className="btn" onClick={turnOn}>
                {t('Turn on')}
              </button>
            )}
          </Line>
        )}
        {camera && (
          <Line icon="camera" name={t('Camera')} isOn={camera !== 'denied'} words={permissionWords()[camera]} />
        )}
        {place && (
          <Line icon="locate" name={t('Place')} isOn={place !== 'denied'} words={permissionWords()[place]}>
            {place === 'prompt' && (
              <button type="button" className="btn" onClick={askForPlace}>
                {t('Turn on')}
              </button>
            )}
          </Line>
        )}
        {isSafe !== null && (
          <Line
            icon="data"
            name={t('Safe storage')}
            isOn={isSafe}
            words={
              isSafe
                ? t('Promised by the browser')
                : t('The browser may clear it when the phone is full. Add Muster to the home screen.')
            }
          />
        )}
        <Line
          icon="home"
          name={t('On the home screen')}
          isOn={isInstalled()}
          words={isInstalled() ? t('Installed') : t('Not yet: it is in the menu of the browser, or under Share')}
        />
      </div>
    </Card>
  )
}

const isInstalled = () => matchMedia('(display-mode: standalone)').matches

const permissionWords = (): { [state in PermissionState]: string } => ({
  granted: t('Allowed'),
  prompt: t('Asks when it is needed'),
  denied: t('Blocked: allow it in the settings of the browser'),
})

interface LineProps {
  icon: IconName
  name: string
  isOn: boolean
  words: string
  children?: React.ReactNode
}

const Line = ({ icon, name, isOn, words, children }: LineProps) => (
  <div>
    <Icon name={icon} />
    <span className="w">
      <b>{name}</b>
      <small className={isOn ? '' : 'bad bold'}>{words}</small>
    </span>
    {children}
  </div>
)

/** Null where the browser doesn't say. */
function usePermission(name: 'camera' | 'geolocation'): PermissionState | null {
  const [state, setState] = useState<PermissionState | null>(null)
  useEffect(() => {
    void navigator.permissions?.query({ name }).then(
      (status) => {
        setState(status.state)
        status.onchange = () => setState(status.state)
      },
      () => {},
    )
  }, [name])
  return state
}
