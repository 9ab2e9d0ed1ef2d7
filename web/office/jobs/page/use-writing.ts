import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { job } from '../../../../src/records/job.ts'
import type { ApiError, Written } from '../../../client/index.ts'
import { useRecords } from '../../../ui/records/context.tsx'
import { undo } from '../../../ui/records/undo.ts'
import { t } from '../../../ui/words.ts'
import { type Deed, type Job, openJob } from '../../job/open-job.ts'
import { reasonText } from '../../job/reason-text.ts'
import { tellDone } from '../../job/tell-done.ts'

/** How the job of the page is written to. `refused` is what the server said to the last act, until it is put away. */
export function useWriting({ row, etag }: Pick<Written<Job>, 'row' | 'etag'>) {
  const { client, formats, mayChange } = useRecords()
  const queries = useQueryClient()
  const [refused, setRefused] = useState<ApiError | null>(null)
  // Histories and candidates of a job are kept under its name, too.
  const refresh = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => /^(job|conflict)\b/.test(String(queryKey[1])) })

  async function write({ method, path, body, says }: Deed, version?: string | null) {
    const answer = await client.request(method, path, { body, ...(version && { ifMatch: version }) })
    tellDone(says, answer.body, {
      label: t('Undo'),
      run: () => void undo(client, answer.callId).then(refresh),
    })
    await refresh()
  }

  const open = openJob({
    known: { row, version: etag },
    mayChange: mayChange(job),
    reasonText: (reason) =>
      reasonText(reason, {
        now: Date.now(),
        moment: formats.brief,
        tagOf: ({ tag }) => String(tag ?? ''),
        customerOf: () => null,
      }),
    write,
    read: async () => {
      const { row: now, etag: version } = await client.find(job, row.id)
      return { row: now, version }
    },
    refused: setRefused,
  })
  return { open, refused, putAway: () => setRefused(null) }
}
