import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { App } from '#app'
import { problemText } from '#formats/problem'
import { readBody } from './body.ts'
import { MOST_CONNECTIONS } from './limits.ts'
import { finish } from './finish.ts'
import { pages } from './pages.ts'
import { signedIn } from './signed-in.ts'
import { begin, handle, newExchange, refuse } from './stages.ts'

/** How long a client may take for its headers, for a whole request, and between two requests. */
const HEADERS_MS = 20_000
const REQUEST_MS = 120_000
const KEEP_ALIVE_MS = 75_000

/** Puts the app on HTTP. `listen` on what it answers; `close` it before the app. */
export function createServer(app: App): FastifyInstance {
  const server = Fastify({
    logger: false,
    requestTimeout: REQUEST_MS,
    connectionTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    // Draining is told by our own stages, in the client's format.
    return503OnClosing: false,
    // An address whose percent signs encode nothing.
    frameworkErrors: (error, request, reply) => void refused(error, request, reply),
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: 1000 },
    clientErrorHandler(error, socket) {
      if (!socket.writable) return
      const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
      socket.end(problemText(status))
    },
  })
  server.server.maxConnections = MOST_CONNECTIONS
  // Who has said all that it wants to say still waits for the answer; Node would hang up before PostgreSQL has told it.
  Object.assign(server.server, { httpAllowHalfOpen: true })
  // An expectation that nobody knows is no reason to refuse; Node would, without a body.
  server.server.on('checkExpectation', (request, response) => void server.server.emit('request', request, response))
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (request: FastifyRequest) => readBody(request, app.config.MUSTER_MAX_BODY_BYTES))
  server.decorateRequest('exchange')
  pages(app, server)

  server.addHook('onListen', async () => app.webhooks.start())
  // Streams would keep the server from closing.
  server.addHook('preClose', async () => app.closing.abort())

  // Everything else is the API: its own table of routes tells which address and method there is.
  server.addHook('onRequest', async (request) => {
    // Fastify refuses a Content-Type that is none, also where no body is looked at.
    if (request.method === 'DELETE') delete request.raw.headers['content-type']
    if (!request.is404) return
    const { request: asked } = await begin(app, request)
    if (asked?.route.signedIn) signedIn(asked)
  })
  server.setNotFoundHandler(async (request, reply) => {
    await finish(app, request.exchange, await handle(request.exchange, request.body), request, reply)
  })
  server.setErrorHandler(refused)
  return server

  function refused(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const exchange = request.exchange ?? newExchange(request)
    return finish(app, exchange, refuse(app, exchange, error), request, reply)
  }
}
