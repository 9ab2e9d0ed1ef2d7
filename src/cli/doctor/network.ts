import { get as getPlain } from 'node:http'
import { get as getEncrypted } from 'node:https'
import { createServer } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Config } from '#config'
import { certificateFiles } from '#tls/certificate'
import { type Finding, fail, ok, warn } from './finding.ts'

const ANSWER_MS = 3000

/** Whether the port is free or a Muster's. */
export async function checkPort(config: Config): Promise<Finding> {
  const { MUSTER_HOST: host, MUSTER_PORT: port } = config
  if (port === 0) return ok('port', 'a free one is picked at each start')
  const at = `${host}:${port}`
  const error = await listening(host, port)
  if (error === null) return ok('port', `${at} is free`)
  if (error.code === 'EADDRINUSE')
    return usedBy(at, `${certificateFiles(config) ? 'https' : 'http'}://${nearest(host)}:${port}`)
  if (error.code === 'EACCES')
    return fail('port', `${at} may not be used by this user: take a port from 1024 up, and put a proxy before it`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return fail('port', `${host} is no address of this machine: set MUSTER_HOST to one, or to 0.0.0.0 for all`)
  return fail('port', `can't listen on ${at}: ${error.message}`)
}

/** What stands in the way of listening; null where nothing does. */
function listening(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

async function usedBy(at: string, base: string): Promise<Finding> {
  const healthy = await asked(`${base}/healthz`)
  if (healthy === 'silence')
    return fail(
      'port',
      `${at} takes connections and does not answer: a Muster that hangs, or one of its processes; or another program`,
    )
  if (healthy?.ok !== true) return fail('port', `${at} is used by another program: stop it, or set MUSTER_PORT`)
  const ready = await asked(`${base}/readyz`)
  const troubles = ready !== 'silence' && Array.isArray(ready?.troubles) ? ready.troubles : ['no answer from /readyz']
  if (ready !== 'silence' && ready?.ready === true)
    return troubles.length === 0
      ? ok('port', `a running Muster answers on ${at}`)
      : warn('port', `a running Muster answers on ${at} and says: ${troubles.join('; ')}`)
  return fail('port', `a running Muster answers on ${at} and is not ready: ${troubles.join('; ')}`)
}

/** What is answered; null where that is nothing of ours. Which certificate is presented is looked at elsewhere. */
function asked(address: string): Promise<Record<string, unknown> | 'silence' | null> {
  const get = address.startsWith('https:') ? getEncrypted : getPlain
  return new Promise((found) => {
    const request = get(address, { agent: false, rejectUnauthorized: false }, (response) => {
      json(response).then(
        (answer) => found(answer as Record<string, unknown>),
        () => found(null),
      )
    })
    request.setTimeout(ANSWER_MS, () => {
      found('silence')
      request.destroy()
    })
    request.once('error', () => found(null))
  })
}

/** Where to ask what listens on every interface. */
function nearest(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
