import { once } from 'node:events'
import { cores } from './cores.ts'
import { type Measured, node, start } from './processes.ts'

/** A limit: the least that could be done, in a process of its own on the core that Muster has. */
export interface Limit extends Measured {
  // biome-ignore lint/suspicious/noExplicitAny: each limit has its own words
  ask(message: object): Promise<any>
}

/** Starts a file of `bench/limits`, which answers each message with one. */
export function startLimit(file: string, env: { [name: string]: string } = {}): Limit {
  const limit = start({
    command: [...node, `bench/limits/${file}`],
    core: cores?.server,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(limit.child, 'exit').then(() => {
    throw new Error(`${file} ended`)
  })
  // It ends when it is told to, too, and then nobody asks.
  ended.catch(() => {})
  return {
    ...limit,
    async ask(message) {
      limit.child.send(message)
      const [answer] = await Promise.race([once(limit.child, 'message'), ended])
      return answer
    },
  }
}
