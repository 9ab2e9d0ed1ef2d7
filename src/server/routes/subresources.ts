import { madeAt } from '#call'
import { type FieldError, readFields } from '#fields'
import { notFound } from '#problem'
import { type Job, job } from '#records/job'
import type { Subresource } from '#records/subresources'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { find, mutate, print, shown } from './verbs.ts'

/** The routes of what happens to a record and has an address of its own. */
export function subresourceRoutes(nouns: Subresource[]): Route[] {
  return nouns.map((noun) => ({
    path: noun.path,
    record: job,
    wireNames: { name: noun.name, plural: noun.name },
    responseSchema: noun,
    ...(noun.workerAllowed && { workerAllowed: true }),
    methods: {
      GET: (request) => show(request, noun),
      POST: (request) => make(request, noun),
      DELETE: (request) => undo(request, noun),
    },
  }))
}

async function show(request: ApiRequest, noun: Subresource): Promise<ApiResponse> {
  const row = await find(request, request.call.store, { of: job })
  const there = noun.of(row, request.parameters)
  if (!there) throw notFound()
  return shown(request, row, print(request, there, [], noun))
}

async function make(request: ApiRequest, noun: Subresource): Promise<ApiResponse> {
  const errors: FieldError[] = []
  // Saying nothing is enough: then it happens now.
  const raw = request.body.length === 0 ? {} : request.read([noun.name])
  const said = readFields(noun.fields, raw, { path: '', errors })
  return mutate(
    request,
    {
      action: 'update',
      errors,
      target: (tx) => target(request, noun, tx),
      draft: (row) => noun.make(said, row, madeAt(request.call), request.parameters),
    },
    {
      record: job,
      status: 201,
      headers: (row) => ({
        Location: `${request.baseUrl}/v5${noun.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? String(row.id) : (request.parameters[name] ?? '')))}`,
      }),
      body: (row, warnings) => print(request, noun.of(row, request.parameters) ?? {}, warnings, noun),
    },
  )
}

/** Answers what was there; taking back what isn't there is 404. */
async function undo(request: ApiRequest, noun: Subresource): Promise<ApiResponse> {
  let there: ReturnType<Subresource['of']> = null
  const errors: FieldError[] = []
  const said = readFields(noun.undoFields ?? {}, Object.fromEntries(request.query), { path: '', errors })
  return mutate(
    request,
    {
      action: 'update',
      errors,
      target: async (tx) => {
        const row = await target(request, noun, tx)
        there = noun.of(row, request.parameters)
        if (!there) throw notFound()
        return row
      },
      draft: (row) => noun.undo(row, said, request.parameters),
    },
    { record: job, body: (_, warnings) => print(request, there ?? {}, warnings, noun) },
  )
}

/** The record, where the rest of the address leads to something in it. */
async function target(request: ApiRequest, noun: Subresource, tx: Parameters<typeof find>[1]): Promise<Job> {
  const row = await find(request, tx, { of: job })
  if (noun.exists && !noun.exists(row, request.parameters)) throw notFound()
  return row
}
