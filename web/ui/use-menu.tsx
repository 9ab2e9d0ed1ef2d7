import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react'
import type { Entry } from './menu.tsx'

const importMenu = () => import('./menu.tsx').then(({ Menu }) => ({ default: Menu }))
const Menu = lazy(importMenu)

/**
 * A menu under a button: `<button {...menu.trigger}>` and, beside it, `{menu.popover}`. What draws menus is loaded when
 * somebody comes near.
 */
export function useMenu(label: string, entries: Entry[]) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return {
    trigger: {
      ref: trigger,
      'aria-haspopup': 'menu' as const,
      'aria-expanded': open,
      onPointerEnter: () => void importMenu(),
      onFocus: () => void importMenu(),
      onClick: () => setOpen(true),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setOpen(true)
      },
    },
    popover: open && (
      <Suspense>
        <Menu trigger={trigger} label={label} entries={entries} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  }
}
