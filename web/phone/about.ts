import type { About } from '../client/phone/report.ts'

/** The files of the app lie in a folder by the id of its build. */
const version = /assets\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1] ?? 'development'

interface Battery {
  level: number
}

/** What the browser tells of the device; what it doesn't is left out. */
export async function about(): Promise<About> {
  const { storage } = navigator
  const [estimate, isPersistent, battery, ...permissions] = await Promise.all([
    storage?.estimate?.(),
    storage?.persisted?.(),
    'getBattery' in navigator ? (navigator.getBattery as () => Promise<Battery>)().catch(() => null) : null,
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

/** Rounded: what changes with every write would be told with every write. */
const inMegabytes = (bytes: number | undefined) => (bytes === undefined ? null : Math.ceil(bytes / 1e6) * 1e6)

/** Null where the browser does not know such a permission. */
const permissionFor = async (name: 'camera' | 'geolocation' | 'notifications') =>
  (await navigator.permissions?.query({ name: name as PermissionName }).catch(() => null))?.state ?? null
