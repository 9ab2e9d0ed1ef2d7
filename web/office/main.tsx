import '@fontsource-variable/archivo/standard.css'
import '../ui/ui.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Fragment, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { speak } from '../ui/language.ts'
import { Toasts } from '../ui/toast.tsx'
import { isUnsaved } from '../ui/unsaved.ts'
import { apply, preferences, usePreferences } from './preferences.ts'
import { router } from './router.tsx'
import { queries } from './session.ts'

// A page that was open during an upgrade asks for a piece of the old version: the new one has all of them. One that has just
// begun is of the new version already, and would be loaded again without end; one in which something was typed would lose it.
const oldMs = 10_000
addEventListener('vite:preloadError', (event) => {
  if (performance.now() < oldMs || isUnsaved()) return
  event.preventDefault()
  location.reload()
})

apply()
await speak(preferences().language)
/** All of it is drawn anew in another language: sentences are looked up as they are drawn. */
function Pages() {
  const { language } = usePreferences()
  return (
    <Fragment key={language}>
      <RouterProvider router={router} />
      <Toasts />
    </Fragment>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Pages />
    </QueryClientProvider>
  </StrictMode>,
)
