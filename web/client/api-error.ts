import type { FieldError } from '../../src/fields/index.ts'

/** What one sentence of a refusal is about. `message` is a whole sentence; `field` is null where none is meant. */
export interface ApiFault extends Omit<FieldError, 'field' | 'item'> {
  field: string | null
  /** Which request of a batch it is about, from 0. */
  request?: number
}

/** A record as it is now, under its name, and who made it so. */
export interface Current {
  revision: number
  changed_at: string
  changed_by: { kind: 'key' | 'user' | 'system'; id: number | null }
  [record: string]: unknown
}

/** A request that did not succeed: the server refused it, or no answer came. `message` is safe to show. */
export class ApiError extends Error {
  /** HTTP status; null when no answer came, and nobody knows whether the server did what was asked. */
  readonly status: number | null
  /** The `X-Request-Id` of the request, to find it in the server's log. */
  readonly callId: string
  /** One for each sentence of the answer; at least one. */
  readonly faults: ApiFault[]
  /** How long the server asks to wait before the next try, if it does. */
  readonly retryAfterMs: number | null
  /** With 412: who changed the record since, when, and what it is now. */
  readonly current: Current | null

  constructor(
    status: number | null,
    callId: string,
    faults: ApiFault[],
    more: { retryAfterMs?: number | null; current?: Current | null; cause?: unknown } = {},
  ) {
    super(faults.map(({ message }) => message).join('. '), { cause: more.cause })
    this.name = 'ApiError'
    this.status = status
    this.callId = callId
    this.faults = faults
    this.retryAfterMs = more.retryAfterMs ?? null
    this.current = more.current ?? null
  }

  /** Nothing came back: asked again with the same idempotency key, a write is done once. */
  get isUnreachable() {
    return this.status === null
  }
}

/** The error that an answer from 400 up tells of, whatever its body is: a proxy in between answers in HTML. */
export async function errorOf(answer: Response, callId: string): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('Retry-After') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : null
  const id = answer.headers.get('X-Request-Id') ?? callId
  const body = await refusalIn(answer)
  const spoken = body?.errors ?? body?.batch?.responses.flatMap(faultsInBatch) ?? []
  const faults = spoken.length > 0 ? spoken : [unspoken(answer.status)]
  return new ApiError(answer.status, id, faults, { retryAfterMs, current: body?.current ?? null })
}

async function refusalIn(answer: Response) {
  if (!answer.headers.get('Content-Type')?.includes('json')) return null
  return (await answer.json().catch(() => null)) as Refusal | null
}

interface Refusal {
  errors?: ApiFault[]
  current?: Current
  batch?: { responses: Refused[] }
}
interface Refused {
  status: number
  body: { errors?: ApiFault[] }
}

/** Those of the requests that were refused themselves; 424 is for those that were fine, and not kept because of these. */
const faultsInBatch = ({ status, body }: Refused, request: number): ApiFault[] =>
  status === 424 ? [] : (body.errors ?? []).map((fault) => ({ ...fault, request }))

const unspoken = (status: number): ApiFault => ({
  field: null,
  code: 'unexpected',
  message: `The server answered ${status}, and not as Muster does; look at the proxy in front of it`,
})
