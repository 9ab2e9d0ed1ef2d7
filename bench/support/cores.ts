import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** What is measured has a core to itself, the load another; null where that can't be had (no Linux, one core). */
export const cores =
  availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0
    ? { server: '0', load: '1', both: '0,1' }
    : null

/** A command as it runs on a core. */
export const pinned = (command: string[], core: string | undefined): string[] =>
  core === undefined ? command : ['taskset', '--cpu-list', core, ...command]

/** Puts this process, and so what it starts, on the core of the load. */
export function pinThis(): void {
  if (cores) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores.load, String(process.pid)])
}
