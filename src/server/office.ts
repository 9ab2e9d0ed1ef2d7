import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { present } from '#fields'
import { admits, constantHeaders, etagOf, matchesEtag } from './http/response.ts'
import { parseTarget } from './http/target.ts'
import { policyOf } from './policy.ts'

/** The built client: `npm run build:web` writes it, and it is committed. */
const dist = new URL('../../web/dist/', import.meta.url)

const types: { [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** React Aria writes one rule into the page (no panning while something is pressed); this is its hash. */
const styleOfAria = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

const policy = policyOf({
  'script-src': "'self'",
  'style-src': `'self' ${styleOfAria}`,
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'self'",
})

interface Build {
  /** Of all its bytes: an address under it never means anything else. */
  id: string
  files: Set<string>
  /** By its name: `index` is the office, `phone` the worker's app. */
  html: { [page: string]: string }
  /** What the worker's app keeps to start without a connection. */
  shell: string[]
}

/** Serves the office: its files under the id of the build, and its page for every address that a person opens. */
export function office(server: FastifyInstance): void {
  server.get<{ Params: { build: string; file: string } }>('/assets/:build/:file', async (request, reply) => {
    const { id, files } = await build()
    const { build: asked, file } = request.params
    if (asked !== id || !files.has(file) || !types[extname(file)]) return reply.callNotFound()
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const [encoding, ending] =
      admits(accepted, 'br') && files.has(`${file}.br`)
        ? ['br', '.br']
        : admits(accepted, 'gzip') && files.has(`${file}.gz`)
          ? ['gzip', '.gz']
          : [null, '']
    return reply
      .headers({
        ...constantHeaders,
        'Content-Type': types[extname(file)],
        // A worker has the policy of its own script, not that of the page.
        'Content-Security-Policy': policy,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'same-origin',
        Vary: 'Accept-Encoding',
        ...(encoding && { 'Content-Encoding': encoding }),
      })
      .send(await readFile(new URL(file + ending, dist)))
  })
  // Its scope is `/phone`: for that it must not lie deeper. What it keeps is put before it, so that each build is another one.
  server.get('/phone-worker.js', async (_, reply) => {
    const { id, shell } = await build()
    const script = await readFile(new URL('phone-worker.js', dist), 'utf8')
    return reply
      .headers({
        ...constantHeaders,
        'Content-Type': types['.js'],
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-cache',
        'Cross-Origin-Resource-Policy': 'same-origin',
      })
      .send(`const shell = ${JSON.stringify({ build: id, files: shell })}\n${script}`)
  })
  server.get('/', page)
  server.get('/phone', page)
}

/** Whether somebody opened this address in a browser, and it is none of the API's: the office has it, or says it has not. */
export function opens({ method, headers, raw }: FastifyRequest): boolean {
  if (!['GET', 'HEAD'].includes(method) || !String(headers.accept ?? '').includes('text/html')) return false
  const path = raw.url ?? ''
  if (/^\/+assets(\/|$)/.test(path)) return false
  try {
    return parseTarget(path).segments === null
  } catch {
    return false
  }
}

export async function page(request: FastifyRequest, reply: FastifyReply) {
  const { id, html } = await build()
  const name = /^\/phone(\/|\?|$)/.test(request.raw.url ?? '') ? 'phone' : 'index'
  const body = (html[name] ?? '')
    .replaceAll('="./', `="assets/${id}/`)
    .replace('<head>', `<head>\n    <base href="${baseOf(request.raw.url ?? '/')}">`)
  const etag = etagOf(body)
  reply.headers({
    ...constantHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
    ETag: etag,
  })
  if (matchesEtag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
  return reply.send(body)
}

/** The way back to where Muster begins, from as deep as the address is: right behind any path of a proxy, without a setting. */
function baseOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  const depth = path.split('/').length - 2
  return '../'.repeat(Math.max(0, depth)) || './'
}

let built: Promise<Build> | null = null

/** Looked at when it is first asked for, and then known: the files don't change while the server runs. */
function build(): Promise<Build> {
  built ??= look().catch((error) => {
    built = null
    throw error
  })
  return built
}

async function look(): Promise<Build> {
  const files = (await readdir(dist)).sort()
  const contents = await Promise.all(files.map((file) => readFile(new URL(file, dist))))
  const digests = files.map((file, i) => `${file} ${hash('sha256', present(contents[i]))}`)
  const textOf = (file: string) => (contents[files.indexOf(file)] ?? '').toString()
  return {
    id: hash('sha256', digests.join('\n')).slice(0, 16),
    files: new Set(files),
    html: { index: textOf('index.html'), phone: textOf('phone.html') },
    shell: JSON.parse(textOf('phone-files.json') || '[]'),
  }
}
