import { notFound, type Problem } from '#problem'
import { event, eventOf, rowOf } from '#records/event'
import { asSeen, lastKnown, wasSeen } from '#rules/sight'
import type { Answer } from './answer.ts'
import { pages, readNumbers } from './numbers.ts'
import type { ApiRequest } from './request.ts'
import { idOf, type Route } from './routes.ts'
import { find, printingFor } from './verbs.ts'

/** `GET /v5/jobs/5/history`, for whatever is written over the interface: what happened to it, newest last. (records.md, 13) */
export function historyRoutes(routes: Route[]): Route[] {
  return routes
    .filter(({ path, record, methods }) => path.endsWith('/{id}') && methods.GET && record.allow.write !== 'nobody')
    .map(({ path, record, alias }) => ({
      path: `${path}/history`,
      record,
      naming: event,
      ...(alias && { alias }),
      lists: true as const,
      shows: { about: `What happened to it, newest last; also when it was deleted.`, fields: eventOf(record).fields },
      methods: { GET: history },
    }))
}

async function history(request: ApiRequest): Promise<Answer> {
  const { call, format, route, app } = request
  const { page, per_page } = readNumbers(request.query, pages)
  const id = await idOfKnown(request)
  const { journal } = call.store
  const record = (name: string) => app.store.statements.record(name)
  const [total, events] = await Promise.all([
    journal.countOf(route.record.name, id),
    journal.of(route.record.name, id, { limit: per_page, offset: (page - 1) * per_page }),
  ])
  const paging = {
    current_page: page,
    per_page,
    total_pages: Math.ceil(total / per_page),
    total_entries: total,
  }
  return {
    status: 200,
    headers: {},
    body: format.list(eventOf(route.record), event)(
      events.map((one) => rowOf(asSeen(call, record, one), route.record)),
      paging,
      { ...printingFor(request), can: undefined },
    ),
  }
}

/** The id of a record that is there, or that was deleted and could be seen before. @throws Problem not_found */
async function idOfKnown(request: ApiRequest): Promise<number | string> {
  const { call, route, app, parameters } = request
  try {
    return (await find(request, call.store)).id
  } catch (error) {
    const id = idOf(route.record, parameters.id ?? '')
    const record = (name: string) => app.store.statements.record(name)
    const gone = (error as Problem).kind === 'not_found' && id !== null
    if (!gone || !(await wasSeen(call, record, route.record, String(id)))) throw error
    // Under an alias or a parent only what belonged there.
    for (const [name, value] of Object.entries(parameters))
      if (name !== 'id' && String(await lastKnown(call, route.record, String(id), name)) !== value) throw notFound()
    if (route.alias && !(await lastKnown(call, route.record, String(id), route.alias.where))) throw notFound()
    return id
  }
}
