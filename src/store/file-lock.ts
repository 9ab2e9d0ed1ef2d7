import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-errors.ts'

/**
 * Holds a file for one process of this machine; answers how to let go, or null where another holds it. The operating
 * system lets go for a process that dies, which it doesn't with a file that is merely there.
 */
export function lockFile(path: string): (() => void) | null {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (error) {
    lock.close()
    if (isBusy(error)) return null
    throw error
  }
}
