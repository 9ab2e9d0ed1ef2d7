import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until something holds. @throws when it doesn't in time */
export async function until(holds: () => boolean | Promise<boolean>, what: string, timeoutMs = 20_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await holds()); await sleep(10))
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
}
