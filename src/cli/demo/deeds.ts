import type { RawRow } from '#fields'
import type { Person } from './actors.ts'

/** A job as the office plans it. */
export interface Order {
  draft: RawRow
  worker: Person | undefined
  /** When it was sent to the worker; null for what isn't yet. */
  published_at: string | null
}

/** What a worker does with a job that was sent to them. Instants are those of their phone. */
export interface Doing {
  /** What they say to it; without it, nothing yet. */
  confirmation?: 'accepted' | 'declined'
  decline_reason?: string
  /** When they completed the steps, from the first on. */
  completed?: string[]
  /** What they send before the last step. */
  report?: (job: RawRow) => Report
  paused_at?: string
}

export interface Report {
  custom_fields: RawRow[]
  line_items: RawRow[]
  photo: Buffer
  signature: Buffer
  signedBy: string
  signedAt: string
}

/** As a dispatcher does it: makes a job, gives it to a worker, and sends it out. Answers its id. */
export async function placeOrder({ ask }: Person, { draft, worker, published_at }: Order): Promise<number> {
  const { id } = (await ask('POST', '/jobs', { job: draft })).job
  if (worker) await ask('PUT', `/jobs/${id}`, { job: { worker_id: worker.id } })
  if (published_at) await ask('POST', `/jobs/${id}/publication`, { publication: { published_at } })
  return id
}

/** As the worker's phone does it: answers, completes step by step, reports, and ends or pauses the job. */
export async function doJob({ ask }: Person, id: number, doing: Doing): Promise<void> {
  const { confirmation, decline_reason = null, completed = [], report, paused_at } = doing
  const path = `/jobs/${id}`
  if (!confirmation) return
  await ask('POST', `${path}/confirmation`, { confirmation: { confirmation, decline_reason } })
  if (completed.length === 0) return
  const { job } = await ask('GET', path)
  for (const [n, completed_at] of completed.entries()) {
    if (report && n === job.steps.length - 1) await sendReport(report(job))
    await ask('POST', `${path}/steps/${job.steps[n].id}/completion`, { completion: { completed_at } })
  }
  if (paused_at) await ask('POST', `${path}/pause`, { pause: { paused_at } })

  async function sendReport({ custom_fields, line_items, photo, signature, signedBy, signedAt }: Report) {
    await ask('PUT', path, { job: { custom_fields, line_items } })
    for (const field of job.custom_fields)
      if (field.type === 'image' || field.type === 'signature')
        await ask('POST', `${path}/custom_fields/${field.id}/file`, field.type === 'image' ? photo : signature)
    const said = new URLSearchParams({ name: signedBy, signed_at: signedAt })
    await ask('POST', `${path}/proof_of_delivery?${said}`, signature)
  }
}
