import { createHmac, timingSafeEqual, webcrypto } from 'node:crypto'
import type { Account } from '#records/account'

/** The key of an account, for what waits on a phone and can't be sent: phones have the public half. */
export interface RescueKeys {
  /** A point of P-256, uncompressed, base64url. */
  publicKey: string
  privateKey: webcrypto.CryptoKey
}

const { subtle } = webcrypto
const curve = { name: 'ECDH', namedCurve: 'P-256' }

/** What an account keeps of a new key. */
export async function newRescueKey(): Promise<string> {
  const { privateKey } = await subtle.generateKey(curve, true, ['deriveBits'])
  return Buffer.from(await subtle.exportKey('pkcs8', privateKey)).toString('base64')
}

export async function rescueKeysOf(kept: string): Promise<RescueKeys> {
  const bytes = Buffer.from(kept, 'base64')
  const { x, y } = await subtle.exportKey('jwk', await subtle.importKey('pkcs8', bytes, curve, true, ['deriveBits']))
  const point = [Buffer.from([4]), Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]
  return {
    publicKey: Buffer.concat(point).toString('base64url'),
    privateKey: await subtle.importKey('pkcs8', bytes, curve, false, ['deriveBits']),
  }
}

/**
 * What a person's phones prove with that a rescue file is theirs: it stands inside of the file, which only the server reads.
 * Everybody has the public key, and could write a file in the name of somebody else.
 */
export const rescueTokenOf = ({ rescue_key: key }: Account, userId: number): string =>
  createHmac('sha256', key ?? '')
    .update(`rescue of user ${userId}`)
    .digest('base64url')

export const isRescueToken = (account: Account, userId: number, token: unknown): boolean =>
  typeof token === 'string' && isEqual(Buffer.from(token), Buffer.from(rescueTokenOf(account, userId)))

const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
