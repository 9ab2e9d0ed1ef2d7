/** Pages that came over plain http have no locks: the keys still see to it that nothing is done twice. */
export function locksOfPage(): Pick<LockManager, 'request'> {
  return globalThis.navigator?.locks ?? ({ request: lockInPage } as Pick<LockManager, 'request'>)
}

let isHeld = false
async function lockInPage<T>(name: string, _: LockOptions, work: (lock: Lock | null) => Promise<T>): Promise<T> {
  if (isHeld) return work(null)
  isHeld = true
  try {
    return await work({ name, mode: 'exclusive' })
  } finally {
    isHeld = false
  }
}
