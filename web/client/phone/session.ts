import type { Answer, Request } from './exchange.ts'

/**
 * Whose the session of this browser is: a tab of the office may have signed somebody else in. @returns the answer where it
 * says neither
 * @throws NoAnswer
 */
export async function isSignedIn(
  ask: (request: Request) => Promise<Answer>,
  userId: number,
): Promise<boolean | Answer> {
  const answer = await ask({ method: 'GET', path: 'session/current.json' })
  const { session } = (answer.body ?? {}) as { session?: { user_id: number } }
  if (answer.status === 401) return false
  return answer.status < 300 ? session?.user_id === userId : answer
}
