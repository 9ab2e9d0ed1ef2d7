import { Problem } from '#problem'
import { job } from '#records/job'
import { actsAsWorker } from '#rules/abilities'
import { findLostJob, type LostJob } from '#rules/done-offline'
import type { ApiRequest } from './request.ts'
import type { ApiResponse } from './response.ts'
import { type Handler, idOf } from './router.ts'
import { printingFor } from './selection.ts'

/**
 * Has a route answer. What a worker did while they were out of reach, on a job that is theirs no more, is not refused: it is done once
 * more against the job as they knew it, and kept as a conflict. (docs/api/conflicts.md)
 */
export async function perform(request: ApiRequest, handle: Handler): Promise<ApiResponse> {
  const { body } = request
  // What is written is printed once it is kept: what can't be printed is refused before.
  if (!['GET', 'HEAD'].includes(request.method)) printingFor(request)
  try {
    return await handle(request)
  } catch (error) {
    const isUnseen = error instanceof Problem && ['not_found', 'forbidden'].includes(error.kind)
    const lost = isUnseen ? await lostJobOf(request) : null
    if (!lost) throw error
    request.body = body
    request.passedOver.length = 0
    request.lost = lost
    return handle(request)
  }
}

async function lostJobOf({ app, call, route, parameters, format }: ApiRequest): Promise<LostJob | null> {
  const { actor, madeAt, now } = call
  const id = idOf(job, parameters.id ?? '')
  const isAct = route.record.name === job.name && actsAsWorker(actor, job) && format.name === 'json'
  if (!madeAt || !isAct || typeof id !== 'number' || actor.id === null) return null
  const all = app.store.asSystem(actor.account.id, 'whether a job was theirs is told by its journal')
  return findLostJob(all, (name) => app.store.statements.record(name), id, { userId: actor.id, madeAt, now })
}
