import { mkdirSync } from 'node:fs'
import type { Config } from '#config'
import { Problem } from '#problem'

/** Makes the folder that holds everything, where it isn't there yet: for this user alone. */
export function makeDataFolder({ MUSTER_DATA_DIR: folder }: Config): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? `${folder} is a file` : message
    throw new Problem('unavailable', `the data folder can't be made: ${why}; set MUSTER_DATA_DIR to another`)
  }
}
