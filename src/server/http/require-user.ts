import { Problem } from '#problem'
import type { ApiRequest } from './request.ts'

/**
 * The user who signed in, for a route that is for people.
 * @throws Problem forbidden (403) for a key
 */
export function requireUser({ route, call: { actor } }: Pick<ApiRequest, 'route' | 'call'>): number {
  if (actor.kind === 'user' && actor.id !== null) return actor.id
  throw new Problem('forbidden', route.userOnly ?? 'Only somebody who signed in may do this')
}
