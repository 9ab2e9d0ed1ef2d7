import { ApiError } from '../../client/index.ts'
import { t } from '../../ui/words.ts'

/** Why signing in, or what leads to it, was refused. @throws what is no refusal */
export function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.isUnreachable) return t('The server does not answer. Check the connection.')
  if (error.status === 429)
    return t('Too many tries. Wait {seconds} s, then try again.', {
      seconds: Math.ceil((error.retryAfterMs ?? 60_000) / 1000),
    })
  const code = error.faults[0]?.code
  if (code === 'second_factor_invalid') return t('That code is not valid, or was used before. Wait for the next.')
  if (error.status === 401) return t('Email and password don’t match. Check both.')
  return error.message
}
