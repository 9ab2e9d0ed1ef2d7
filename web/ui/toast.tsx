import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { t } from './words.ts'

/** How long what is done can be undone from its toast; longer while the pointer or the focus is on it. */
const shownMs = 10_000
const atMost = 3

export interface Toast {
  title: string
  /** A second line: "Not sent yet. Publish to tell Ben." */
  detail?: string
  kind?: 'done' | 'others' | 'failed'
  /** It takes the place of what was last told about the same, so that no button stays that would do something else. */
  about?: string
  action?: { label: string; shortcut?: string; run: () => void }
}
type Shown = Toast & { id: number }

let shown: Shown[] = []
let last = 0
const listeners = new Set<() => void>()
const set = (next: Shown[]) => {
  shown = next
  for (const listener of listeners) listener()
}

/** Says that something was done, or failed. Failures stay until they are put away. */
export function toast(said: Toast): void {
  last++
  const others = shown.filter(({ about }) => about === undefined || about !== said.about)
  set([...others.slice(1 - atMost), { ...said, id: last }])
}

/** Runs what the newest toast offers, as ⌘Z does. */
export function undoNewest(): boolean {
  const newest = shown.findLast(({ action }) => action)
  if (!newest) return false
  close(newest.id)
  newest.action?.run()
  return true
}

const close = (id: number) => set(shown.filter((one) => one.id !== id))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where toasts appear; once on a page, over whatever is open. A live region that is always there, so that each is read out. */
export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => shown)
  return (
    <div className="toasts" role="status" aria-live="polite" data-react-aria-top-layer="true">
      {all.map((one) => (
        <One key={one.id} {...one} />
      ))}
    </div>
  )
}

const icons: { [kind: string]: IconName } = { done: 'check', others: 'users', failed: 'alert' }

function One({ id, title, detail, kind = 'done', action }: Shown) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held || kind === 'failed') return
    const timer = setTimeout(() => close(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, held, kind])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: to point at it, or to be in it, only keeps it
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={icons[kind] ?? 'check'} />
      <span className="said">
        {title}
        {detail && <small>{detail}</small>}
      </span>
      {action && (
        <Button
          small
          {...(action.shortcut && { shortcut: action.shortcut })}
          onClick={() => {
            close(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      {(kind === 'failed' || !action) && (
        <Button kind="quiet" small icon="x" aria-label={t('Close')} onClick={() => close(id)} />
      )}
    </div>
  )
}
