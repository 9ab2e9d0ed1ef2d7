import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { pinned } from './cores.ts'

export const root = resolve(import.meta.dirname, '../..')

/** A process that is measured. */
export interface Measured {
  pid: number
  child: ChildProcess
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface Starting {
  command: string[]
  core?: string | undefined
  env?: { [name: string]: string }
  cwd?: string
  stdio?: import('node:child_process').StdioOptions
}

/** Starts a process on a core; it ends with this one. */
export function start({
  command,
  core,
  env = {},
  cwd = root,
  stdio = ['ignore', 'ignore', 'inherit'],
}: Starting): Measured {
  const [program = '', ...words] = pinned(command, core)
  const child = spawn(program, words, { cwd, stdio, env: { PATH: process.env.PATH, ...env } })
  const gone = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    // `taskset` makes way for the command and leaves it its number.
    pid: child.pid ?? 0,
    child,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await gone
      process.off('exit', kill)
    },
  }
}

/** Node as `bin/muster` runs it: what was compiled once is kept. */
export const node = [join(root, 'bin/node')]
