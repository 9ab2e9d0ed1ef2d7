import type { FieldError, Params } from '#fields'

/** The closed list of what can go wrong, with the status that `formats/problem.ts` gives each. */
export type ProblemKind =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_type'
  | 'range'
  | 'invalid'
  | 'too_many'
  | 'internal'
  | 'unavailable'
  | 'full'

/** The one error. `message` is a sentence that is safe to show; `cause` is for the log. */
export class Problem extends Error {
  readonly kind: ProblemKind
  /** One word for programs, where it has no faults: its kind, unless there is a better one. */
  readonly code: string
  readonly errors: FieldError[]
  /** Headers that belong to the answer: `Allow`, `Retry-After`. */
  readonly headers: Record<string, string>
  /** What would mend it, where that isn't obvious. */
  readonly remedy: string | undefined
  /** What the sentence is made with beside the code, so that it can be said in other languages. */
  readonly params: Params | undefined
  /** What is there now, where the problem is that it isn't what the caller thinks; in JSON only. */
  readonly current: { [name: string]: unknown } | undefined

  constructor(
    kind: ProblemKind,
    message: string,
    more: {
      errors?: FieldError[]
      headers?: Record<string, string>
      current?: { [name: string]: unknown }
      remedy?: string
      params?: Params
      code?: string
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.errors = more.errors ?? []
    this.headers = more.headers ?? {}
    this.current = more.current
    this.remedy = more.remedy
    this.params = more.params
    this.code = more.code ?? kind
  }
}

/** A request whose fields are at fault: 422, one error a fault. */
export const invalid = (errors: FieldError[]) => new Problem('invalid', 'The request has faults', { errors })

/** A record that isn't there, belongs to another account, or may not be seen: all the same. */
export const notFound = () => new Problem('not_found', 'Record not found')

/** An address that leads nowhere, whatever there is to be found. */
export const noSuchAddress = (path: string) =>
  new Problem('not_found', `There is no address ${path.slice(0, 100)}`, {
    code: 'no_such_address',
    remedy: 'The addresses are at /docs, and in /v5/openapi.json',
  })

/** What was sent finds no room on the disk. */
export const noRoom = (cause?: unknown) =>
  new Problem('full', 'There is no room to keep this; nothing was changed', { cause })

/** The code of what the system or a library threw, such as `ENOENT`; empty where it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the disk, or the quota of who runs the server, is full. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
