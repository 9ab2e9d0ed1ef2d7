export type Expiry = 'expired' | 'soon'

/** What ends within this many days is worth a mark. */
const soonMs = 30 * 86_400_000

/** Whether what is held until an instant has ended by now, or soon will. Without an end it never does. */
export function expiryOf(expiresAt: string | null | undefined, now: number): Expiry | undefined {
  if (!expiresAt) return undefined
  const left = Date.parse(expiresAt) - now
  return left <= 0 ? 'expired' : left < soonMs ? 'soon' : undefined
}
