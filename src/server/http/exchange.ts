import type { Format } from '#formats/format'
import type { ApiRequest } from './request.ts'
import type { Match } from './router.ts'
import type { Target } from './target.ts'

/** A request on its way through the stages; each adds what it found. */
export interface Exchange {
  id: string
  startedAt: number
  method: string
  format: Format
  gzip: boolean
  target: Target
  /** The route of the address; null when there is none. */
  match: Match | null
  /** Headers of its answer, whatever that is. */
  headers: { [name: string]: string }
  /** What keeps the address from being read. */
  addressError?: unknown
  /** What the stages from `identify` on need; absent when the request was refused before. */
  request?: ApiRequest
}

export const isRead = ({ method }: Pick<Exchange, 'method'>) => method === 'GET' || method === 'HEAD'
