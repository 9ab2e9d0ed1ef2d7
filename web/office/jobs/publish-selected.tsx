import { useState } from 'react'
import type { Shown } from '../../../src/fields/index.ts'
import type { job } from '../../../src/records/job.ts'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { undo } from '../../ui/records/undo.ts'
import { toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'

/** As many as one publication takes. (docs/api/notices.md) */
const most = 200

interface Published {
  publication: {
    published_job_ids: number[]
    held_back: { job_id: number; errors: { message: string }[] }[]
    people: object[]
  }
}

/** Sends the selected jobs to their workers as one deed; what is held back is said with its reason. */
export function PublishSelected({ jobs, onDone }: { jobs: Shown<typeof job>[]; onDone: () => void }) {
  const { client } = useRecords()
  const [busy, setBusy] = useState(false)
  async function publish() {
    setBusy(true)
    try {
      const { body, callId } = await client.request<Published>('POST', 'publications', {
        body: { publication: { job_ids: jobs.map(({ id }) => id) } },
      })
      const { published_job_ids: sent, held_back, people } = body.publication
      onDone()
      const [held] = held_back
      toast({
        title: t(
          '{jobs, plural, one {# job} other {# jobs}} sent to {people, plural, one {# person} other {# people}}',
          {
            jobs: sent.length,
            people: people.length,
          },
        ),
        ...(held && {
          detail: t('{count} held back. {reason}', { count: held_back.length, reason: held.errors[0]?.message }),
        }),
        ...(sent.length > 0 && { action: { label: t('Undo'), run: () => void undo(client, callId).then(onDone) } }),
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast({ kind: 'failed', title: t('Nothing was sent'), detail: error.message })
    }
    setBusy(false)
  }
  return (
    <Button
      small
      icon="send"
      busy={busy}
      unless={jobs.length > most && t('At most {most} are sent at once', { most })}
      onClick={() => void publish()}
    >
      {t('Publish')}
    </Button>
  )
}
