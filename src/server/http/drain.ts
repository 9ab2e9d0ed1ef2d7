import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { App } from '#app'

/** So long a connection may wait for its next request after others have taken over; that one is answered, and the last. */
const MAX_IDLE_MS = 5_000
const LOOK_MS = 20

/**
 * Ends the server without failing anybody. `replaced`: others listen on the same socket, so this process stops to at
 * once, and connections that are open may each ask once more. Else it goes on for `MUSTER_DRAIN_SECONDS`, as one that
 * isn't ready. Then nothing new is taken; answers when what was under way is over.
 */
export async function drain(app: App, server: FastifyInstance, replaced: boolean): Promise<void> {
  app.draining = true
  if (replaced) {
    // Node's own `close` hangs up on connections that wait, into the arms of a request that may be on its way.
    Server.prototype.close.call(server.server)
    app.closing.abort()
    await waitUntilIdle(server.server)
  } else await sleep(app.config.MUSTER_DRAIN_SECONDS * 1000)
  app.stopping = true
  await server.close().catch((error) => {
    if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error
  })
}

/** Resolves when nobody is connected, or after a while. */
async function waitUntilIdle(server: Server): Promise<void> {
  for (const end = Date.now() + MAX_IDLE_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const open = await new Promise<number>((done) => server.getConnections((error, count) => done(error ? 0 : count)))
    if (open === 0) return
  }
}
