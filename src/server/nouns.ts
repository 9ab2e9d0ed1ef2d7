import { type Fault, type RawRow, type RecordType, readFields } from '#fields'
import { notFound } from '#problem'
import type { Noun } from '#records/nouns'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './routes.ts'
import { act, find, printed } from './verbs.ts'

/** The routes of what happens to a record and has an address of its own. */
export function nounRoutes(record: RecordType, nouns: Noun[]): Route[] {
  return nouns.map((noun) => ({
    path: noun.path,
    record,
    naming: { name: noun.name, plural: noun.name },
    shows: noun,
    ...(noun.phone && { phone: true }),
    methods: {
      GET: (request) => show(request, noun),
      POST: (request) => make(request, noun),
      DELETE: (request) => undo(request, noun),
    },
  }))
}

async function show(request: ApiRequest, noun: Noun): Promise<Answer> {
  const there = noun.of(await find(request, request.call.store), request.parameters)
  if (!there) throw notFound()
  return { status: 200, headers: {}, body: printed(request, there, [], noun) }
}

async function make(request: ApiRequest, noun: Noun): Promise<Answer> {
  const faults: Fault[] = []
  // Saying nothing is enough: then it happens now.
  const raw = request.body.length === 0 ? {} : request.read([noun.name])
  const said = readFields(noun.fields, raw, { path: '', faults })
  return act(
    request,
    {
      action: 'update',
      faults,
      target: (tx) => target(request, noun, tx),
      draft: (row) => noun.make(said, row, request.call.now, request.parameters),
    },
    {
      status: 201,
      headers: (row) => ({
        Location: `${request.baseUrl}/v5${noun.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? row.id : request.parameters[name]))}`,
      }),
      body: (row, warnings) => printed(request, noun.of(row, request.parameters) ?? {}, warnings, noun),
    },
  )
}

/** Answers what was there; taking back what isn't there is 404. */
async function undo(request: ApiRequest, noun: Noun): Promise<Answer> {
  let there: RawRow | null = null
  return act(
    request,
    {
      action: 'update',
      faults: [],
      target: async (tx) => {
        const row = await target(request, noun, tx)
        there = noun.of(row, request.parameters)
        if (!there) throw notFound()
        return row
      },
      draft: (row) => noun.undo(row, request.parameters),
    },
    { body: (_, warnings) => printed(request, there ?? {}, warnings, noun) },
  )
}

/** The record, where the rest of the address leads to something in it. */
async function target(request: ApiRequest, noun: Noun, tx: Parameters<typeof find>[1]): Promise<RawRow> {
  const row = await find(request, tx)
  if (noun.exists && !noun.exists(row, request.parameters)) throw notFound()
  return row
}
