import { t } from '../ui/words.ts'
import { useShown } from './store.ts'

/** In place of what only the server knows, and could not be asked for. */
export function Unasked() {
  const { isSignedOut } = useShown()
  return <p className="two-ink pad">{isSignedOut ? t('Sign in again.') : t('That needs a connection.')}</p>
}
