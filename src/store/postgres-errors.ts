import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf, noRoom, Problem } from '#problem'
import type { RetryPolicy } from './group-commit.ts'

/** The connection is gone, or the server is away, starting, stopping, or a standby that was the primary: nothing was done. */
const CONNECTION_LOST_CODES = `57P01 57P02 57P03 57P05 08000 08001 08003 08004 08006 25006
  ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN`.split(/\s+/)
/** What `pg` says of it without a code. */
const CONNECTION_LOST_MESSAGE = /^(Connection terminated|Client (has encountered a connection error|was closed))/
/** Two transactions were in each other's way, and this one was undone. */
const CONFLICT_CODES = ['40001', '40P01']
/** Nobody answered in time, or too many ask already: it passes, but was waited for already. */
const OVERLOADED_CODES = ['55P03', '57014', '25P03', '53300', 'ENOTFOUND']
const OVERLOADED_MESSAGE = /^(timeout exceeded when trying to connect|Query read timeout)/

/** A server that starts anew is back within a second or two; longer than these together nobody's request waits. */
const RETRY_DELAYS_MS = [0, 10, 30, 60, 100, 200, 400, 800, 1500]

export const isConnectionLost = (error: unknown) =>
  CONNECTION_LOST_CODES.includes(codeOf(error)) || CONNECTION_LOST_MESSAGE.test(messageOf(error))

/** When a transaction that was not committed is done again. */
export const retryPolicy: RetryPolicy = {
  isRetryable: (error) => isConnectionLost(error) || CONFLICT_CODES.includes(codeOf(error)),
  async wait(attempt) {
    const ms = RETRY_DELAYS_MS[attempt]
    if (ms === undefined) return false
    // Those that failed together don't come back together.
    await sleep(ms * (0.5 + Math.random() / 2))
    return true
  },
}

/** Reads, and reads again while the server is away. @throws Problem unavailable */
export async function retryRead<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!retryPolicy.isRetryable(error) || !(await retryPolicy.wait(attempt))) throw storageProblem(error)
    }
  }
}

/** What the database throws as the problem that it is; what is no trouble of its own stays as it is. */
export function storageProblem(error: unknown): unknown {
  const code = codeOf(error)
  if (error instanceof Problem) return error
  if (code === '53100') return noRoom(error)
  if (!retryPolicy.isRetryable(error) && !OVERLOADED_CODES.includes(code) && !OVERLOADED_MESSAGE.test(messageOf(error)))
    return error
  return unavailable('The database is not available; try again', error)
}

/** The server went away after it was told to commit. */
export const unknownCommitProblem = (error: unknown) =>
  unavailable(
    'The database went away while it kept this, and nobody knows whether it did: look, or ask again with the same Idempotency-Key',
    error,
  )

const unavailable = (sentence: string, cause: unknown) =>
  new Problem('unavailable', sentence, { cause, headers: { 'Retry-After': '1' } })
