import '@fontsource-variable/archivo/standard.css'
import './phone.css'
import { Component, Fragment, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { type Language, speak } from '../ui/language.ts'
import { t } from '../ui/words.ts'
import { EntryPage } from './entry-page.tsx'
import { JobPage } from './job.tsx'
import { apply, chosen, useLook } from './look.ts'
import { Me } from './me.tsx'
import { OutboxPage } from './outbox.tsx'
import { usePlace } from './route.ts'
import { SignIn } from './sign-in.tsx'
import { usePhone, wake } from './store.ts'
import { Today } from './today.tsx'
import { install } from './update.tsx'

function App() {
  const place = usePlace()
  const phone = usePhone()
  const [, first = '', second = ''] = place.split('/')
  if (!phone || first === 'sign-in') return <SignIn />
  if (first === 'jobs' && second) return <JobPage key={second} id={second} />
  if (first === 'outbox') return second ? <EntryPage id={second} /> : <OutboxPage />
  if (first === 'me') return <Me />
  return <Today />
}

/** Where the app itself breaks: what was done is in the database. */
class Guard extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <main className="flow plain">
        <h1 className="xl">{t('Muster stopped. What you did is kept.')}</h1>
        <button type="button" className="btn strong" onClick={() => location.reload()}>
          {t('Start again')}
        </button>
      </main>
    )
  }
}

/** Drawn anew in another language: sentences are looked up as they are drawn. */
function Pages() {
  const { language, text } = useLook()
  return (
    <Fragment key={`${language} ${text}`}>
      <App />
    </Fragment>
  )
}

apply()
await speak(chosen().language as Language)
await wake()
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Guard>
      <Pages />
    </Guard>
  </StrictMode>,
)
void install()
