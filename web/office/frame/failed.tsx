import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { NotFound } from './missing.tsx'

/** In place of a screen that could not be shown: whose fault it is, what is lost, and what to do. */
export function Failed({ error, reset }: { error: unknown; reset: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  const { title, detail } = explain(error)
  return (
    <main className="main lone" id="main">
      <Empty page title={title} actions={<Button onClick={reset}>{t('Try again')}</Button>}>
        {detail}
      </Empty>
    </main>
  )
}

function explain(error: unknown): { title: string; detail: string } {
  if (!(error instanceof ApiError))
    return {
      title: t('This screen failed'),
      detail: t('That is a fault of ours. Nothing was changed. {error}', { error: String(error) }),
    }
  if (error.isUnreachable)
    return { title: t('The server does not answer'), detail: t('Check the connection. Nothing was changed.') }
  if ((error.status ?? 0) >= 500)
    return {
      title: t('That failed on our side. Nothing was changed.'),
      detail: t('Request {id}', { id: error.callId }),
    }
  return { title: t('The server refused this'), detail: error.message }
}
