import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { undoNewest } from '../../ui/toast.tsx'
import { over } from '../over.ts'
import { useSession } from '../session.ts'
import { opens, tabs } from '../tabs.ts'
import { isTyping } from '../use-keys.ts'

/** After G the letter of a tab is waited for so long. */
const waitMs = 1200

/** The keys that hold on every screen, unless the screen has taken them. */
export function useShortcuts(): void {
  const navigate = useNavigate()
  const session = useSession()
  useEffect(() => {
    let goneAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const act = actOf(event)
      if (!act) return
      event.preventDefault()
      act()
    }
    const actOf = (event: KeyboardEvent): (() => void) | null => {
      const name = event.key.toLowerCase()
      if ((event.ctrlKey || event.metaKey) && !event.altKey) {
        if (name === 'k') return () => over.set('palette')
        return name === 'z' && !event.shiftKey && !isTyping(event) ? () => void undoNewest() : null
      }
      if (event.altKey || isTyping(event)) return null
      if (name === '?') return () => over.set('keys')
      if (name === 'g')
        return () => {
          goneAt = event.timeStamp
        }
      if (event.timeStamp - goneAt > waitMs) return null
      goneAt = Number.NEGATIVE_INFINITY
      const tab = tabs.find((tab) => tab.key === name && opens(session, tab))
      return tab ? () => void navigate({ to: `/${tab.id}` as string }) : null
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate, session])
}
