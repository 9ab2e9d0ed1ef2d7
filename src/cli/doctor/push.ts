import { stat } from 'node:fs/promises'
import type { Config } from '#config'
import { messageOf } from '#problem'
import { loadVapidKeys, vapidFile } from '#tasks/vapid'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Whether phones can be pushed to: the keys that they subscribed with, and whom push services turn to. */
export async function checkPush({ MUSTER_DATA_DIR: folder, ...config }: Config): Promise<Finding[]> {
  const file = vapidFile(folder)
  const found = await stat(file).catch(() => null)
  if (!found) return [ok('push', 'no keys yet: the first start makes them')]
  try {
    await loadVapidKeys(folder)
  } catch (error) {
    return [fail('push', messageOf(error))]
  }
  if (found.mode & 0o077) return [warn('push', `${file} can be read by others on this machine: chmod 600 ${file}`)]
  if (!config.MUSTER_MAIL_FROM && !config.MUSTER_BASE_URL.startsWith('https:'))
    return [
      ok(
        'push',
        'not yet: push services want to know whom to turn to, so set MUSTER_MAIL_FROM, or MUSTER_BASE_URL to https',
      ),
    ]
  return [ok('push', `keys in ${file}`)]
}
