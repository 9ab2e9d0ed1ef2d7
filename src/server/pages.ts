import { hash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#app'
import { openapi } from '#formats/openapi'
import { acceptsGzip, compress, constantHeaders, etagOf, matchesEtag } from './http/response.ts'
import { type Allows, policyOf } from './policy.ts'

/** What a browser and a balancer ask for: no key, no XML. */
export function pages(app: App, server: FastifyInstance): void {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_, reply) => {
    const ending = app.stopping ? 'The server is stopping' : app.draining && 'The server is draining'
    const troubles = ending ? [ending] : await app.findBlockers()
    const ready = troubles.length === 0
    const last_proven_backup = (await app.lastVerifiedBackup())?.made_at ?? null
    return reply
      .code(ready ? 200 : 503)
      .send({ ready, troubles: ready ? await app.findDegradations() : troubles, last_proven_backup })
  })

  server.get('/metrics', async (request, reply) => {
    const refusal = refusalOf(app.config.MUSTER_METRICS_TOKEN, request)
    if (refusal) return reply.code(refusal.status).headers(refusal.headers).send(refusal.sentence)
    return reply.type(app.metrics.contentType).send(await app.metrics.text())
  })

  for (const [path, { file, type, allows }] of Object.entries(files))
    server.get(
      path,
      serve(type, policyOf(allows), () => readFile(file)),
    )
  // What it loads, it names by where it is.
  server.get('/docs/', (_, reply) => reply.headers(constantHeaders).redirect('../docs', 301))
  for (const [path, wire] of [
    ['/v5/openapi.json', 'json'],
    ['/v5/openapi.xml.json', 'xml'],
  ] as const)
    server.get(
      path,
      serve('application/json; charset=utf-8', policyOf({}), async () => JSON.stringify(await document(app, wire))),
    )
}

/** Why somebody may not read the figures: the token is not the one; or there is none and they come from elsewhere. */
function refusalOf(token: string | null, { headers, ip }: FastifyRequest) {
  if (token !== null) {
    const sent = hash('sha256', headers.authorization ?? '', 'buffer')
    if (timingSafeEqual(sent, hash('sha256', `Bearer ${token}`, 'buffer'))) return null
    const sentence = 'Send Authorization: Bearer and the token of MUSTER_METRICS_TOKEN\n'
    return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, sentence }
  }
  const passedOn = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some((name) => name in headers)
  if (!passedOn && /^(::ffff:)?127\.|^::1$/.test(ip)) return null
  return { status: 403, headers: {}, sentence: 'Only this machine may read this, unless MUSTER_METRICS_TOKEN is set\n' }
}

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'

const ours = (name: string) => new URL(`./pages/${name}`, import.meta.url)
const swagger = (name: string) => new URL(import.meta.resolve(`swagger-ui-dist/${name}`))

/** Everything that there is, by its address. Addresses inside are relative, for servers behind a path of a proxy. */
const files: { [path: string]: { file: URL; type: string; allows: Allows } } = {
  '/about': { file: ours('home.html'), type: html, allows: { 'style-src': "'self'", 'img-src': "'self'" } },
  '/docs': {
    file: ours('docs.html'),
    type: html,
    allows: {
      'script-src': "'self'",
      'style-src': "'self'",
      // The icons in Swagger UI's style sheet, and images that a tried call answers.
      'img-src': "'self' data: blob:",
      'connect-src': "'self'",
    },
  },
  '/assets/muster.css': { file: ours('muster.css'), type: css, allows: {} },
  '/assets/docs.js': { file: ours('docs.js'), type: script, allows: {} },
  '/phone.webmanifest': { file: ours('phone.webmanifest'), type: 'application/manifest+json', allows: {} },
  '/assets/icon-192.png': { file: ours('icon-192.png'), type: 'image/png', allows: {} },
  '/assets/icon-512.png': { file: ours('icon-512.png'), type: 'image/png', allows: {} },
  '/assets/icon.svg': { file: ours('icon.svg'), type: 'image/svg+xml', allows: {} },
  '/assets/swagger-ui.css': { file: swagger('swagger-ui.css'), type: css, allows: {} },
  '/assets/swagger-ui-bundle.js': { file: swagger('swagger-ui-bundle.js'), type: script, allows: {} },
}

async function document(app: App, wire: 'json' | 'xml') {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  return openapi(app.routes, { version, baseUrl: app.config.MUSTER_BASE_URL, wire })
}

/** Read and compressed when it is first asked for, and kept: these don't change while the server runs. */
function serve(type: string, policy: string, read: () => Promise<string | Buffer>) {
  let kept: Promise<{ body: string | Buffer; gzipped: Buffer; etag: string }> | null = null
  const headers = {
    ...constantHeaders,
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
  }

  async function load() {
    const body = await read()
    return { body, gzipped: await compress(body), etag: etagOf(body) }
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    kept ??= load().catch((error) => {
      kept = null
      throw error
    })
    const { body, gzipped, etag } = await kept
    reply.headers({ ...headers, ETag: etag })
    if (matchesEtag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    if (!acceptsGzip(String(request.headers['accept-encoding'] ?? ''))) return reply.send(body)
    return reply.header('Content-Encoding', 'gzip').send(gzipped)
  }
}
