import { once } from 'node:events'
import { connect } from 'node:net'
import { records } from '#records'
import { withMuster } from '../support/muster.ts'
import { Chance } from './random.ts'

export interface HttpFuzzed {
  inputs: number
  /** How many answers had each status; 0 where the connection was closed without one. */
  statuses: { [status: string]: number }
}

/** Nobody waits longer than the server's own limits for a request that is whole or has ended. */
const PATIENCE_MS = 30_000

/**
 * Requests that are nearly right, each on a connection of its own, on a real server: none may be answered 500, none may
 * hang, and afterwards it is well.
 * @throws Error with the request
 */
export function fuzzHttp(inputs: number, seed: number): Promise<HttpFuzzed> {
  return withMuster({}, async (muster, { key }) => {
    const chance = new Chance(seed)
    const statuses: { [status: string]: number } = {}
    let left = inputs
    const one = async () => {
      while (left-- > 0) {
        const bytes = requestOf(chance, key)
        const status = await answerTo(muster.port, bytes)
        if (status === 500)
          throw new Error(`a request was answered ${status}: ${JSON.stringify(bytes.toString('latin1'))}`)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 32 }, one))
    const ready = await fetch(`http://127.0.0.1:${muster.port}/readyz`)
    if (!ready.ok) throw new Error(`afterwards /readyz was ${ready.status}`)
    const bugs = muster
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"bug"'))
    if (bugs.length > 0) throw new Error(`the log has ${bugs.length} bugs, such as ${bugs[0]}`)
    return { inputs, statuses }
  })
}

/** The status of the first answer; 0 for none. */
async function answerTo(port: number, bytes: Buffer): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  socket.on('data', (chunk) => {
    if (text.length < 1000) text += chunk.toString('latin1', 0, 1000)
  })
  socket.on('error', () => {})
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')))
  const closed = once(socket, 'close')
  socket.end(bytes)
  await closed
  if (socket.timeout && text === '' && socket.errored?.message === 'no answer')
    throw new Error(`a request hung: ${JSON.stringify(bytes.toString('latin1'))}`)
  // Not that it may go on.
  return Number(/^HTTP\/1\.1 (?!100)(\d{3})/m.exec(text)?.[1] ?? 0)
}

const paths = records.flatMap(({ path }) => (path ? [path, `${path}/1`, `${path}/1/history`] : []))
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'BREW', '']
const WHOLE_METHODS = 6
const ends = ['.xml', '.json', '', '.', '.pdf', '/', '%00', '%', '%zz', '..', '//']
const queries = [
  '',
  'page=1',
  'per_page=-1',
  'per_page=1001',
  'sort=-id',
  'sort=__proto__',
  'search=@name:a,b',
  'search=%ff',
  'after_id=9e99',
  'ids[]=1&ids[]=x',
  'updated_since=yesterday',
  'dry_run=true',
  'a=b&&=&c',
  'name=%00',
]
const headers = [
  'Accept-Encoding: identity',
  'Content-Type: application/xml; charset=utf-8',
  'Content-Type: application/json',
  'Content-Type: text/plain; charset=utf-16',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: ;;;',
  'Content-Encoding: gzip',
  'Connection: close',
  'If-None-Match: *',
  'If-Match: "',
  'Range: bytes=-0',
  'Idempotency-Key: a',
  'X-HTTP-Method-Override: DELETE',
  'X-Request-Id: \u00e9',
  'Authorization: Bearer',
  'Cookie: muster_session=;;==',
  'Expect: 100-continue',
  'Expect: a cup of tea',
  'X: ',
  // From here on they break the request, or may.
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Host: ',
  'Host: a\r\nHost: b',
  ' folded',
  'No colon',
  `X-Long: ${'x'.repeat(9000)}`,
]
const WHOLE_HEADERS = headers.indexOf('Transfer-Encoding: chunked')
const bodies = [
  '',
  '<tag><name>a</name></tag>',
  '<tag><name></tag>',
  '{"tag":{"name":"a"}}',
  '{"tag":',
  '[]',
  'null',
  '5\r\n<tag>\r\n0\r\n\r\n',
  'zz\r\n',
  '\u0000'.repeat(10),
  '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n--x--',
]

/** Three in four are whole, so that they come as far as what looks into them. */
function requestOf(chance: Chance, key: string): Buffer {
  const broken = chance.next(4) === 0
  const [path, query, body] = [paths, queries, bodies].map((list) => chance.pick(list))
  const method = chance.pick(broken ? methods : methods.slice(0, WHOLE_METHODS))
  const end = chance.pick(broken ? ends : ends.slice(0, 3))
  const lines = Array.from({ length: chance.next(4) }, () =>
    chance.pick(broken ? headers : headers.slice(0, WHOLE_HEADERS)),
  )
  if (!broken || chance.next(2))
    lines.push(`Content-Length: ${Buffer.byteLength(body ?? '')}`, 'Host: a', 'Accept-Encoding: gzip')
  const version = broken && chance.next(4) === 0 ? chance.next(10) : 1
  const asked = `${method} /v5${path}${end}?${query}${chance.next(8) ? `&api_key=${key}` : ''} HTTP/1.${version}`
  const bytes = Buffer.from(`${asked}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`, 'utf8')
  if (chance.next(8) === 0) bytes[chance.next(bytes.length)] = chance.next(256)
  return chance.next(32) === 0 ? bytes.subarray(0, chance.next(bytes.length)) : bytes
}
