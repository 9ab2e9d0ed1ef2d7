import { STATUS_CODES } from 'node:http'
import type { FieldError } from '#fields'
import { Problem, type ProblemKind } from '#problem'
import { branch, DECLARATION, leaf } from './xml-write.ts'

const statuses: { [kind in ProblemKind]: number } = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_type: 415,
  range: 416,
  invalid: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
  full: 507,
}

export const statusOf = ({ kind }: Pick<Problem, 'kind'>) => statuses[kind]

/** Faults that are told of one request; one more says how many there are beside them. */
export const MAX_ERRORS = 100

/** The body of an answer from 400 up: a sentence for each fault. Never empty, never `type="array"`: old clients crash. */
export function printProblem(problem: Problem, format: 'xml' | 'json'): string {
  const messages = problem.errors.slice(0, MAX_ERRORS).map(withFullMessage)
  const more = problem.errors.length - messages.length
  const errors = [
    ...(messages.length > 0 ? messages : [whole(problem)]),
    ...(more > 0
      ? [{ field: null, code: 'more', message: `There are ${more} more errors like these`, params: { count: more } }]
      : []),
  ]
  if (format === 'json') return JSON.stringify({ errors, current: problem.current })
  return DECLARATION + branch('', 'errors', {}, errors.map(({ message }) => leaf('  ', 'error', {}, message)).join(''))
}

/** What a problem without faults is told as. */
const whole = ({ code, message, remedy, params }: Problem) => ({
  field: null,
  code,
  message,
  ...(remedy && { remedy }),
  ...(params && { params }),
})

/** A fault as it is told: its message is a whole sentence. */
export const withFullMessage = ({ item, ...fault }: FieldError): FieldError => ({
  ...fault,
  message: fullMessage({ ...fault, item }),
})

/** `location.lat is not a number` → `Location lat is not a number`; items are counted from one, and called by their names. */
export const fullMessage = ({
  field,
  message,
  item,
}: Pick<FieldError, 'field' | 'message'> & { item?: string | undefined }) => `${humanName(field, item)} ${message}`

/** Underscores to spaces, a trailing `_id` dropped, the first letter up: `third_party_id` is `Third party`. */
export function humanName(path: string, item?: string): string {
  const words = path
    .split('.')
    .map((name) => name.replace(/\[(\d+)\]/g, (_, i) => ` ${Number(i) + 1}`).replace(/(?<=.)_id$/, ''))
    .join(' ')
    .replaceAll('_', ' ')
    .trim()
  // A parameter that somebody made up may have no letter at all.
  if (words === '') return path
  // The first number is that of the item.
  const called = item === undefined ? words : words.replace(/ \d+/, (number) => `${number} (${item})`)
  return called.charAt(0).toUpperCase() + called.slice(1)
}

/** A whole answer on the bare connection, for what isn't even HTTP. */
export function bareResponse(status: number, headers: { [name: string]: string | number | undefined }): string {
  const message = STATUS_CODES[status] ?? 'Bad Request'
  const body = printProblem(new Problem('malformed', message), 'xml')
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/xml; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-cache',
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n${body}`
}
