import type { Draft, RecordType, Shown } from '../../src/fields/index.ts'
import { ApiError, type ApiFault, errorOf } from './api-error.ts'
import { newCallId } from './call-id.ts'

/** An answer to a page, a phone or a program that reads: most come within 100 ms. */
const TIMEOUT_MS = 30_000

export interface Connection {
  /** Address of the server, with the path under which a proxy serves it: `https://muster.example.com/`. */
  base: string
  /** An API key. A page has none: the browser sends the cookie of its session. */
  key?: string
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

type Value = string | number | boolean | null
/** A list is sent as `name[]=…` for each; null as an empty value; what is undefined is left out. */
export type Query = { [name: string]: Value | undefined | readonly Value[] }

export interface Asked {
  query?: Query
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, in place of a body, with its own type. */
  file?: Blob
  signal?: AbortSignal
  /** Sent also when the page is left meanwhile. */
  keepalive?: true
  /** Name of the deed; its events carry the same one, and several writes may share it. */
  callId?: string
  /** A write that is sent again with the same one is done once; without it, the call's id is. */
  idempotencyKey?: string
  /** Refused with 412 unless the record still is as it was with this ETag. */
  ifMatch?: string
  /** Every rule is run, and nothing is written. */
  dryRun?: boolean
}

export interface Answered<T> {
  body: T
  /** Its events carry the same one. */
  callId: string
  etag: string | null
}

/** A record after a write, with what the guard warns of. */
export interface Written<T> {
  row: T
  warnings: ApiFault[]
  callId: string
  etag: string | null
}

export interface Page<T> {
  rows: T[]
  /** Whether there are others after these. */
  more: boolean
  currentPage: number
  perPage: number
  /** Not a number where the total wasn't asked for. */
  totalPages: number
  totalEntries: number
}

export type IdOf<R extends RecordType> =
  Shown<R> extends { id: infer Id extends string | number } ? Id : string | number
/** The parents of a child record, by their parameter: `{ thread_id: '…' }`. */
export type Parents = { [parameter: string]: string | number }

export type Client = ReturnType<typeof connect>

/** The API of one server, as one caller sees it. Every method throws `ApiError`. */
export function connect({ base, key, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS }: Connection) {
  let aheadMs = 0
  return {
    request,
    open,
    /** What the server's clock says, in milliseconds of the epoch; this one's may be set wrong. */
    now: () => Date.now() + aheadMs,

    /** A whole list, in the order of ids, however long it is. */
    async listAll<R extends RecordType>(record: R, query: Query = {}, asked: Asked & { of?: Parents } = {}) {
      const rows: Shown<R>[] = []
      for (let after: unknown = 0; ; ) {
        const page = await this.list(
          record,
          { ...query, after_id: after as number, per_page: 1000, total: false },
          asked,
        )
        rows.push(...page.rows)
        if (!page.more) return rows
        after = (page.rows.at(-1) as { id?: unknown } | undefined)?.id
      }
    },

    /** A page of a list: `list(job, { worker_id: 7, per_page: 200 })`. */
    async list<R extends RecordType>(record: R, query: Query = {}, asked: Asked & { of?: Parents } = {}) {
      const { body } = await request<{ [name: string]: unknown }>('GET', addressOf(record, asked.of), {
        ...asked,
        query,
      })
      return pageOf<Shown<R>>(record, body)
    },

    async find<R extends RecordType>(record: R, id: IdOf<R>, asked: Asked & { of?: Parents } = {}) {
      return rowOf<R>(record, await request('GET', addressOf(record, asked.of, id), asked))
    },

    async create<R extends RecordType>(record: R, draft: Draft<R>, asked: Asked & { of?: Parents } = {}) {
      return rowOf<R>(record, await request('POST', addressOf(record, asked.of), sent(record, draft, asked)))
    },

    /** Changes the fields of the draft, and no others. */
    async update<R extends RecordType>(record: R, id: IdOf<R>, draft: Draft<R>, asked: Asked & { of?: Parents } = {}) {
      return rowOf<R>(record, await request('PATCH', addressOf(record, asked.of, id), sent(record, draft, asked)))
    },

    async delete<R extends RecordType>(record: R, id: IdOf<R>, asked: Asked & { of?: Parents } = {}) {
      return rowOf<R>(record, await request('DELETE', addressOf(record, asked.of, id), asked))
    },
  }

  /** Any other address: `request('POST', 'jobs/5/publication')`. Paths are those under `/v5`, without the format. */
  async function request<T>(method: string, path: string, asked: Asked = {}): Promise<Answered<T>> {
    const callId = asked.callId ?? newCallId()
    const answer = await send(method, `${path}.json`, callId, asked, AbortSignal.timeout(timeoutMs))
    const body = (await answer.json().catch((cause) => Promise.reject(unreachable(callId, cause)))) as T
    return { body, callId: answer.headers.get('X-Request-Id') ?? callId, etag: answer.headers.get('ETag') }
  }

  /** An answer that goes on until `signal` says otherwise: the stream of events. */
  function open(path: string, asked: Asked & { headers?: { [name: string]: string } }): Promise<Response> {
    return send('GET', path, asked.callId ?? newCallId(), asked)
  }

  async function send(
    method: string,
    path: string,
    callId: string,
    {
      query,
      body,
      file,
      signal,
      keepalive,
      idempotencyKey = callId,
      ifMatch,
      dryRun,
      headers,
    }: Asked & { headers?: { [name: string]: string } },
    timeout?: AbortSignal,
  ): Promise<Response> {
    const answer = await fetch(
      addressWith(new URL(`v5/${path}`, base), { ...query, ...(dryRun && { dry_run: true }) }),
      {
        method,
        headers: {
          'X-Request-Id': callId,
          ...(method !== 'GET' && !dryRun && { 'Idempotency-Key': idempotencyKey }),
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(file && { 'Content-Type': file.type }),
          ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(file && { body: file }),
        ...(keepalive && { keepalive }),
        signal: AbortSignal.any([signal, timeout].filter((one) => one !== undefined)),
        // Answers are private and carry an ETag; what is live is kept by the store.
        cache: 'no-store',
      },
    ).catch((cause) => {
      // Who called it off is told so, and not that the server is away.
      signal?.throwIfAborted()
      throw unreachable(callId, cause)
    })
    const ahead = Date.parse(answer.headers.get('Date') ?? '') - Date.now()
    aheadMs = Math.abs(ahead) > clockSlackMs ? ahead : 0
    // Several choices are an answer: which account somebody means to sign in to.
    if (!answer.ok && answer.status !== 300) throw await errorOf(answer, callId)
    return answer
  }
}

/** The server says whole seconds, and an answer takes its time: so much is no other clock. */
const clockSlackMs = 10_000

const unreachable = (callId: string, cause: unknown) =>
  new ApiError(null, callId, [{ field: null, code: 'unreachable', message: 'The server cannot be reached' }], { cause })

function addressWith(address: URL, query: Query): URL {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) address.searchParams.append(`${name}[]`, String(one ?? ''))
    else if (value !== undefined) address.searchParams.set(name, String(value ?? ''))
  }
  return address
}

/** `messaging/9a…/messages/5` for a message of a thread. */
function addressOf({ name, path }: RecordType, parents: Parents = {}, id?: string | number): string {
  if (path === null) throw new Error(`A ${name} has no address of its own`)
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = parents[parameter]
    if (value === undefined) throw new Error(`A ${name} has its address in its ${parameter}`)
    return encodeURIComponent(value)
  })
  return `${filled.slice(1)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
}

const sent = <R extends RecordType>({ name }: R, draft: Draft<R>, asked: Asked): Asked => ({
  ...asked,
  body: { [name]: draft },
})

function rowOf<R extends RecordType>({ name }: R, { body, callId, etag }: Answered<unknown>): Written<Shown<R>> {
  // The answer is what its record's description says: the contract tests hold every route to it.
  const { [name]: row, warnings } = body as { [root: string]: Shown<R> } & { warnings?: ApiFault[] }
  return { row: row as Shown<R>, warnings: warnings ?? [], callId, etag }
}

function pageOf<T>({ plural }: RecordType, body: { [name: string]: unknown }): Page<T> {
  return {
    rows: body[plural] as T[],
    more: body.more === undefined ? Number(body.current_page) < Number(body.total_pages) : body.more === true,
    currentPage: Number(body.current_page),
    perPage: Number(body.per_page),
    totalPages: Number(body.total_pages),
    totalEntries: Number(body.total_entries),
  }
}
