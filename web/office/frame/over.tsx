import { lazy, Suspense, useEffect } from 'react'
import { useObservable } from '../observable.ts'
import { over } from '../over.ts'
import { useShortcuts } from './shortcuts.ts'

const importPalette = () => import('./palette.tsx')
const Palette = lazy(importPalette)
const KeysSheet = lazy(() => import('./keys-sheet.tsx'))

/** What keys bring over the screen: the palette, and the sheet of keys. Loaded when there is time, or when it is first asked for. */
export function Over() {
  useShortcuts()
  const what = useObservable(over)
  const close = () => over.set(null)
  useEffect(() => {
    const timer = setTimeout(importPalette, 2000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Suspense>
      {what === 'palette' && <Palette onClose={close} />}
      {what === 'keys' && <KeysSheet onClose={close} />}
    </Suspense>
  )
}
