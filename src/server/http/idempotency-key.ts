import { hash } from 'node:crypto'
import type { Call } from '#call'
import { fieldError, validationError } from '#fields'
import { invalid } from '#problem'
import type { Once } from '#rules/idempotency'
import type { ApiRequest } from './request.ts'
import type { ApiResponse } from './response.ts'

/** A repeat under the same Idempotency-Key gets the first answer, byte for byte. */
export function idempotencyOf(request: ApiRequest): Once<ApiResponse> | undefined {
  const key = request.header('idempotency-key')?.trim()
  if (!key) return undefined
  if (key.length > 255) throw invalid([fieldError('idempotency_key', validationError.tooLong(255))])
  // Who asks is in the key already, and may ask with another key of the same reach.
  const said = new URLSearchParams(request.query)
  said.delete('api_key')
  const { method, route, parameters, format } = request
  const target = `${method} ${route.path} ${JSON.stringify(parameters)} ${said} ${format.name}`
  return {
    key: `${reachOf(request.call)} ${key}`,
    fingerprint: hash('sha256', Buffer.concat([Buffer.from(`${target}\n`), request.body])),
    keep: ({ status, headers, body }) => ({ status, headers: JSON.stringify(headers), body }),
    again: ({ status, headers, body }) => ({
      status: Number(status),
      headers: { ...(typeof headers === 'string' ? JSON.parse(headers) : headers), 'Idempotent-Replayed': 'true' },
      body,
    }),
  }
}

/** Whose repeats count as one: a person's own, and those of all keys that see the same, so that one can replace another. */
function reachOf({ actor: { kind, id, groups } }: Call): string {
  return kind === 'key' ? `key of ${groups?.toSorted((a, b) => a - b).join(',') ?? 'all'}` : `${kind} ${id}`
}
