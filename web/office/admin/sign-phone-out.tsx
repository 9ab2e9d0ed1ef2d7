import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Shown } from '../../../src/fields/index.ts'
import { device as deviceRecord } from '../../../src/records/device.ts'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'

type Device = Shown<typeof deviceRecord>

/** Asks a phone to sign out, which hands in first what waits on it; and takes that back. */
export function SignPhoneOut({ device }: { device: Device }) {
  const [asking, setAsking] = useState(false)
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (method: 'POST' | 'DELETE') => api.request(method, `devices/${device.id}/sign_out`),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(deviceRecord.name) }),
    onSettled: () => setAsking(false),
  })
  const { user_name: name, waiting_entries: waiting, signed_out_at, sign_out_asked_at } = device
  return (
    <section className="form-fields">
      {error instanceof ApiError && <Verdict kind="no">{error.message}</Verdict>}
      {signed_out_at ? null : sign_out_asked_at ? (
        <>
          <Verdict kind="note">{t('It signs out as soon as it is heard, once what waits is handed in.')}</Verdict>
          <Button small busy={isPending} onClick={() => mutate('DELETE')}>
            {t('Leave it signed in')}
          </Button>
        </>
      ) : (
        <Button small kind="danger" onClick={() => setAsking(true)}>
          {t('Sign this phone out …')}
        </Button>
      )}
      {asking && (
        <Dialog
          open
          alert
          title={t('Sign out the phone of {name}?', { name })}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button onClick={() => setAsking(false)}>{t('Leave it signed in')}</Button>
              <Button kind="danger" busy={isPending} onClick={() => mutate('POST')}>
                {t('Sign it out')}
              </Button>
            </>
          }
        >
          <p>
            {waiting > 0
              ? t(
                  '{waiting, plural, one {One thing waits on it and is} other {# things wait on it and are}} handed in first.',
                  {
                    waiting,
                  },
                )
              : t('Nothing waits on it.')}{' '}
            {t('It shows nothing more from when it is heard, and {name} can sign in again.', { name })}
          </p>
        </Dialog>
      )}
    </section>
  )
}
