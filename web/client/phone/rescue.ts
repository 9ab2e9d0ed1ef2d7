import type { RescueAuthor, RescueEntry, RescueHead } from '../../../src/formats/entry.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { Entry } from './entry.ts'
import { exchange, faultsIn } from './exchange.ts'
import type { Outbox } from './outbox.ts'

/** What the server gave this person to save what waits with: while there was a connection. (docs/api/rescues.md) */
export interface RescueKey {
  account_id: number
  user_id: number
  user_name: string
  public_key: string
  token: string
}

/** That of the person whose database it is; null while they had no connection. */
export const rescueKeyOf = async (database: Database): Promise<RescueKey | null> =>
  ((await database.get('singles', 'rescue_key')) as RescueKey | undefined) ?? null

/** Asks for it, and keeps it. @throws NoAnswer */
export async function keepRescueKey({ base, clock, database, fetch = globalThis.fetch }: To & { database: Database }) {
  const { status, body } = await exchange(base, clock, fetch, { method: 'GET', path: 'rescue_key.json' })
  if (status === 200) await database.put('singles', (body as { rescue_key: RescueKey }).rescue_key, 'rescue_key')
}

interface To {
  base: string
  clock: Clock
  fetch?: typeof globalThis.fetch
}

const HAND_IN_TIMEOUT_MS = 300_000

/**
 * Hands in what another phone saved. @returns how many entries the office has, and how many it did not take
 * @throws NoAnswer; Error with the sentence of a refusal
 */
export async function handIn(base: string, clock: Clock, file: Blob): Promise<{ taken: number; refused: number }> {
  const { status, body } = await exchange(base, clock, globalThis.fetch, {
    method: 'POST',
    path: 'rescues.json',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: await file.arrayBuffer(),
    timeoutMs: HAND_IN_TIMEOUT_MS,
  })
  if (status !== 200) throw new Error(faultsIn(body)?.[0]?.message)
  const { entries } = (body as { rescue: { entries: { outcome: string }[] } }).rescue
  const refused = entries.filter(({ outcome }) => outcome === 'refused' || outcome === 'held').length
  return { taken: entries.length - refused, refused }
}

const { subtle } = globalThis.crypto
const curve = { name: 'ECDH', namedCurve: 'P-256' }

/** Saves what waits and what was refused, with its bytes, as a file that only the company's server can read. Null where nothing is to be saved. */
export async function saveWaiting(from: {
  database: Database
  outbox: Outbox
  clock: Clock
  device: string
  key: RescueKey
}): Promise<Blob | null> {
  const { database, outbox, clock, device, key } = from
  const waiting = (await outbox.all()).filter(({ state }) => state === 'waiting' || state === 'refused')
  if (waiting.length === 0) return null
  const own = (await subtle.generateKey(curve, false, ['deriveBits'])) as CryptoKeyPair
  const head: RescueHead = {
    muster_rescue: 1,
    account_id: key.account_id,
    user_id: key.user_id,
    user_name: key.user_name,
    device_id: device,
    made_at: clock.now(),
    entries: waiting.length,
    public_key: toBase64url(await subtle.exportKey('raw', own.publicKey)),
  }
  const line = new TextEncoder().encode(`${JSON.stringify(head)}\n`)
  const secret = await sharedKey(own.privateKey, key.public_key, line)
  const given = (await database.getAll('ids')).map((one): [number, string | number] => [one.made, one.given])
  const author: RescueAuthor = { token: key.token, given }
  const parts: BlobPart[] = [line, ...(await frame(secret, 0, false, author))]
  for (const [i, entry] of waiting.entries()) {
    const bytes = entry.file ? await outbox.bytesOf(entry.id) : undefined
    parts.push(...(await frame(secret, i + 1, i === waiting.length - 1, rescueEntryOf(entry), bytes)))
  }
  return new Blob(parts, { type: 'application/octet-stream' })
}

const rescueEntryOf = ({ id, madeAt, method, path, query, body, base, after, effects, file }: Entry): RescueEntry => ({
  id,
  made_at: madeAt,
  method,
  path,
  ...(query && { query }),
  ...(body && { body }),
  ...(base && { base }),
  after,
  made: (effects ?? []).flatMap((effect) => ('row' in effect ? [{ record: effect.record, row: effect.row }] : [])),
  ...(file && { type: file.type }),
})

async function sharedKey(own: CryptoKey, theirs: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const point = await subtle.importKey('raw', fromBase64url(theirs), curve, false, [])
  const bits = await subtle.deriveBits({ name: 'ECDH', public: point }, own, 256)
  const shared = await subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array() }
  return subtle.deriveKey(derivation, shared, { name: 'AES-GCM', length: 256 }, false, ['encrypt'])
}

async function frame(
  key: CryptoKey,
  number: number,
  isLast: boolean,
  said: object,
  bytes: ArrayBuffer = new ArrayBuffer(0),
): Promise<BlobPart[]> {
  const iv = new Uint8Array(12)
  new DataView(iv.buffer).setUint32(7, number)
  iv[11] = isLast ? 1 : 0
  const json = new TextEncoder().encode(JSON.stringify(said))
  const plain = await new Blob([lengthOf(json), json, bytes]).arrayBuffer()
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv }, key, plain)
  return [lengthOf(sealed), sealed]
}

function lengthOf({ byteLength }: { byteLength: number }): ArrayBuffer {
  const length = new ArrayBuffer(4)
  new DataView(length).setUint32(0, byteLength)
  return length
}

const toBase64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '')
const fromBase64url = (text: string) =>
  Uint8Array.from(atob(text.replace(/[-_]/g, (sign) => (sign === '-' ? '+' : '/'))), (sign) => sign.charCodeAt(0))
