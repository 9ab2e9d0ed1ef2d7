import { type ReactNode, useSyncExternalStore } from 'react'
import type { Phone } from '../client/phone/phone.ts'
import { t } from '../ui/words.ts'

/** The app, unless the office has asked this device to sign out: then nothing of it is shown, and what waits goes first. */
export function Sealed({ phone, children }: { phone: Phone; children: ReactNode }) {
  const { isSealed, entries } = useSyncExternalStore(phone.subscribe, phone.shown)
  if (!isSealed) return children
  const waiting = entries.filter(({ state }) => state === 'waiting').length
  return (
    <main className="flow plain">
      <h1 className="xl">{t('The office is signing this phone out.')}</h1>
      <p>
        {t(
          '{waiting, plural, one {# entry is still waiting.} other {# entries are still waiting.}} It is handed in first.',
          { waiting },
        )}
      </p>
    </main>
  )
}
