import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Shown } from '../../src/fields/index.ts'
import type { account } from '../../src/records/account.ts'
import type { user } from '../../src/records/user.ts'
import { ApiError } from '../client/index.ts'
import { api } from './api.ts'
import { takeOver } from './preferences.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What the server refuses it refuses again; what it could not be asked is asked when it can be.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status !== null && error.status < 500),
    },
  },
})

export type Permission = keyof Shown<typeof user>['permissions'] & string

/** Who is signed in, and the account they work in. */
export interface Session {
  id: number
  user_id: number
  user_name: string
  permissions: { [permission in Permission]: 'full' | 'read' | 'none' }
  /** Missing where the company asks for one and the person has none yet. */
  second_factor?: 'missing' | null
  account: Shown<typeof account>
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Session> => {
    const [session, account] = await Promise.all([
      api.request<{ session: Omit<Session, 'account'> }>('GET', 'session/current'),
      api.request<Pick<Session, 'account'>>('GET', 'account').catch(untilSetUp),
    ])
    // How they like it is no reason to keep them waiting at the door.
    await takeOver().catch(() => {})
    return { ...session.body.session, account: account.body.account }
  },
})

/** Inside of the frame, where somebody is signed in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('nobody is signed in')
  return data
}

/** Who must set up a second factor first is told nothing of the account; the frame around that page needs little. */
function untilSetUp(error: unknown): { body: Pick<Session, 'account'> } {
  if (!(error instanceof ApiError) || error.faults[0]?.code !== 'second_factor_missing') throw error
  return { body: { account: { time_zone: 'UTC', features: {} } as Session['account'] } }
}
