import type { Client, Query } from '../../client/index.ts'
import type { Job } from './board/plan.ts'
import type { Candidate } from './board/verdict.ts'
import type { Answer, Span } from './board/verdict-at.ts'
import { isoOf } from './writes.ts'

/** Who could take a job at its time, best first; whenever it is, where it has none. @throws ApiError */
export async function candidatesFor(client: Client, job: Job, signal: AbortSignal): Promise<Candidate[]> {
  return (await ask<{ candidates: Candidate[] }>(client, job, {}, signal)).candidates
}

/** The same, with what the verdicts of other times follow from, between two instants. @throws ApiError */
export function candidatesWithin(client: Client, job: Job, at: Span, window: Span, signal: AbortSignal) {
  const query = { ...queryOf(at), from: isoOf(window.from), to: isoOf(window.to) }
  return ask<Answer>(client, job, query, signal)
}

const queryOf = ({ from, to }: Span) => ({
  planned_start_at: isoOf(from),
  planned_duration: Math.round((to - from) / 1000),
})

async function ask<T>(client: Client, { id }: Job, query: Query, signal: AbortSignal): Promise<T> {
  return (await client.request<T>('GET', `jobs/${id}/candidates`, { query, signal })).body
}
