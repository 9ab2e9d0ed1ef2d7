import { globSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './processes.ts'

/** Beside the code and not in the system's folder for passing things, which may be memory: syncing must cost what it costs. */
export const work = join(root, 'bench/.work')

const made = new Set<string>()

/** What a bench that was killed left behind; none takes as long. */
const LEFT_MS = 3 * 3600_000
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A folder that is gone when the bench is. */
export function newFolder(): string {
  mkdirSync(work, { recursive: true })
  for (const name of globSync('run-*', { cwd: work }))
    if (statSync(join(work, name)).mtimeMs < Date.now() - LEFT_MS) rmSync(join(work, name), { recursive: true })
  const folder = mkdtempSync(join(work, 'run-'))
  made.add(folder)
  return folder
}

/** Removes a folder of this run; one that is kept for the next stays. */
export function removeFolder(folder: string): void {
  if (made.delete(folder)) rmSync(folder, { recursive: true, force: true })
}

export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
}
