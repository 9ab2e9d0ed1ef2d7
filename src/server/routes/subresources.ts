import { madeAt } from '#call'
import { type FieldError, readFields } from '#fields'
import { notFound } from '#problem'
import { type Job, job } from '#records/job'
import type { Subresource } from '#records/subresources'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { mutate } from './mutate.ts'
import { find, print, shown } from './row.ts'

/** The routes of what happens to a record and has an address of its own. */
export function subresourceRoutes(subresources: Subresource[]): Route[] {
  return subresources.map((subresource) => ({
    path: subresource.path,
    record: job,
    wireNames: { name: subresource.name, plural: subresource.name },
    responseSchema: subresource,
    ...(subresource.workerAllowed && { workerAllowed: true }),
    methods: {
      GET: (request) => show(request, subresource),
      POST: (request) => make(request, subresource),
      DELETE: (request) => undo(request, subresource),
    },
  }))
}

async function show(request: ApiRequest, subresource: Subresource): Promise<ApiResponse> {
  const row = await find(request, request.call.store, { of: job })
  const there = subresource.of(row, request.parameters)
  if (!there) throw notFound()
  return shown(request, row, print(request, there, [], subresource))
}

async function make(request: ApiRequest, subresource: Subresource): Promise<ApiResponse> {
  const errors: FieldError[] = []
  // Saying nothing is enough: then it happens now.
  const raw = request.body.length === 0 ? {} : request.read([subresource.name])
  const said = readFields(subresource.fields, raw, { path: '', errors })
  return mutate(
    request,
    {
      action: 'update',
      errors,
      target: (tx) => target(request, subresource, tx),
      draft: (row) => subresource.make(said, row, madeAt(request.call), request.parameters),
    },
    {
      record: job,
      status: 201,
      headers: (row) => ({
        Location: `${request.baseUrl}/v5${subresource.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? String(row.id) : (request.parameters[name] ?? '')))}`,
      }),
      body: (row, warnings) => print(request, subresource.of(row, request.parameters) ?? {}, warnings, subresource),
    },
  )
}

/** Answers what was there; taking back what isn't there is 404. */
async function undo(request: ApiRequest, subresource: Subresource): Promise<ApiResponse> {
  let there: ReturnType<Subresource['of']> = null
  const errors: FieldError[] = []
  const said = readFields(subresource.undoFields ?? {}, Object.fromEntries(request.query), { path: '', errors })
  return mutate(
    request,
    {
      action: 'update',
      errors,
      target: async (tx) => {
        const row = await target(request, subresource, tx)
        there = subresource.of(row, request.parameters)
        if (!there) throw notFound()
        return row
      },
      draft: (row) => subresource.undo(row, said, request.parameters),
    },
    { record: job, body: (_, warnings) => print(request, there ?? {}, warnings, subresource) },
  )
}

/** The record, where the rest of the address leads to something in it. */
async function target(request: ApiRequest, subresource: Subresource, tx: Parameters<typeof find>[1]): Promise<Job> {
  const row = await find(request, tx, { of: job })
  if (subresource.exists && !subresource.exists(row, request.parameters)) throw notFound()
  return row
}
