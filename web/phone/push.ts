import { api, openPhone } from './store.ts'

/** What the browser lets Muster do; `none` where it can't, over plain http or on an iPhone without the home-screen app. */
export type PushState = 'on' | 'off' | 'blocked' | 'none'

export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis)) return 'none'
  if (Notification.permission === 'denied') return 'blocked'
  const registration = await navigator.serviceWorker.getRegistration(new URL('phone', document.baseURI))
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off'
}

/** Asks the person, and tells the office where this phone is pushed to. @throws where there is no connection */
export async function turnPushOn(): Promise<PushState> {
  if ((await Notification.requestPermission()) === 'granted') await subscribe()
  return pushState()
}

/** At every start: browsers change a subscription now and then, and a session that ended took it along. */
export async function keepPush(): Promise<void> {
  if ((await pushState()) === 'on') await subscribe().catch(() => {})
}

async function subscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.ready
  const { body } = await api.request<{ push_key: { public_key: string } }>('GET', 'push_key')
  const options = { userVisibleOnly: true, applicationServerKey: body.push_key.public_key }
  // A key of another server, or of one that was set up anew: what was subscribed with it is of no use.
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    await (await registration.pushManager.getSubscription())?.unsubscribe()
    return registration.pushManager.subscribe(options)
  })
  await api.request('POST', 'push_subscriptions', { body: { push_subscription: subscription.toJSON() } })
}

/** A push came while the app is open: what it tells of is asked for. */
export function listenToPush(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => data === 'ask' && openPhone()?.ask())
}
