import { type FieldError, fieldError, isUuid, type RawRow, ValidationError, validationError } from '#fields'
import type { ApiRequest } from './request.ts'

/** How far the clock of a client that makes ids may be ahead. */
const MAX_AHEAD_MS = 24 * 3600_000

/**
 * Takes the UUID that a client made for its new record into the draft. In JSON only: old clients of the XML send the ids of
 * what they copied. It is in the order of time, as those that are made here: the newest message of a thread has the greatest.
 */
export function readClientId(request: ApiRequest, draft: RawRow, errors: FieldError[]): void {
  const { record, wireNames } = request.route
  if (record.fields.id?.auto !== 'uuid' || request.format.name !== 'json') return
  const { id = null } = request.read([wireNames.name, record.name])
  if (id === null) return
  const said = typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null
  if (said?.[VERSION_AT] !== '7')
    errors.push(fieldError('id', validationError.invalid('Say a UUID of version 7, or leave it out')))
  else if (madeMs(said) > Date.parse(request.call.now) + MAX_AHEAD_MS)
    errors.push(
      fieldError('id', new ValidationError('in_future', 'has a time that lies ahead', { remedy: 'Check your clock' })),
    )
  else draft.id = said
}

/** Where a UUID says its version, and the time in one of version 7. (RFC 9562, 5.7) */
const VERSION_AT = 14
const madeMs = (uuid: string) => Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
