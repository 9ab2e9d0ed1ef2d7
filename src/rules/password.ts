import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** What a digest costs: memory in KiB, and passes over it. */
interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** Of new digests. Raised here, those of before are made anew as their people sign in. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

/** The digest that is kept for a password: a PHC string, `$argon2id$v=19$m=…,t=…,p=…$SALT$TAG`. About 15 ms of another thread. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, tagLength: TAG_BYTES, message: password, nonce })
  return `${prefixOf(cost)}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** Whether a password belongs to a digest; takes as long for an unknown person (digest null) as for a wrong word. */
export async function verifyPassword(password: string, digest: string | null): Promise<boolean> {
  const { nonce, tag, ...paid } = (digest === null ? null : parse(digest)) ?? nobodys
  const actual = await derive('argon2id', { ...paid, tagLength: TAG_BYTES, message: password, nonce })
  return digest !== null && actual.length === tag.length && timingSafeEqual(actual, tag)
}

/** Whether a digest that a password was found to match would be made otherwise today. */
export const isOutdated = (digest: string): boolean => !digest.startsWith(`${prefixOf(cost)}$`)

const prefixOf = ({ memory, passes, parallelism }: Cost) => `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

interface Digest extends Cost {
  nonce: Buffer
  tag: Buffer
}

const nobodys: Digest = { ...cost, nonce: Buffer.alloc(16), tag: Buffer.alloc(TAG_BYTES) }

/** Digests of before 0.2 are `SALT.TAG`, and had this cost. */
const unnamedCost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

function parse(digest: string): Digest | null {
  const [salt = '', tag = ''] = digest.startsWith('$') ? digest.split('$').slice(4) : digest.split('.')
  const named = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(digest)
  if (digest.startsWith('$') && !named) return null
  const [memory, passes, parallelism] = named?.slice(1).map(Number) ?? []
  const paid = named ? ({ memory, passes, parallelism } as Cost) : unnamedCost
  // Buffer reads base64 in either alphabet.
  return { ...paid, nonce: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}
