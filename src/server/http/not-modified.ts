import type { IncomingMessage } from 'node:http'
import { headerValue } from './header-value.ts'
import { type ApiResponse, matchesEtag } from './response.ts'

/** Whether the client has it already: by its ETag, or without one by its date, where it has one. */
export function isNotModified(
  { headers: asked }: Pick<IncomingMessage, 'headers'>,
  etag: string | null,
  headers: ApiResponse['headers'],
): boolean {
  const tags = headerValue(asked['if-none-match'])
  if (tags !== undefined) return etag !== null && matchesEtag(tags, etag)
  const since = headerValue(asked['if-modified-since'])
  return since !== undefined && Date.parse(headers['Last-Modified'] ?? '') <= Date.parse(since)
}
