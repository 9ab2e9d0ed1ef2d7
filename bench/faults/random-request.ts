import { METHODS } from 'node:http'

/** From 0 to 1, the same for the same seed. (mulberry32) */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const nouns =
  'tags jobs customers users groups assets equipment pricebooks messaging templates events webhooks accounts'
const words = `${nouns} v5 v4 docs healthz readyz metrics telemetry shift session history candidates export import file
  custom_fields replay reversal dry_run . .. %2e%2e %00 %ff %F0%9F%98%80 -1 0 1 2 99999999999999999999 1.5 null NaN ; ' " <x> {id}`
const queries = 'per_page page sort after_id name query fields record api_key dry_run at since'
const values =
  "1 -1 0 1e9 99999999999 id -id name,id * %27%20or%201=1 %00 %ff true '; 2026-01-01T00:00:00Z 2026-13-45 [] %7B%7D"
const types =
  'application/json application/xml text/plain multipart/form-data image/jpeg application/json;charset=utf-16 x'
const bodies = [
  '{}',
  '[]',
  '{"tag":{"name":1}}',
  '{"tag":',
  '<tag/>',
  '<tag><name>',
  '\u0000',
  'x'.repeat(5000),
  '{"job":{"__proto__":{}}}',
]

/** Almost a request: parts that Muster knows, put together by chance. CONNECT is left out, since it asks for no answer. */
export function randomRequest(random: () => number) {
  const of = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const word = (text: string) => of(text.split(/\s+/))
  const several = (most: number, make: () => string) => Array.from({ length: Math.floor(random() * (most + 1)) }, make)
  const method = random() < 0.6 ? of(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']) : of(known)
  const segments = several(5, () => word(words))
  const start = random() < 0.7 ? `/v5/${word(nouns)}` : ''
  const path = `${start}/${segments.join('/')}${of(['', '', '.json', '.xml', '.csv', '.'])}`
  const query = several(3, () => `${word(queries)}=${word(values)}`).join('&')
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? of(bodies) : undefined
  const headers: { [name: string]: string } = { 'Content-Type': word(types) }
  if (random() < 0.2) headers['If-Match'] = of(['*', '"x"', 'W/', ','])
  if (random() < 0.2) headers.Accept = of(['text/html', '*/*', 'application/json;q=x', 'text/event-stream', ''])
  if (random() < 0.1) headers['Idempotency-Key'] = of(['', 'x', 'y'.repeat(500)])
  if (random() < 0.1) headers.Range = of(['bytes=0-', 'bytes=-', 'x'])
  if (random() < 0.1) headers['X-HTTP-Method-Override'] = of(['PUT', 'DELETE', 'CONNECT'])
  return { method, path: encodeURI(path).replaceAll('%25', '%') + (query && `?${query}`), headers, body }
}

const known = METHODS.filter((method) => method !== 'CONNECT')
