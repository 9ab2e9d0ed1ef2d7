import type { Clock } from './clock.ts'
import type { Entry, Json } from './entry.ts'
import { exchange } from './exchange.ts'

/** As often as the office hears of a phone of which nothing is new. */
const EVERY_MS = 5 * 60_000

/** What the browser knows of the device: any field of `device` that the outbox doesn't tell. (docs/api/devices.md) */
export type About = { [field: string]: Json }

/** Tells the office what waits on this device, and hears whether it is to sign out. */
export class Report {
  #told = ''
  #toldMs = 0

  /** The connection was lost: with the next one all of it is told again, since the office may have asked something meanwhile. */
  forget(): void {
    this.#told = ''
  }

  /** Nothing where all of it was told a while ago. @returns whether the office asks this device to sign out @throws NoAnswer */
  async tell(
    to: { base: string; clock: Clock; device: string; fetch?: typeof globalThis.fetch },
    entries: readonly Entry[],
    about: About,
  ): Promise<boolean> {
    const device = { ...about, device_id: to.device, ...waitingIn(entries) }
    const body = JSON.stringify({ device })
    const nowMs = to.clock.deviceMs()
    if (body === this.#told && nowMs - this.#toldMs < EVERY_MS) return false
    const answer = await exchange(to.base, to.clock, to.fetch ?? globalThis.fetch, {
      method: 'PUT',
      path: 'session/current/device.json',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    ;[this.#told, this.#toldMs] = [body, nowMs]
    const { device: known } = answer.body as { device?: { sign_out_asked_at: string | null } }
    return answer.status < 300 && (known?.sign_out_asked_at ?? null) !== null
  }
}

function waitingIn(entries: readonly Entry[]): About {
  const waiting = entries.filter(({ state }) => state === 'waiting')
  return {
    waiting_entries: waiting.length,
    refused_entries: entries.filter(({ state }) => state === 'refused').length,
    waiting_bytes: waiting.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0),
    oldest_waiting_at: waiting.map(({ madeAt }) => madeAt).toSorted()[0] ?? null,
  }
}
