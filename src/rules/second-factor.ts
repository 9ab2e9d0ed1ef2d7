import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { type SecondFactor, secondFactor } from '#records/second-factor'
import type { Reader, Tx } from '#store/store'
import type { MutationContext } from './rule.ts'

const PERIOD_MS = 30_000
/** Codes of the half minute before and after are taken too: clocks differ, and people type. */
const WINDOW_STEPS = 1
const RECOVERY_CODES = 10

export const newFactorSecret = (): string => new Secret({ size: 20 }).base32

/** What an app scans: `otpauth://totp/…` */
export const uriOf = (secret: string, company: string, email: string): string =>
  new TOTP({ issuer: `Muster (${company})`, label: email, secret: Secret.fromBase32(secret) }).toString()

/** The second factor of a person; null where there is none, or one that was never confirmed. */
export async function confirmedFactorOf(reader: Reader, user: number): Promise<SecondFactor | null> {
  const found = await factorOf(reader, user)
  return found?.confirmed_at ? found : null
}

export const factorOf = (reader: Reader, user: number): Promise<SecondFactor | null> =>
  reader.findBy(secondFactor, 'user_id', user)

/** The half minute of a code, since 1970; null for a wrong one, and for one of a half minute that was used. */
export function stepOf({ secret, used_step }: SecondFactor, code: string, now: number): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code.replaceAll(' ', ''), timestamp: now, window: WINDOW_STEPS })
  if (delta === null) return null
  const step = Math.floor(now / PERIOD_MS) + delta
  return step > (used_step ?? 0) ? step : null
}

/** Whether a code would be taken. */
export const fits = (factor: SecondFactor, code: string, now: number): boolean =>
  stepOf(factor, code, now) !== null || digestsOf(factor).includes(digestOfCode(code))

/** Takes a code, of the app or for recovery, which no other sign-in takes again. Answers whether it was one. */
export async function useCode(
  { tx, update }: Pick<MutationContext, 'tx' | 'update'>,
  user: number,
  code: string,
  now: number,
): Promise<boolean> {
  const factor = await confirmedFactorOf(tx.asSystem('nobody is signed in yet'), user)
  if (!factor) return false
  const step = stepOf(factor, code, now)
  if (step !== null) return markUsed(tx, factor, step)
  const left = digestsOf(factor)
  const digest = digestOfCode(code)
  if (!left.includes(digest)) return false
  await update(secondFactor, factor, { recovery_digests: left.filter((one) => one !== digest).join(' ') })
  return true
}

async function markUsed(tx: Tx, factor: SecondFactor, step: number): Promise<true> {
  await tx.update(secondFactor, factor, { used_step: step })
  return true
}

/** Codes for who has lost the app: each is good for one sign-in. Shown once; digests are kept. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(12), (byte) => ALPHABET[byte % ALPHABET.length])
      .join('')
      .replace(/^(.{4})(.{4})/, '$1-$2-'),
  )

export const digestsFor = (codes: string[]): string => codes.map(digestOfCode).join(' ')

export const digestsOf = ({ recovery_digests }: SecondFactor): string[] =>
  (recovery_digests ?? '').split(' ').filter(Boolean)

/** 32 letters and digits of which none looks like another: 60 bits a code. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789'

const digestOfCode = (code: string) => hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'hex')
