import { createServer } from 'node:net'
import type { Config } from '#config'
import { bad, type Finding, ok } from './finding.ts'

const ANSWER_MS = 3000

/** Whether the port is free or a Muster's. */
export async function checkPort({ MUSTER_HOST: host, MUSTER_PORT: port }: Config): Promise<Finding> {
  if (port === 0) return ok('port', 'a free one is picked at each start')
  const at = `${host}:${port}`
  const error = await listening(host, port)
  if (error === null) return ok('port', `${at} is free`)
  if (error.code === 'EADDRINUSE') return usedBy(at, nearest(host), port)
  if (error.code === 'EACCES')
    return bad('port', `${at} may not be used by this user: take a port from 1024 up, and put a proxy before it`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return bad('port', `${host} is no address of this machine: set MUSTER_HOST to one, or to 0.0.0.0 for all`)
  return bad('port', `can't listen on ${at}: ${error.message}`)
}

/** What stands in the way of listening; null where nothing does. */
function listening(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

async function usedBy(at: string, host: string, port: number): Promise<Finding> {
  const healthy = await asked(`http://${host}:${port}/healthz`)
  if (healthy === 'silence')
    return bad(
      'port',
      `${at} takes connections and does not answer: a Muster that hangs, or one of its processes; or another program`,
    )
  if (healthy?.ok !== true) return bad('port', `${at} is used by another program: stop it, or set MUSTER_PORT`)
  const ready = await asked(`http://${host}:${port}/readyz`)
  if (ready !== 'silence' && ready?.ready === true) return ok('port', `a running Muster answers on ${at}`)
  const troubles =
    ready !== 'silence' && Array.isArray(ready?.troubles) ? ready.troubles.join('; ') : 'no answer from /readyz'
  return bad('port', `a running Muster answers on ${at} and is not ready: ${troubles}`)
}

/** What is answered; null where that is nothing of ours. */
async function asked(address: string): Promise<Record<string, unknown> | 'silence' | null> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' })
    return (await answer.json()) as Record<string, unknown>
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silence' : null
  }
}

/** Where to ask what listens on every interface. */
function nearest(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
