import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useState } from 'react'
import type { Draft, Shown } from '../../../../src/fields/index.ts'
import { job } from '../../../../src/records/job.ts'
import { ApiError, type ApiFault, type Written } from '../../../client/index.ts'
import { useRecords } from '../../../ui/records/context.tsx'
import { undo } from '../../../ui/records/undo.ts'
import { toast } from '../../../ui/toast.tsx'
import { t } from '../../../ui/words.ts'

export type Job = Shown<typeof job>
export type List = 'steps' | 'line_items'
type Items<L extends List> = Draft<typeof job>[L]

/** A write to the job, and what it has done in a sentence. */
export interface Deed {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under `/v5`: `jobs/5/pause`. */
  path: string
  body?: object
  says: string
}

export interface OpenJob {
  job: Job
  /** Of the job under `/v5`: `jobs/5`. */
  path: string
  mayChange: boolean
  /** Writes, and offers to put it back. @throws ApiError when it is refused */
  send(deed: Deed): Promise<void>
  /** The same for an act of one press: a refusal is shown over the page. @returns whether it was done */
  act(deed: Deed): Promise<boolean>
  /** Changes fields; `seen` is what its writer saw of them, so that what somebody else changed meanwhile is not lost. */
  change(changes: Draft<typeof job>, seen: Partial<Job>, says: string): Promise<void>
  /** Makes a change of a whole list; where somebody was first, of the list as they have left it. */
  changeList<L extends List>(list: L, changed: (items: Job[L]) => Items<L>, says: string): Promise<boolean>
}

export const OpenJobContext = createContext<OpenJob | null>(null)

export function useOpenJob(): OpenJob {
  const open = useContext(OpenJobContext)
  if (!open) throw new Error('no job is open')
  return open
}

/** Another change came first so often in a row: then something else is wrong. */
const mostTries = 3

/** How the job is written to. `refused` is what the server said to the last act, until it is put away. */
export function useWriting({ row, etag }: Pick<Written<Job>, 'row' | 'etag'>) {
  const { client, mayChange } = useRecords()
  const queries = useQueryClient()
  const [refused, setRefused] = useState<ApiError | null>(null)
  // Histories and candidates of a job are kept under its name, too.
  const refresh = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => ['job', 'conflict'].includes(String(queryKey[1])) })

  async function send({ method, path, body, says }: Deed, ifMatch?: string | null) {
    const answer = await client.request<{ conflicts?: object[]; warnings?: ApiFault[] }>(method, path, {
      body,
      ...(ifMatch && { ifMatch }),
    })
    const { conflicts = [], warnings = [] } = answer.body
    if (conflicts.length > 0)
      toast({
        kind: 'others',
        title: t('Somebody else has changed the same'),
        detail: t('Theirs stays for now; both are at the top of the page.'),
      })
    else
      toast({
        title: says,
        ...(warnings[0] && { detail: warnings[0].message }),
        action: { label: t('Undo'), run: () => void undo(client, answer.callId).then(refresh) },
      })
    await refresh()
  }

  /** @returns whether it was done; a refusal of the server is shown */
  async function trying(write: () => Promise<void>) {
    try {
      await write()
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefused(error)
      return false
    }
  }

  const path = `jobs/${row.id}`
  const open: OpenJob = {
    job: row,
    path,
    mayChange: mayChange(job),
    send,
    act: (deed) => trying(() => send(deed)),
    change: (changes, seen, says) => send({ method: 'PATCH', path, body: { job: changes, base: seen }, says }),
    changeList: (list, changed, says) =>
      trying(async () => {
        for (let known: Pick<Written<Job>, 'row' | 'etag'> = { row, etag }, tries = 1; ; tries++)
          try {
            const body = { job: { [list]: changed(known.row[list]) } }
            return await send({ method: 'PATCH', path, body, says }, known.etag)
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 412 || tries === mostTries) throw error
            known = await client.find(job, row.id)
          }
      }),
  }
  return { open, refused, putAway: () => setRefused(null) }
}
