import { STATUS_CODES } from 'node:http'
import type { Fault } from '#fields'
import type { Problem, ProblemKind } from '#problem'
import { branch, DECLARATION, leaf } from './xml-write.ts'

const statuses: { [kind in ProblemKind]: number } = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
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

/** The body of an answer from 400 up: a sentence for each fault. Never empty, never `type="array"`: old clients crash. */
export function printProblem(problem: Problem, format: 'xml' | 'json'): string {
  const faults = problem.faults.map(spoken)
  const errors = faults.length > 0 ? faults : [{ field: null, code: problem.kind, message: problem.message }]
  if (format === 'json') return JSON.stringify({ errors })
  return DECLARATION + branch('', 'errors', {}, errors.map(({ message }) => leaf('  ', 'error', {}, message)).join(''))
}

/** A fault as it is told: its message is a whole sentence. */
export const spoken = ({ item, ...fault }: Fault): Fault => ({ ...fault, message: sentence({ ...fault, item }) })

/** `location.lat is not a number` → `Location lat is not a number`; items are counted from one, and called by their names. */
export const sentence = ({ field, message, item }: Pick<Fault, 'field' | 'message'> & { item?: string | undefined }) =>
  `${humanName(field, item)} ${message}`

/** Underscores to spaces, a trailing `_id` dropped, the first letter up: `third_party_id` is `Third party`. */
export function humanName(path: string, item?: string): string {
  const words = path
    .split('.')
    .map((name) => name.replace(/\[(\d+)\]/g, (_, i) => ` ${Number(i) + 1}`).replace(/(?<=.)_id$/, ''))
    .join(' ')
    .replaceAll('_', ' ')
  // A parameter that somebody made up may have no letter at all.
  if (words.trim() === '') return path
  // The first number is that of the item.
  const called = item === undefined ? words : words.replace(/ \d+/, (number) => `${number} (${item})`)
  return called.charAt(0).toUpperCase() + called.slice(1)
}

/** A whole answer on the bare connection, for what isn't even HTTP. */
export function problemText(status: number, headers: { [name: string]: string | number | undefined }): string {
  const message = STATUS_CODES[status] ?? 'Bad Request'
  const body = printProblem({ kind: 'malformed', message, faults: [] } as unknown as Problem, 'xml')
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/xml; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-cache',
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n${body}`
}
