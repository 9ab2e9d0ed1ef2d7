import { webcrypto } from 'node:crypto'
import { isObject, ValidationError } from '#fields'
import type { RescueAuthor, RescueEntry, RescueHead } from './entry.ts'

/** A file that was opened. */
export interface Rescue {
  head: RescueHead
  author: RescueAuthor
  entries: { entry: RescueEntry; bytes: Buffer }[]
}

const MAX_HEAD_BYTES = 10_000
const NEWLINE = 0x0a
const LENGTH_BYTES = 4

/** What the file says in clear. @throws ValidationError for what is no such file */
export function rescueHeadOf(file: Buffer): RescueHead {
  const end = file.subarray(0, MAX_HEAD_BYTES).indexOf(NEWLINE)
  try {
    const head: RescueHead = JSON.parse(file.toString('utf8', 0, Math.max(0, end)))
    if (head.muster_rescue === 1) return head
  } catch {
    // It is told below.
  }
  throw new ValidationError('invalid', 'is no rescue file of a phone')
}

/** All of it, or nothing. @throws ValidationError for what is no such file, is cut short, changed, or for another server */
export async function openRescue(file: Buffer, privateKey: webcrypto.CryptoKey): Promise<Rescue> {
  const head = rescueHeadOf(file)
  try {
    const start = file.indexOf(NEWLINE) + 1
    const key = await keyOf(head, file.subarray(0, start), privateKey)
    const [first, ...rest] = await framesOf(file.subarray(start), key)
    const entries = rest.flatMap(({ json, bytes }) => (isEntry(json) ? [{ entry: json, bytes }] : []))
    if (!first || !isAuthor(first.json) || entries.length !== head.entries) throw new Error('it is not what it says')
    return { head, author: first.json, entries }
  } catch {
    throw new ValidationError('damaged', 'is damaged: it was cut short or changed, or is for another server', {
      remedy: 'Have the phone save it again, and send all of it',
    })
  }
}

const isAuthor = (json: unknown): json is RescueAuthor =>
  isObject(json) && typeof json.token === 'string' && Array.isArray(json.given) && json.given.every(Array.isArray)

/** What its call is, the routes look at. */
const isEntry = (json: unknown): json is RescueEntry =>
  isObject(json) &&
  [json.id, json.made_at, json.path].every((text) => typeof text === 'string') &&
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(json.method)) &&
  [json.body, json.base, json.query].every((part) => part === undefined || isObject(part)) &&
  (json.type === undefined || typeof json.type === 'string') &&
  Array.isArray(json.after) &&
  Array.isArray(json.made) &&
  json.made.every((one) => isObject(one) && typeof one.record === 'string' && isObject(one.row))

async function keyOf(head: RescueHead, salt: Buffer, privateKey: webcrypto.CryptoKey): Promise<webcrypto.CryptoKey> {
  const { subtle } = webcrypto
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const theirs = await subtle.importKey('raw', Buffer.from(head.public_key, 'base64url'), curve, false, [])
  const secret = await subtle.deriveBits({ name: 'ECDH', public: theirs }, privateKey, 256)
  const shared = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array() }
  return subtle.deriveKey(derivation, shared, { name: 'AES-GCM', length: 256 }, false, ['decrypt'])
}

async function framesOf(file: Buffer, key: webcrypto.CryptoKey): Promise<{ json: unknown; bytes: Buffer }[]> {
  const frames: { json: unknown; bytes: Buffer }[] = []
  for (let at = 0; at < file.length; ) {
    const end = at + LENGTH_BYTES + file.readUInt32BE(at)
    const iv = Buffer.alloc(12)
    iv.writeUInt32BE(frames.length, 7)
    iv[11] = end === file.length ? 1 : 0
    const plain = Buffer.from(
      await webcrypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, file.subarray(at + LENGTH_BYTES, end)),
    )
    const split = LENGTH_BYTES + plain.readUInt32BE(0)
    frames.push({ json: JSON.parse(plain.toString('utf8', LENGTH_BYTES, split)), bytes: plain.subarray(split) })
    at = end
  }
  return frames
}
