import { useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'

/** The worker that holds a newer app, and waits. */
let waiting: ServiceWorker | null = null
const listeners = new Set<() => void>()

/** Keeps the app on this phone, so that it starts without a connection. Over plain http browsers don't offer that. */
export async function install(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  // A newer worker asks before it takes over from an app that doesn't answer.
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data, ports }) => data === 'are you well' && ports[0]?.postMessage('yes'),
  )
  navigator.serviceWorker.startMessages()
  const isUpdate = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => isUpdate && location.reload())
  const registration = await navigator.serviceWorker.register(new URL('phone-worker.js', document.baseURI), {
    scope: new URL('phone', document.baseURI).pathname,
  })
  const look = () => {
    if (!registration.waiting || !isUpdate) return
    waiting = registration.waiting
    for (const listener of listeners) listener()
  }
  look()
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') takeOver()
    else void registration.update().catch(() => {})
  })
}

/** When nothing is being entered: what is written is a draft, and an open sheet is somebody at work. */
function takeOver() {
  if (!document.querySelector('dialog[open], input:focus, textarea:focus')) waiting?.postMessage('take over')
}

export function UpdateStrip() {
  const [isReady, setReady] = useState(waiting !== null)
  useEffect(() => {
    const listener = () => setReady(true)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
  if (!isReady) return null
  return (
    <div className="strip">
      <Icon name="refresh" />
      <span className="push">
        <b>{t('A new version is ready')}</b>
        <span className="w2">{t('Nothing is lost.')}</span>
      </span>
      <button type="button" className="btn strong" onClick={takeOver}>
        {t('Now')}
      </button>
    </div>
  )
}
