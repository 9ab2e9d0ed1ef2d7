import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made = new Set<string>()

process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A folder that is gone when the process is, or before. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
  made.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  made.delete(folder)
}
