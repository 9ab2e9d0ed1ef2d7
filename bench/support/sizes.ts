import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of the files in a folder. */
export const sizeOf = (folder: string): number =>
  globSync('**', { cwd: folder })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0)
