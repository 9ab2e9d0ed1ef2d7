import { notFound, Problem } from '#problem'
import { event, eventOf, rowOf } from '#records/event'
import { lastKnownValue, redactEvent, wasVisible } from '#rules/visible-events'
import { pagingLimits, readIntegers } from '../http/integer-parameters.ts'
import { pagingOf, printFitting } from '../http/page.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { idOf, type Route } from '../http/router.ts'
import { printingFor } from '../http/selection.ts'
import { eventSchema } from './events.ts'
import { find } from './row.ts'

/** `GET /v5/jobs/5/history`, for whatever is written over the interface: what happened to it, newest last. (docs/contract.md#the-journal) */
export function historyRoutes(routes: Route[]): Route[] {
  return routes
    .filter(({ path, record, methods }) => path.endsWith('/{id}') && methods.GET && record.allow.write !== 'nobody')
    .map(({ path, record, alias }) => ({
      path: `${path}/history`,
      record,
      wireNames: event,
      ...(alias && { alias }),
      isList: true as const,
      responseSchema: {
        about: `What happened to it, newest last; also when it was deleted.`,
        fields: eventOf(record).fields,
        json: eventSchema,
      },
      methods: { GET: history },
    }))
}

async function history(request: ApiRequest): Promise<ApiResponse> {
  const { call, format, route, app } = request
  const { page, per_page } = readIntegers(request.query, pagingLimits)
  const id = await findIdOrDeleted(request)
  const { journal } = call.store
  const record = (name: string) => app.store.statements.record(name)
  const [total, found] = await Promise.all([
    journal.countOf(route.record.name, id),
    journal.of(route.record.name, id, { limit: per_page, offset: (page - 1) * per_page }),
  ])
  const print = format.list(eventOf(route.record), event)
  const printing = { ...printingFor(request), added: undefined }
  const there = Math.max(0, Math.min(per_page, total - (page - 1) * per_page))
  const body = printFitting(found.events, (events) =>
    print(
      events.map((one) => rowOf(redactEvent(call, record, one), route.record)),
      pagingOf({ page, limit: per_page }, total, events.length < there ? events.length : per_page),
      printing,
    ),
  )
  return { status: 200, headers: {}, body }
}

/** The id of a record that is there, or that was deleted and could be seen before. @throws Problem not_found */
async function findIdOrDeleted(request: ApiRequest): Promise<number | string> {
  const { call, route, app, parameters } = request
  try {
    return (await find(request, call.store)).id
  } catch (error) {
    const id = idOf(route.record, parameters.id ?? '')
    const record = (name: string) => app.store.statements.record(name)
    const all = app.store.asSystem(
      call.actor.account.id,
      'whether a deleted record was visible follows from what it was',
    )
    const gone = error instanceof Problem && error.kind === 'not_found' && id !== null
    if (!gone || !(await wasVisible(call, all, record, route.record, String(id)))) throw error
    // Under an alias or a parent only what belonged there.
    for (const [name, value] of Object.entries(parameters))
      if (name !== 'id' && String(await lastKnownValue(call, route.record, String(id), name)) !== value)
        throw notFound()
    if (route.alias && !(await lastKnownValue(call, route.record, String(id), route.alias.where))) throw notFound()
    return id
  }
}
