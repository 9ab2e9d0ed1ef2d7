import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newPlace, type Place } from './company.ts'
import { cores } from './cores.ts'
import { newFolder, removeFolder } from './folders.ts'
import { type Measured, node, start } from './processes.ts'

/** A Muster as its owner runs it: default settings, everything on, its log in a file. */
export interface Muster extends Measured {
  port: number
  /** Those that do the work: itself, or those that it started. */
  pids: number[]
  /** Asks once, over a client that is not measured. @throws Error for an answer from 400 up */
  call(method: string, path: string, body?: object | string): Promise<Called>
  /** What it has printed so far. */
  log(): string
  /** Milliseconds from the start to the first answer of /readyz. */
  startedMs: number
}

export interface Called {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: loads know what they asked for
  readonly json: any
}

export interface Serving {
  /** Words for Node, such as `--cpu-prof`. */
  flags?: string[]
  core?: string | undefined
  /** As many as serve on its port. */
  processes?: number
  /** To wait only until it serves: it can't be ready. */
  unready?: boolean
  /** What its environment has beside its settings. */
  env?: { [name: string]: string }
  /** Where its log goes, in place of a folder that goes with it. */
  logTo?: string
}

/** Starts a server on a place, and waits until it is ready. */
export async function startMuster(
  place: Place,
  { flags = [], core = cores?.server, processes = 1, unready = false, env = {}, logTo }: Serving = {},
): Promise<Muster> {
  const own = newFolder()
  const log = logTo ?? join(own, 'log')
  const file = openSync(log, 'w')
  const began = performance.now()
  const server = start({
    command: [...node, ...flags, 'src/cli/main.ts', 'serve', '--processes', String(processes)],
    core,
    env: { ...place.settings, ...env, MUSTER_PORT: '0' },
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  const port = await portIn(log, server, processes)
  const base = `http://127.0.0.1:${port}`
  while (!(await fetch(`${base}/readyz`)).ok && !unready) await sleep(1)
  return {
    ...server,
    async stop(signal) {
      await server.stop(signal)
      removeFolder(own)
    },
    port,
    pids: processes > 1 ? childrenOf(server.pid) : [server.pid],
    log: () => readFileSync(log, 'utf8'),
    startedMs: performance.now() - began,
    call: caller(base, place.key),
  }
}

async function portIn(log: string, { child }: Measured, processes: number): Promise<number> {
  const said = processes > 1 ? /serves on http:\S+:(\d+) with/ : /serves on http:\S+:(\d+)/
  for (;;) {
    const port = said.exec(readFileSync(log, 'utf8'))?.[1]
    if (port) return Number(port)
    if (child.exitCode !== null) throw new Error(`Muster did not start:\n${readFileSync(log, 'utf8')}`)
    await sleep(1)
  }
}

/** Those that a process started; itself where there is no /proc. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'latin1').trim().split(' ').map(Number) : [pid]
}

const caller =
  (base: string, key: string): Muster['call'] =>
  async (method, path, body) => {
    const json = typeof body === 'object'
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': json ? 'application/json' : 'application/xml; charset=utf-8' }),
      },
      ...(body !== undefined && { body: json ? JSON.stringify(body) : body }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was ${answer.status}: ${text.slice(0, 500)}`)
    return {
      status: answer.status,
      text,
      get json() {
        return JSON.parse(text)
      },
    }
  }

/** A Muster on a place that nobody needs afterwards, while something is done with it. */
export async function withMuster<T, P extends Place = Place>(
  serving: Serving,
  work: (muster: Muster, place: P) => Promise<T>,
  place?: P,
): Promise<T> {
  const own = place ?? ((await newPlace()) as P)
  const muster = await startMuster(own, serving)
  try {
    return await work(muster, own)
  } finally {
    await muster.stop()
    removeFolder(own.folder)
  }
}
