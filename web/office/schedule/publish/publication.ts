import type { ApiFault, Client } from '../../../client/index.ts'
import type { Job } from '../board/plan.ts'

/** What a person was told, or will be told, of a job: who, when, how long. */
export type ToldPlan = NonNullable<Job['published_plan']>

/** Who is told what of which jobs: beforehand as a dry run, afterwards as it was done. */
export interface Publication {
  call_id: string
  published_job_ids: number[]
  /** The guard refuses them now; they stay drafts. */
  held_back: { job_id: number; errors: ApiFault[] }[]
  people: ToldPerson[]
}

export interface ToldPerson {
  user_id: number
  user_name: string
  ways: ('app' | 'push' | 'mail' | 'call')[]
  /** They are off shift: the push makes no sound. */
  silent: boolean
  heard_at: string | null
  notices: ToldChange[]
}

export interface ToldChange {
  id: string
  kind: 'given' | 'moved' | 'taken_off' | 'canceled'
  job_id: number
  old_plan: ToldPlan | null
  new_plan: ToldPlan | null
  /** What the push and the mail say. */
  title: string
  text: string
}

/** So many jobs go out in one call. */
export const maxAtOnce = 200

/** @throws ApiError */
export async function publication(
  client: Client,
  jobs: readonly { id: number }[],
  { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal } = {},
): Promise<Publication> {
  const job_ids = jobs.slice(0, maxAtOnce).map(({ id }) => id)
  const asked = { body: { publication: { job_ids } }, dryRun, ...(signal && { signal }) }
  return (await client.request<{ publication: Publication }>('POST', 'publications', asked)).body.publication
}
