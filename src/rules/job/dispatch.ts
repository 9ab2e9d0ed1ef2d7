import { later } from '#fields/instant'
import type { Account } from '#records/account'
import type { Job } from '#records/job'

/** Who is to do a job, since when they know, and what they said to it. */
export type Dispatch = Pick<
  Job,
  'worker_id' | 'published_at' | 'confirmation' | 'decline_reason' | 'confirmed_at' | 'confirm_by'
>
type Settings = Account['settings']

const unanswered = { confirmation: null, decline_reason: null, confirmed_at: null, confirm_by: null }

/** A publication of before there was a worker is for the first who comes; whoever takes over has not been told yet. */
export const assign = (dispatch: Dispatch, worker_id: number | null): Dispatch => ({
  ...unanswered,
  worker_id,
  published_at: dispatch.worker_id === null ? dispatch.published_at : null,
})

/** Who is told anew is asked anew. */
export const publish = (dispatch: Dispatch, at: string): Dispatch => ({ ...dispatch, ...unanswered, published_at: at })

export const unpublish = (dispatch: Dispatch): Dispatch => ({ ...dispatch, ...unanswered, published_at: null })

export const answer = (
  dispatch: Dispatch,
  confirmation: 'accepted' | 'declined',
  reason: string | null,
  at: string | null,
): Dispatch => ({
  ...dispatch,
  confirmation,
  decline_reason: confirmation === 'declined' ? reason : null,
  confirmed_at: at,
  confirm_by: null,
})

export const withdrawAnswer = (dispatch: Dispatch): Dispatch => ({ ...dispatch, ...unanswered })

/** Asks the worker of a published job, where the account does; from `now` on they have time to answer. */
export function ask(dispatch: Dispatch, settings: Settings, now: string): Dispatch {
  const { worker_id, published_at, confirmation } = dispatch
  if (!settings.asks_acceptance || !worker_id || !published_at || confirmation) return dispatch
  const delays = [settings.auto_accept_after, settings.auto_decline_after].filter((delay) => delay !== null)
  const confirm_by = delays.length === 0 ? null : later(now, Math.min(...delays) * 1000)
  return { ...dispatch, confirmation: 'pending', confirm_by }
}
