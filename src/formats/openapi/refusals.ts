import { invalid, noRoom, Problem, type ProblemKind } from '#problem'
import { printProblem, statusOf } from '../problem.ts'
import type { Schema } from './schema.ts'

/** What an address may be refused with, by the kind of problem; the answer's `code` says the same word. */
const sentences = {
  malformed: 'Not well-formed: the body, or the address',
  unauthorized: 'No API key, or an unknown, expired or revoked one',
  forbidden: 'The key has no right to do this',
  not_found: 'No such record, or none that the key may see',
  not_acceptable: 'The request does not accept gzip, or asks for a format that there is none of',
  conflict: 'The Idempotency-Key has been used with another request',
  precondition_failed: 'The record is not the one that If-Match names any more',
  too_large: 'The body is too large; 10 MB unless the operator set it otherwise',
  unsupported_type: 'The body is not of the format that the address asks for',
  range: 'The range lies outside of the file',
  invalid: 'Faults, with a sentence for each',
  too_many: 'Too many requests; try again after the seconds of Retry-After',
  internal: "A bug of the server; the sentence has the request's id",
  unavailable: 'The server is starting or stopping; try again after the seconds of Retry-After',
  full: noRoom().message,
} satisfies { [kind in ProblemKind]?: string }

type Refusal = keyof typeof sentences

const anything: Refusal[] = ['malformed', 'unauthorized', 'forbidden', 'not_found', 'not_acceptable']
const anytime: Refusal[] = ['too_many', 'internal', 'unavailable']
const writing: Refusal[] = ['conflict', 'too_large', 'unsupported_type', 'invalid']

/** What each sort of call may be refused with. */
export const refusalsOf: { [call in 'read' | 'list' | 'image' | 'create' | 'change' | 'documented']: Schema } = {
  read: byStatus(...anything, ...anytime),
  list: byStatus(...anything, 'invalid', ...anytime),
  image: byStatus(...anything, 'range', ...anytime),
  create: byStatus(...anything, ...writing, ...anytime, 'full'),
  change: byStatus(...anything, ...writing, 'precondition_failed', ...anytime, 'full'),
  documented: byStatus(...anything, 'too_large', 'unsupported_type', 'invalid', ...anytime, 'full'),
}

function byStatus(...kinds: Refusal[]): Schema {
  return Object.fromEntries(
    kinds.map((kind) => [String(statusOf({ kind })), { $ref: `#/components/responses/${kind}` }]),
  )
}

const later = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
const ownHeaders: { [kind in Refusal]?: Schema } = { too_many: later, unavailable: later }

/** The answers themselves, with what the printer makes of each. */
export const refusals: Schema = Object.fromEntries(
  Object.entries(sentences).map(([kind, description]) => {
    const problem = exampleOf(kind as Refusal, description)
    return [
      kind,
      {
        description,
        ...(ownHeaders[kind as Refusal] && { headers: ownHeaders[kind as Refusal] }),
        content: {
          'application/xml': {
            schema: { $ref: '#/components/schemas/ErrorsXml' },
            example: printProblem(problem, 'xml'),
          },
          'application/json': {
            schema: { $ref: '#/components/schemas/Errors' },
            example: JSON.parse(printProblem(problem, 'json')),
          },
        },
      },
    ]
  }),
)

function exampleOf(kind: Refusal, sentence: string): Problem {
  if (kind === 'invalid') return invalid([{ field: 'name', code: 'blank', message: "can't be blank" }])
  return new Problem(kind, sentence)
}

const errorProperties = {
  field: { type: ['string', 'null'], description: 'Path of the field; null where it is none' },
  code: { type: 'string', description: 'One word for programs' },
  message: { type: 'string', description: 'A sentence for people' },
  remedy: { type: 'string', description: "What would mend it, where that isn't obvious" },
  params: {
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: ['string', 'number'] }, { type: 'array', items: { type: 'string' } }],
    },
    description: 'What the sentence is made with beside the code, so that it can be said in other languages',
  },
}

export const errorSchemas: Schema = {
  Errors: {
    type: 'object',
    description: 'What is wrong, one entry a fault.',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', required: ['field', 'code', 'message'], properties: errorProperties },
      },
    },
  },
  ErrorsXml: {
    type: 'object',
    description: 'What is wrong, one `error` a fault.',
    required: ['error'],
    properties: {
      error: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'A sentence for people' },
    },
    xml: { name: 'errors' },
  },
  Warnings: {
    type: 'array',
    description: 'What is worth knowing of a write that was done. In XML its codes are the header X-Muster-Warnings.',
    items: { type: 'object', required: ['field', 'code', 'message'], properties: errorProperties },
  },
}
