import type { Values } from '#fields'
import { type Device, device, type reportFields } from '#records/device'
import type { session } from '#records/session'
import type { Reader } from '#store/store'
import type { MutationContext, Rule } from './rule.ts'

/** Devices of a person that are known: with one more, that goes which was silent longest. */
const MAX_DEVICES = 20

type Report = Values<typeof reportFields>

/** The device of a person, by the id that the app gave it. */
export async function deviceOf(reader: Pick<Reader, 'list'>, userId: number, deviceId: string): Promise<Device | null> {
  const filters = [
    { field: 'user_id' as const, op: '=' as const, value: userId },
    { field: 'device_id' as const, op: '=' as const, value: deviceId },
  ]
  return (await reader.list(device, { filters, limit: 1 }))[0] ?? null
}

/** What a device is after a report. Somebody who signed in anew on it is not asked to sign out any more. */
export function reportedBy(
  known: Device | null,
  report: Report,
  { session: session_id, now }: { session: number; now: string },
): Partial<Device> {
  const isAnew = known?.signed_out_at && known.session_id !== session_id
  const { oldest_waiting_at: oldest } = report
  return {
    ...report,
    waiting_entries: report.waiting_entries ?? 0,
    refused_entries: report.refused_entries ?? 0,
    waiting_bytes: report.waiting_bytes ?? 0,
    oldest_waiting_at: oldest && oldest > now ? now : oldest,
    session_id,
    heard_at: now,
    ...(isAnew && { signed_out_at: null, sign_out_asked_at: null }),
  }
}

/** Makes room for one more device of a person. */
export async function forgetSilent({ tx, remove }: MutationContext, userId: number): Promise<void> {
  const all = tx.asSystem('a person has so many devices')
  const known = await all.list(device, {
    filters: [{ field: 'user_id', op: '=', value: userId }],
    limit: 2 * MAX_DEVICES,
  })
  const silent = known.toSorted((a, b) => (a.heard_at ?? '').localeCompare(b.heard_at ?? ''))
  for (const one of silent.slice(0, Math.max(0, known.length + 1 - MAX_DEVICES))) await remove(device, one)
}

/** A device whose session has ended is signed out, however it ended. */
export const sessionRule: Rule<typeof session> = {
  async after({ tx, call }, { before, row }) {
    if (row || !before) return
    const all = tx.asSystem('sessions are seen by nobody')
    const filters = [{ field: 'session_id' as const, op: '=' as const, value: before.id }]
    for (const one of await all.list(device, { filters, limit: MAX_DEVICES }))
      await all.update(device, one, { signed_out_at: call.now })
  },
}
