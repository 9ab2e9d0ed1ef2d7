import { hash, randomBytes } from 'node:crypto'

/**
 * A secret of a session or a link: begins with the number of its account, so that it can be looked up there like
 * everything else, and has 256 bits.
 */
export const newSecret = (account: number) => `${account.toString(36)}_${randomBytes(32).toString('base64url')}`

/** An API key, and what is kept of it: a digest, and its first characters to tell it by. */
export function newApiKey(account: number) {
  const text = `${account.toString(36)}_${randomBytes(24).toString('base64url')}`
  return { text, prefix: text.slice(0, 6), digest: digestOf(text) }
}

/** What is kept of a secret. */
export const digestOf = (secret: string) => hash('sha256', secret, 'hex')

/** The number of the account that a secret begins with; null for what is no secret. */
export function accountIn(secret: string): number | null {
  const number = Number.parseInt(/^([0-9a-z]{1,10})_[A-Za-z0-9_-]{20,100}$/.exec(secret)?.[1] ?? '', 36)
  return Number.isSafeInteger(number) ? number : null
}
