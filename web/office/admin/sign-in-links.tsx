import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'

interface Made {
  sign_in_link: { link: string | null; expires_at: string }
}

/** Lets a person sign in: an invitation, or a link for a new password. It is mailed, or shown this once to be passed on. */
export function SignInLinks({ id, email }: { id: number; email: string }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (kind: 'invitation' | 'password_reset') =>
      (await api.request<Made>('POST', `users/${id}/${kind}`)).body.sign_in_link,
  })
  return (
    <section className="form-fields">
      <h3 className="h3">{t('Signing in')}</h3>
      <div className="line">
        <Button small icon="mail" busy={isPending} onClick={() => mutate('invitation')}>
          {t('Invite')}
        </Button>
        <Button small icon="key" busy={isPending} onClick={() => mutate('password_reset')}>
          {t('New password by link')}
        </Button>
      </div>
      {error instanceof ApiError && <Verdict kind="no">{error.message}</Verdict>}
      {data && data.link === null && <Verdict kind="yes">{t('The link is on its way to {email}.', { email })}</Verdict>}
      {data?.link && (
        <Verdict kind="note" title={t('Pass this link on; it is shown this once')}>
          <span className="mono link" dir="ltr">
            {data.link}
          </span>{' '}
          <Button small icon="copy" onClick={() => copy(data.link ?? '')}>
            {t('Copy')}
          </Button>
        </Verdict>
      )}
    </section>
  )
}

/** Over plain http a page may not write to the clipboard: the link is there to be selected. */
async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: t('Copied') })
  } catch {
    toast({
      kind: 'failed',
      title: t('This browser copies nothing from a page without HTTPS. Select the link instead.'),
    })
  }
}
