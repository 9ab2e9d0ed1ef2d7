import type { ApiFault } from '../api-error.ts'
import { newCallId } from '../call-id.ts'
import type { Clock } from './clock.ts'

/** An answer of Muster, and of nothing in between. */
export interface Answer {
  status: number
  headers: { get(name: string): string | null }
  /** Null with 304. */
  body: unknown
}

export interface Request {
  method: string
  /** Under `/v5`, with format and query: `sync.json?cursor=…`. */
  path: string
  headers?: { [name: string]: string }
  body?: string | ArrayBuffer
  timeoutMs?: number
}

/** Nobody knows whether the server did it: nothing came back, or something that Muster doesn't say. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** Longer than a bad network takes for an answer: who gives up before it comes asks the same for ever. */
const TIMEOUT_MS = 60_000

/** One request. @throws NoAnswer for all that isn't an answer of Muster: a captive portal says 200 in HTML, a proxy 502. */
export async function exchange(
  base: string,
  clock: Clock,
  fetch: typeof globalThis.fetch,
  { method, path, headers, body, timeoutMs = TIMEOUT_MS }: Request,
): Promise<Answer> {
  const sentAtMs = clock.deviceMs()
  const response = await fetch(new URL(`v5/${path}`, base), {
    method,
    headers: { 'X-Request-Id': newCallId(), ...headers },
    ...(body !== undefined && { body }),
    // A portal that leads to its own page is no answer either.
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause) => Promise.reject(new NoAnswer('The server cannot be reached', { cause })))
  if (response.status === 304) return { status: 304, headers: response.headers, body: null }
  const isJson = response.headers.get('Content-Type')?.includes('json')
  const read = isJson ? await response.json().catch(() => null) : null
  if (typeof read !== 'object' || read === null || (!response.ok && response.status !== 300 && !faultsIn(read)))
    throw new NoAnswer(`Something answered ${response.status}, and not as Muster does`)
  clock.hear(response.headers.get('Date'), sentAtMs)
  return { status: response.status, headers: response.headers, body: read }
}

/** The sentences of a refusal; null in an answer that is none. */
export function faultsIn(body: unknown): ApiFault[] | null {
  const { errors, batch } = (body ?? {}) as { errors?: ApiFault[]; batch?: unknown }
  return Array.isArray(errors) ? errors : batch ? [] : null
}

/** How long the server asks to wait. */
export function retryAfterMs(headers: { get(name: string): string | null }): number | null {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : null
}
