import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder, removeFolder } from '../support/folders.ts'

/** A disk of its own that is small, and can be filled. */
export interface Disk {
  folder: string
  /** Takes all the room there is, and goes on taking what becomes free. */
  fill(): void
  /** Gives it back. */
  empty(): void
  remove(): void
}

/** A disk in memory of so many megabytes; a sentence where this user may not mount one. */
export function newDisk(megabytes: number): Disk | string {
  const at = newFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', at])
  if (mounted.status !== 0) {
    removeFolder(at)
    return 'to mount a small disk takes root'
  }
  const unmount = () => void spawnSync('umount', ['--lazy', at])
  // Before the folder is removed, which is done at the end too.
  process.prependOnceListener('exit', unmount)
  const folder = join(at, 'data')
  mkdirSync(folder, { mode: 0o700 })
  const filler = join(at, 'filler')
  let topping: NodeJS.Timeout | undefined
  return {
    folder,
    fill() {
      take(filler)
      topping = setInterval(() => take(filler), 20)
    },
    empty() {
      clearInterval(topping)
      rmSync(filler, { force: true })
    },
    remove() {
      clearInterval(topping)
      process.off('exit', unmount)
      unmount()
      removeFolder(at)
    },
  }
}

const CHUNK = Buffer.alloc(1 << 20, 7)

function take(filler: string) {
  const file = openSync(filler, 'a')
  try {
    for (let { bavail, bsize } = statfsSync(filler); bavail > 0; { bavail, bsize } = statfsSync(filler))
      writeSync(file, CHUNK, 0, Math.min(CHUNK.length, bavail * bsize))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
