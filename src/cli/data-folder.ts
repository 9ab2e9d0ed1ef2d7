import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#config'
import { Problem } from '#problem'

/** Makes the folder that holds everything, where it isn't there yet: for this user alone. */
export function makeDataFolder({ MUSTER_DATA_DIR: folder }: Config): void {
  try {
    makeFolder(folder)
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? `${path} is a file` : message
    throw new Problem('unavailable', `the data folder can't be made: ${why}; set MUSTER_DATA_DIR to another`)
  }
}

/** Not Node's `recursive`: it tries for ever where a folder that is there takes no other, as in /proc. */
function makeFolder(folder: string) {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere()) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Several processes begin at the same time.
    if (!isThere()) throw error
  }
}
