import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { msg, t } from '../../ui/words.ts'
import { api } from '../api.ts'

/** What became of the entries of a file. (docs/api/rescues.md) */
interface Rescue {
  user_name: string
  made_at: string
  entries: { id: string; made_at: string; outcome: keyof typeof outcomes; errors: { message: string }[] }[]
}

const outcomes = {
  received: msg('done now'),
  known: msg('was done before'),
  conflicted: msg('to be decided, on its job'),
  refused: msg('refused'),
  held: msg('needs one that was refused'),
}

/** Takes in what a phone saved that could not send it, and says what became of each entry. */
export function RescueFile() {
  const input = useRef<HTMLInputElement>(null)
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (file: File) => {
      const bytes = new Blob([file], { type: 'application/octet-stream' })
      return (await api.request<{ rescue: Rescue }>('POST', 'rescues', { file: bytes })).body.rescue
    },
  })
  if (error && !(error instanceof ApiError)) throw error
  return (
    <>
      <Button icon="upload" busy={isPending} onClick={() => input.current?.click()}>
        {t('Hand in a rescue file …')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".rescue,application/octet-stream"
        className="vh"
        aria-label={t('Rescue file')}
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) mutate(file)
          target.value = ''
        }}
      />
      {(data || error) && (
        <Dialog
          open
          title={data ? t('What {name} had saved', { name: data.user_name }) : t('This file can’t be taken in')}
          onClose={reset}
          foot={
            <Button kind="primary" onClick={reset}>
              {t('Done')}
            </Button>
          }
        >
          {error ? <Verdict kind="no">{error.message}</Verdict> : data && <Outcomes rescue={data} />}
        </Dialog>
      )}
    </>
  )
}

function Outcomes({ rescue: { entries } }: { rescue: Rescue }) {
  const { formats } = useRecords()
  if (entries.length === 0) return <p>{t('There was nothing in it.')}</p>
  return (
    <table className="table auto" aria-label={t('What became of each')}>
      <thead>
        <tr>
          <th>{t('Made')}</th>
          <th>{t('What became of it')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, made_at, outcome, errors }) => (
          <tr key={id}>
            <td>{formats.dateTime(made_at)}</td>
            <td>
              {t(outcomes[outcome])}
              {errors.map(({ message }) => (
                <small key={message} className="two-ink" dir="auto">
                  {' '}
                  {message}
                </small>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
