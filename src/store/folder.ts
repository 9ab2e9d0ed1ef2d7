import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, messageOf, Problem } from '#problem'

/**
 * Makes a folder where it isn't there yet, and those it lies in: for this user alone.
 * @throws Problem that calls it by its name and says which setting leads elsewhere
 */
export function makeFolder(folder: string, name: string, setting: string): void {
  try {
    make(folder)
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? error.path : folder
    const why = codeOf(error) === 'EEXIST' ? `${path} is a file` : messageOf(error)
    throw new Problem('unavailable', `the ${name} can't be made: ${why}; set ${setting} to another`)
  }
}

/** Keeps everybody else out of a folder that is this user's own, unless it is one that all share, such as /tmp. */
export function closeFolder(folder: string): void {
  const { mode, uid } = statSync(folder)
  if (mode & OTHERS && !(mode & STICKY) && uid === process.getuid?.()) chmodSync(folder, mode & 0o700)
}

const STICKY = 0o1000
const OTHERS = 0o077

/** Not Node's `recursive`: it tries for ever where a folder that is there takes no other, as in /proc. */
function make(folder: string) {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere()) return
  make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Several processes begin at the same time.
    if (!isThere()) throw error
  }
}
