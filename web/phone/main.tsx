import '@fontsource-variable/archivo/standard.css'
import './phone.css'
import { Component, Fragment, lazy, type ReactNode, StrictMode, Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Language, speak } from '../ui/language.ts'
import { t } from '../ui/words.ts'
import { jobOfCamera } from './camera.ts'
import { follow } from './follow.ts'
import { apply, chosen, useLook } from './look.ts'
import { followPlace } from './place.ts'
import { keepPush, listenToPush } from './push.ts'
import { save } from './rescue.tsx'
import { go, place, usePlace } from './route.ts'
import { Sealed } from './sealed.tsx'
import { SignIn } from './sign-in.tsx'
import { usePhone, wake } from './store.ts'
import { Today } from './today.tsx'
import { install } from './update.tsx'

// Today needs none of them to be there; the phone keeps them all.
const JobPage = lazy(() => import('./job.tsx').then(({ JobPage }) => ({ default: JobPage })))
const OutboxPage = lazy(() => import('./outbox.tsx').then(({ OutboxPage }) => ({ default: OutboxPage })))
const EntryPage = lazy(() => import('./entry-page.tsx').then(({ EntryPage }) => ({ default: EntryPage })))
const NewJob = lazy(() => import('./new-job.tsx').then(({ NewJob }) => ({ default: NewJob })))
const Places = lazy(() => import('./map.tsx').then(({ Places }) => ({ default: Places })))
const Scan = lazy(() => import('./scan.tsx').then(({ Scan }) => ({ default: Scan })))
const Messages = lazy(() => import('./messages.tsx').then(({ Messages }) => ({ default: Messages })))
const ThreadPage = lazy(() => import('./thread.tsx').then(({ ThreadPage }) => ({ default: ThreadPage })))
const JobThreadPage = lazy(() => import('./thread.tsx').then(({ JobThreadPage }) => ({ default: JobThreadPage })))
const NewThreadPage = lazy(() => import('./thread.tsx').then(({ NewThreadPage }) => ({ default: NewThreadPage })))
const TrackPage = lazy(() => import('./track.tsx').then(({ TrackPage }) => ({ default: TrackPage })))
const Me = lazy(() => import('./me.tsx').then(({ Me }) => ({ default: Me })))

function App() {
  const place = usePlace()
  const phone = usePhone()
  const [, first = '', second = '', third = ''] = place.split('/')
  if (!phone || first === 'sign-in') return <SignIn />
  return <Sealed phone={phone}>{pageAt(first, second, third)}</Sealed>
}

function pageAt(first: string, second: string, third: string) {
  if (first === 'jobs' && third === 'messages') return <JobThreadPage key={second} id={second} />
  if (first === 'jobs' && second) return <JobPage key={second} id={second} />
  if (first === 'new-job') return <NewJob />
  if (first === 'map') return <Places />
  if (first === 'scan') return <Scan />
  if (first === 'messages' && second === 'to') return <NewThreadPage key={third} ids={third} />
  if (first === 'messages') return second ? <ThreadPage key={second} id={second} /> : <Messages />
  if (first === 'outbox') return second ? <EntryPage id={second} /> : <OutboxPage />
  if (first === 'me') return second === 'track' ? <TrackPage /> : <Me />
  return <Today />
}

/** Where the app itself breaks: what was done is in the database. */
class Guard extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    return this.state.broken ? <Stopped /> : this.props.children
  }
}

function Stopped() {
  const [said, say] = useState<string | null>(null)
  return (
    <main className="flow plain">
      <h1 className="xl">{t('Muster stopped. What you did is kept.')}</h1>
      <div className="btns">
        <button type="button" className="btn strong" onClick={() => location.reload()}>
          {t('Start again')}
        </button>
        {usePhone() && (
          <button type="button" className="btn" onClick={async () => say(await save())}>
            {t('Save what is waiting')}
          </button>
        )}
      </div>
      <p role="status">{said}</p>
    </main>
  )
}

/** Drawn anew in another language: sentences are looked up as they are drawn. */
function Pages() {
  const { language, text } = useLook()
  return (
    <Fragment key={`${language} ${text}`}>
      <Suspense>
        <App />
      </Suspense>
    </Fragment>
  )
}

apply()
await speak(chosen().language as Language)
const isAwake = await start().then(
  () => true,
  (error) => void console.error(error),
)
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Guard>{isAwake ? <Pages /> : <Stopped />}</Guard>
  </StrictMode>,
)
follow()
followPlace()
listenToPush()
void install().then(keepPush)

/** The app may have been ended while the camera was open: back to where the photo was to come. */
async function start() {
  const waiting = (await wake()) && (await jobOfCamera())
  if (waiting && place() === '/') go(`/jobs/${waiting}`)
}
