import type { Measured } from '../support/processes.ts'

/** What people run today, installed from packages, with the same two operations. */
export interface Peer {
  name: string
  /** How many times it we want to do. */
  goal: number
  /** Why it can't be installed here; null when it can. */
  hindrance(): string | null
  /** Installs what isn't there yet, beside the repository's own packages. */
  install(): void
  start(): Promise<RunningPeer>
}

export interface RunningPeer extends Measured {
  port: number
  /** Milliseconds from the start to the first good answer. */
  startedMs: number
  /** As many as it does the most with. */
  connections: { read: number; create: number }
  /** One small record by its id, with a key. */
  read: Buffer
  /** Another one, under a name of its own. */
  create: () => Buffer
}
