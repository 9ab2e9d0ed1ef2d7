import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
const cost = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 }

/** The digest that is kept for a password: `salt.tag`, both base64url. About 15 ms of another thread. */
export async function sealPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, message: password, nonce })
  return `${nonce.toString('base64url')}.${tag.toString('base64url')}`
}

/** Whether a password belongs to a digest; takes as long for an unknown person (digest null) as for a wrong word. */
export async function passwordMatches(password: string, digest: string | null): Promise<boolean> {
  const [nonce = '', tag = ''] = (digest ?? `${'A'.repeat(22)}.${'A'.repeat(43)}`).split('.')
  const expected = Buffer.from(tag, 'base64url')
  const actual = await derive('argon2id', { ...cost, message: password, nonce: Buffer.from(nonce, 'base64url') })
  return digest !== null && actual.length === expected.length && timingSafeEqual(actual, expected)
}
