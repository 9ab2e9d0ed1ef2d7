import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { work } from './folders.ts'
import { root } from './processes.ts'

/** The environment of a process for which each sync of the disk takes 2 ms more; null without Linux and a C compiler. */
export function slowSync(): { LD_PRELOAD: string } | null {
  mkdirSync(work, { recursive: true })
  const library = join(work, 'slow-sync.so')
  const source = join(root, 'bench/limits/slow-sync.c')
  const made = process.platform === 'linux' && spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  return made && made.status === 0 ? { LD_PRELOAD: library } : null
}
