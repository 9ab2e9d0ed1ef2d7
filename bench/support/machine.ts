import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'
import { cores } from './cores.ts'
import { root } from './processes.ts'

/** What a run ran on. */
export const machine = (): { [name: string]: string } => ({
  Processor: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
  Memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  System: `${type()} ${release()}`,
  Node: process.version,
  Commit: commit(),
  Cores: cores ? `server on core ${cores.server}, load on core ${cores.load}` : 'server and load share what there is',
})

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
