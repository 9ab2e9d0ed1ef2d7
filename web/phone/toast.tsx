import { useSyncExternalStore } from 'react'
import { t } from '../ui/words.ts'

interface Told {
  words: string
  undo?: () => unknown
}
let told: Told | null = null
let ending: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Says what was done, with a way back for ten seconds. */
export function tell(words: string, undo?: () => unknown) {
  clearTimeout(ending)
  told = undo ? { words, undo } : { words }
  ending = setTimeout(hush, 10_000)
  for (const listener of listeners) listener()
}

/** Nothing that was told stays for whoever uses the phone next. */
export function hush() {
  told = null
  for (const listener of listeners) listener()
}

export function Toast() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => told,
  )
  return (
    <div role="status">
      {shown && (
        <div className="toast">
          <span className="push">{shown.words}</span>
          {shown.undo && (
            <button
              type="button"
              className="btn"
              onClick={() => {
                void shown.undo?.()
                hush()
              }}
            >
              {t('Undo')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
