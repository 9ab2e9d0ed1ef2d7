import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import type { PushSubscription } from '#records/push-subscription'
import type { VapidKeys } from './vapid.ts'

/** What a message may hold before it is encrypted: push services take 4,096 bytes in all. (RFC 8030, 7.2) */
export const MAX_PAYLOAD_BYTES = 3993
const RECORD_BYTES = 4096
/** For how long the word of a server counts that it is the one that the browser subscribed to. */
const TOKEN_SECONDS = 12 * 3600

export interface Message {
  payload: string
  /** Of two with the same, the push service delivers the last. 32 characters of base64url at most. */
  topic: string
  /** For how long the push service keeps it. */
  ttlSeconds: number
  urgency: 'high' | 'low'
}

/** The request that hands a message to a push service. @throws Error for keys that no browser makes */
export function pushRequest(
  { endpoint, keys }: Pick<PushSubscription, 'endpoint' | 'keys'>,
  message: Message,
  vapid: VapidKeys,
  contact: string,
  nowMs: number,
): { headers: { [name: string]: string }; body: Buffer } {
  return {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      TTL: String(Math.max(0, Math.floor(message.ttlSeconds))),
      Urgency: message.urgency,
      Topic: message.topic,
      Authorization: `vapid t=${token(vapid, new URL(endpoint).origin, contact, nowMs)}, k=${vapid.publicKey}`,
    },
    body: encrypt(Buffer.from(message.payload), keys?.p256dh ?? '', keys?.auth ?? ''),
  }
}

/** One record of aes128gcm for a browser. `salt` and `privateKey` are chosen by tests only. (RFC 8291) */
export function encrypt(
  payload: Buffer,
  p256dh: string,
  auth: string,
  { salt = randomBytes(16), privateKey }: { salt?: Buffer; privateKey?: Buffer } = {},
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const own = createECDH('prime256v1')
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const publicKey = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, publicKey])
  const secret = hkdfSync('sha256', own.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const derive = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${what}\0`, bytes))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  // 2 ends the last record.
  const sealed = [cipher.update(payload), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, size, Buffer.from([publicKey.length]), publicKey, ...sealed])
}

/** That this server is the one that the browser subscribed to. (RFC 8292) */
function token({ publicKey, privateKey }: VapidKeys, aud: string, sub: string, nowMs: number): string {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' })
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(nowMs / 1000) + TOKEN_SECONDS
  const said = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded({ aud, exp, sub })}`
  return `${said}.${sign('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
