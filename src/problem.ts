import type { Fault } from '#fields'

/** The closed list of what can go wrong, with the status that `formats/problem.ts` gives each. */
export type ProblemKind =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
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
  readonly faults: Fault[]
  /** Headers that belong to the answer: `Allow`, `Retry-After`. */
  readonly headers: Record<string, string>

  constructor(
    kind: ProblemKind,
    message: string,
    more: { faults?: Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.faults = more.faults ?? []
    this.headers = more.headers ?? {}
  }
}

/** A request whose fields are at fault: 422, one error a fault. */
export const invalid = (faults: Fault[]) => new Problem('invalid', 'The request has faults', { faults })

/** A record that isn't there, belongs to another account, or may not be seen: all the same. */
export const notFound = () => new Problem('not_found', 'Record not found')
