import type { About } from '../client/phone/report.ts'

/** The files of the app lie in a folder by the id of its build. */
export const version = /assets\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1] ?? 'development'

interface Battery {
  level: number
}

/** What the browser tells of the device; what it doesn't is left out. */
export async function about(): Promise<About> {
  const { storage } = navigator
  const [estimate, isPersistent, battery, ...permissions] = await Promise.all([
    soon(storage?.estimate?.()),
    soon(storage?.persisted?.()),
    'getBattery' in navigator ? soon((navigator.getBattery as () => Promise<Battery>)()) : null,
    ...(['camera', 'geolocation', 'notifications'] as const).map(permissionFor),
  ])
  const [camera = null, location = null, notifications = null] = permissions
  return {
    app_version: version,
    storage_used_bytes: inMegabytes(estimate?.usage),
    storage_quota_bytes: inMegabytes(estimate?.quota),
    storage_persistent: isPersistent ?? null,
    battery_percent: battery ? Math.round(battery.level * 20) * 5 : null,
    permissions: { camera, location, notifications },
  }
}

const PATIENCE_MS = 2000

/** Null for what a browser refuses to say, and for what it doesn't say soon: some never do. */
const soon = <T>(said: Promise<T> | undefined): Promise<T | null> =>
  Promise.race([
    Promise.resolve(said ?? null).catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null)),
  ])

/** Rounded: what changes with every write would be told with every write. */
const inMegabytes = (bytes: number | undefined) => (bytes === undefined ? null : Math.ceil(bytes / 1e6) * 1e6)

/** Null where the browser does not know such a permission. */
const permissionFor = async (name: 'camera' | 'geolocation' | 'notifications') =>
  (await soon(navigator.permissions?.query({ name: name as PermissionName })))?.state ?? null
