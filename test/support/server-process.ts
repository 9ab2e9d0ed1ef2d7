import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** A Muster in a process of its own, which can be killed. */
export interface ServerProcess {
  base: string
  /** The key that was printed; only at the first start. */
  key: string | null
  /** What it has printed so far. */
  printed(): string
  kill(signal: NodeJS.Signals): void
  /** Its exit code, or the signal that ended it; once it has ended. */
  ended: Promise<number | NodeJS.Signals>
}

/** Starts `muster serve` on a free port unless one is named, and waits until it serves. */
export async function startServer(settings: { [name: string]: string }, ...flags: string[]): Promise<ServerProcess> {
  const { MUSTER_LOG_LEVEL = 'error' } = settings
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', 'serve', ...flags],
    {
      cwd: root,
      env: { PATH: process.env.PATH, MUSTER_PORT: '0', ...settings, MUSTER_LOG_LEVEL },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let printed = ''
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  const base = await new Promise<string>((found, failed) => {
    const read = (text: Buffer) => {
      printed += text
      const address = /serves on (https?:\S+)/.exec(printed)?.[1]
      if (address) found(address)
    }
    for (const stream of streamsOf(child)) stream.on('data', read)
    void ended.then((code) => failed(new Error(`the server ended with ${code}:\n${printed}`)))
  })
  return {
    base,
    key: /API key\s+(\S+)/.exec(printed)?.[1] ?? null,
    printed: () => printed,
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

const streamsOf = ({ stdout, stderr }: ChildProcess) => [stdout, stderr].filter((stream) => stream !== null)
