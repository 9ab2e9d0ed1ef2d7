/**
 * The app on this phone: its page and files under the id of their build, from the cache; everything else, and above all
 * every answer of the API, from the network and from there only. The server puts `shell` before these lines.
 */
/// <reference lib="webworker" />

declare const shell: { build: string; files: string[] }
const worker = self as unknown as ServiceWorkerGlobalScope

const cacheName = `muster-phone-${shell.build}`
/** Where Muster begins: the scope is `…/phone`. */
const root = new URL('./', worker.registration.scope)

let takesOver = false

worker.addEventListener('install', (event) => {
  const files = shell.files.map((file) => new URL(`assets/${shell.build}/${file}`, root).href)
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName)
      await cache.addAll([new URL('phone', root).href, ...files])
      const isBroken = worker.registration.active !== null && (await isLeftAlone())
      if (isBroken) takesOver = true
      if (isBroken) await worker.skipWaiting()
    })(),
  )
})

/** As long as a slow phone takes to start the app. */
const PATIENCE_MS = 20_000
const ASK_EVERY_MS = 250

/**
 * Whether an app is looked at that doesn't answer: it is broken, and a newer one takes its place without being asked. One that
 * still starts doesn't hear the first questions, and one that is loaded again meanwhile is another client.
 */
async function isLeftAlone(): Promise<boolean> {
  let [isSeen, isWell] = [false, false]
  for (const endMs = Date.now() + PATIENCE_MS; !isWell && Date.now() < endMs; ) {
    const clients = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const seen = clients.filter(
      ({ visibilityState, url }) => visibilityState === 'visible' && url.startsWith(worker.registration.scope),
    )
    isSeen = seen.length > 0
    for (const client of seen) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        isWell = true
      }
      client.postMessage('are you well', [port2])
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  return isSeen && !isWell
}

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = (await caches.keys()).filter((one) => one.startsWith('muster-phone-') && one !== cacheName)
      await Promise.all(names.map((one) => caches.delete(one)))
      await worker.clients.claim()
      // The page of before can't load itself anew.
      if (takesOver)
        for (const client of await worker.clients.matchAll({ type: 'window' })) void client.navigate(client.url)
    })(),
  )
})

worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== root.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (url.pathname.startsWith(`${root.pathname}assets/`)) event.respondWith(file(request))
})

/** The one page of the app for all its addresses; it says where Muster begins, seen from there. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match(new URL('phone', root).href, { cacheName })
  if (!kept) return fetch(request)
  const html = (await kept.text()).replace('<base href="./">', `<base href="${root.pathname}">`)
  return new Response(html, { headers: kept.headers })
}

const file = async (request: Request): Promise<Response> =>
  (await caches.match(request, { cacheName })) ?? fetch(request)

/** As docs/api/notices.md has it. */
interface Push {
  notification: { title: string; body: string; navigate: string; tag: string; silent: boolean }
  notice?: { id: string }
}

worker.addEventListener('push', (event) => event.waitUntil(told(event.data)))

/** Something is always shown: who pushes without it loses the right to. */
async function told(data: PushMessageData | null): Promise<void> {
  const push = readPush(data)
  const { title, navigate, ...options } = push?.notification ?? {
    title: 'Muster',
    navigate: new URL('phone', root).href,
  }
  await worker.registration.showNotification(title, {
    icon: new URL('assets/icon-192.png', root).href,
    ...options,
    data: { navigate, notice: push?.notice?.id ?? null },
  })
  await tellNotice(push?.notice?.id, 'receipt')
  for (const client of await worker.clients.matchAll({ type: 'window' })) client.postMessage('ask')
}

function readPush(data: PushMessageData | null): Push | null {
  try {
    const push: Push | undefined = data?.json()
    return push?.notification ? push : null
  } catch {
    return null
  }
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { navigate, notice } = event.notification.data as { navigate: string; notice: string | null }
  event.waitUntil(Promise.all([open(navigate), tellNotice(notice, 'reading')]))
})

/** In the app that is open, else in a new one. */
async function open(address: string): Promise<void> {
  const [client] = await worker.clients.matchAll({ type: 'window' })
  if (!client) return void (await worker.clients.openWindow(address))
  await client.focus()
  await client.navigate(address)
}

/** That this device has it, so that the office need not call; without a connection nobody is told, and nothing is lost by it. */
async function tellNotice(id: string | null | undefined, what: 'receipt' | 'reading'): Promise<void> {
  if (id) await fetch(new URL(`v5/notices/${id}/${what}.json`, root), { method: 'POST' }).catch(() => {})
}
