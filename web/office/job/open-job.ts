import { createContext, useContext } from 'react'
import type { Draft, Shown } from '../../../src/fields/index.ts'
import type { job } from '../../../src/records/job.ts'
import { ApiError } from '../../client/index.ts'
import type { Reason } from './verdict.ts'

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
  /** What it makes of the job, where that is shown before the server has answered. */
  expects?: Partial<Job>
}

export interface OpenJob {
  job: Job
  /** Of the job under `/v5`: `jobs/5`. */
  path: string
  mayChange: boolean
  /** A reason of the guard, where there is room for a few words only; elsewhere it is said as the server says it. */
  reasonText: (reason: Reason) => string
  /** Writes, and offers to put it back. @throws ApiError when it is refused */
  send(deed: Deed): Promise<void>
  /** The same for an act of one press: a refusal is told. @returns whether it was done */
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

/** A job as it was read, and what `If-Match` asks for. */
export interface Known {
  row: Job
  version: string | null
}

/** How a screen reads and writes its job. */
interface Ways {
  known: Known
  mayChange: boolean
  reasonText: (reason: Reason) => string
  /** @throws ApiError */
  write(deed: Deed, version?: string | null): Promise<void>
  /** @throws ApiError */
  read(): Promise<Known>
  refused(error: ApiError): void
}

/** Another change came first so often in a row: then something else is wrong. */
const mostTries = 3

export function openJob({ known, mayChange, reasonText, write, read, refused }: Ways): OpenJob {
  const path = `jobs/${known.row.id}`

  async function trying(writing: () => Promise<void>) {
    try {
      await writing()
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused(error)
      return false
    }
  }

  return {
    job: known.row,
    path,
    mayChange,
    reasonText,
    send: (deed) => write(deed),
    act: (deed) => trying(() => write(deed)),
    change: (changes, seen, says) => write({ method: 'PATCH', path, body: { job: changes, base: seen }, says }),
    changeList: (list, changed, says) =>
      trying(async () => {
        for (let now = known, tries = 1; ; tries++)
          try {
            const body = { job: { [list]: changed(now.row[list]) } }
            return await write({ method: 'PATCH', path, body, says }, now.version)
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 412 || tries === mostTries) throw error
            now = await read()
          }
      }),
  }
}
