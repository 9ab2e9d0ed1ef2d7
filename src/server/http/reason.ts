import { fieldError, validationError } from '#fields'
import { invalid } from '#problem'
import type { ApiRequest } from './request.ts'
import { lastValue } from './target.ts'

const MAX_REASON_CHARACTERS = 500

/** Why somebody does it, as they say it. @throws Problem invalid (422) when it is too long */
export function reasonOf({ query }: Pick<ApiRequest, 'query'>): string | null {
  const reason = lastValue(query, 'reason')?.trim().toWellFormed() || null
  if (reason && reason.length > MAX_REASON_CHARACTERS)
    throw invalid([fieldError('reason', validationError.tooLong(MAX_REASON_CHARACTERS))])
  return reason
}
