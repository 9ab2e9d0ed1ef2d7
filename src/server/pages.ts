import type { FastifyInstance } from 'fastify'
import type { App } from '#app'

/** What a browser and a balancer ask for: no key, no XML. */
export function pages(app: App, server: FastifyInstance): void {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_, reply) => {
    const troubles = app.stopping ? ['The server is stopping'] : await app.unready()
    return reply.code(troubles.length === 0 ? 200 : 503).send({ ready: troubles.length === 0, troubles })
  })
}
