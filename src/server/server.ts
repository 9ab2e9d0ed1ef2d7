import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type RequestListener, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import type { App } from '#app'
import { bareResponse } from '#formats/problem'
import { MAX_CONNECTIONS } from '#limits'
import { addCommonHeaders } from './http/finish.ts'
import { newExchange, serve } from './http/stages.ts'
import { office, opens, page } from './office.ts'
import { pages } from './pages.ts'

/** How long a client may take for its headers, for a whole request, and between two requests. */
const HEADERS_MS = 20_000
const REQUEST_MS = 120_000
const KEEP_ALIVE_MS = 75_000

/** The certificate and its private key, PEM both. */
interface Certificate {
  cert: Buffer
  key: Buffer
}

/** Puts the app on HTTP, or on HTTPS with a certificate. `listen` on what it answers; `close` it before the app. */
export function createServer(app: App, certificate: Certificate | null = null): FastifyInstance {
  const server = Fastify({
    logger: false,
    // Draining is told by our own stages, in the client's format.
    return503OnClosing: false,
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: 1000 },
    frameworkErrors: (_error, { raw }, reply) => {
      reply.hijack()
      void serve(app, newExchange(app, raw), raw, reply.raw)
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable) return
      const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
      const bare = { id: randomUUID(), startedAt: performance.now() }
      socket.end(bareResponse(status, addCommonHeaders({ Date: new Date().toUTCString() }, bare, status)))
    },
    serverFactory(fastify) {
      const options: ServerOptions = {
        requestTimeout: REQUEST_MS,
        headersTimeout: HEADERS_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: 5_000,
        requireHostHeader: false,
      }
      // Every call that has a route takes the short way: nothing that Fastify does is needed for it.
      const listener: RequestListener = (request, response) => {
        const take = () => {
          const exchange = newExchange(app, request)
          if (exchange.match) void serve(app, exchange, request, response)
          else fastify(request, response)
        }
        // Behind others that came in one piece: its turn is when theirs are answered, so that a reader who doesn't read
        // has one answer waiting and not hundreds.
        if (response.socket) take()
        else response.once('socket', take)
      }
      const http = certificate
        ? createHttpsServer({ ...options, ...certificate, minVersion: 'TLSv1.2' }, listener)
        : createHttpServer(options, listener)
      return http.setTimeout(REQUEST_MS)
    },
  })
  server.server.maxConnections = MAX_CONNECTIONS
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Who has said all that it wants to say still waits for the answer; Node would hang up before PostgreSQL has told it.
  Object.assign(server.server, { httpAllowHalfOpen: true })
  // An expectation that nobody knows is no reason to refuse; Node would, without a body.
  server.server.on('checkExpectation', (request, response) => void server.server.emit('request', request, response))
  pages(app, server)
  office(server)

  server.addHook('onListen', async () => {
    app.startTasks()
    app.presences.start()
    app.latestPoints.start()
  })
  // Streams would keep the server from closing.
  server.addHook('preClose', async () => {
    app.closing.abort()
    // Who has connected and said nothing, as browsers and balancers do, is waited for by Node like a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })

  // What no page has is answered like the API, in its formats.
  server.removeAllContentTypeParsers()
  server.setNotFoundHandler(async (request, reply) => {
    const { raw } = request
    if (opens(request)) return page(request, reply)
    reply.hijack()
    await serve(app, newExchange(app, raw), raw, reply.raw)
  })
  return server
}
