import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** What a browser does, and the push service of its maker, both by the letter of RFC 8030, 8291 and 8292. */
export interface PushService {
  /** What a browser gives as it subscribes. */
  subscribe(): { endpoint: string; keys: { p256dh: string; auth: string } }
  /** What came, decrypted. */
  messages: PushMessage[]
  /** What the next ones are answered with. */
  answer: number
}

export interface PushMessage {
  path: string
  headers: IncomingHttpHeaders
  /** Who it says to be. */
  token: { aud: string; exp: number; sub: string }
  payload: { web_push: number; notification: { [name: string]: unknown }; notice: { [name: string]: unknown } }
}

export async function pushService(t: TestContext): Promise<PushService> {
  const messages: PushMessage[] = []
  const devices = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url ?? ''
    const device = devices.get(path)
    if (!device || service.answer >= 400) return response.writeHead(device ? service.answer : 404).end('no such device')
    const payload = JSON.parse(decrypt(Buffer.concat(chunks), device.ecdh, device.auth))
    messages.push({ path, headers: request.headers, token: readToken(request.headers.authorization ?? ''), payload })
    return response.writeHead(service.answer).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  const service: PushService = {
    messages,
    answer: 201,
    subscribe() {
      const ecdh = createECDH('prime256v1')
      const auth = randomBytes(16)
      const path = `/send/${randomBytes(8).toString('hex')}`
      devices.set(path, { ecdh, auth })
      return {
        endpoint: `http://127.0.0.1:${port}${path}`,
        keys: { p256dh: ecdh.generateKeys('base64url'), auth: auth.toString('base64url') },
      }
    },
  }
  return service
}

function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const derive = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${what}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  if (plain.at(-1) !== 2) throw new Error('the record does not end as the last one does')
  return plain.subarray(0, -1).toString()
}

/** What a token says. @throws Error where its signature is not that of the key beside it */
function readToken(header: string): PushMessage['token'] {
  const [, token = '', k = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(header) ?? []
  const [head, claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(k, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('the token is not signed by its key')
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
