import type { ApiFault } from '../../client/index.ts'

/** One reason of the guard, as the server tells it. (docs/api/jobs.md) */
export interface Reason {
  code: string
  field: string
  blocks: boolean
  message: string
  remedy?: string | null
  /** What message and remedy are made with. */
  params?: ApiFault['params']
}

/** What the guard says of a worker and a job at a time. */
export interface Candidate {
  worker_id: number
  worker_name: string
  available: boolean
  distance_km: number | null
  reasons: Reason[]
}
