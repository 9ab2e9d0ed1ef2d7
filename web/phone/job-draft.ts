import { ApiError, type ApiFault } from '../client/index.ts'
import type { Act, Row } from '../client/phone/entry.ts'
import { api, currentPhone, type Job, type Template } from './store.ts'

/** What is said of a job that is being made. */
export interface JobDraft {
  templateId: number | null
  /** The template's name, or what is to be done. */
  what: string
  customerId: number | null
  customer: string
  at: string | null
  workerId: number
  notes: string | null
}

const bodyOf = (draft: JobDraft) => ({
  ...(draft.templateId === null
    ? { template_name: draft.what, steps: [{ name: draft.what }] }
    : { template_id: draft.templateId }),
  ...(draft.customerId === null ? { customer_name: draft.customer } : { customer_id: draft.customerId }),
  worker_id: draft.workerId,
  planned_start_at: draft.at,
  notes: draft.notes,
})

/** What the office would say to it: why not, else what it warns of. @throws ApiError where it can't be asked */
export async function checkJob(draft: JobDraft): Promise<ApiFault[]> {
  try {
    const { body } = await api.request<{ warnings?: ApiFault[] }>('POST', 'jobs', {
      body: { job: bodyOf(draft) },
      dryRun: true,
    })
    return body.warnings ?? []
  } catch (error) {
    if (error instanceof ApiError && !error.isUnreachable) return error.faults
    throw error
  }
}

/** The job with an id of this phone, until the office has given it its number: it is worked on at once. */
export function makeJob(draft: JobDraft, template: Template | undefined): { act: Act; id: number } {
  const id = newId()
  const now = currentPhone().clock.now()
  const steps = template?.steps ?? [{ name: draft.what, location: null }]
  const row = {
    ...emptyJob,
    id,
    customer_id: draft.customerId,
    customer_name: draft.customer,
    template_id: draft.templateId,
    template_name: draft.what,
    worker_id: draft.workerId,
    planned_start_at: draft.at,
    planned_duration: template?.planned_duration ?? 3600,
    published_at: now,
    notes: draft.notes,
    tag_ids: template?.tag_ids ?? [],
    steps: steps.map((step) => ({ ...step, id: newId(), completed_at: null, completed_by_user_id: null })),
    custom_fields: (template?.custom_fields ?? []).map((field) => ({ ...field, id: newId() })),
  }
  const act: Act = {
    method: 'POST',
    path: 'jobs',
    lane: `jobs/${id}`,
    body: { job: bodyOf(draft) },
    // What the office makes of it has all that is missing here.
    effects:
      draft.workerId === currentPhone().person.user_id ? [{ record: 'job', id, row: row as unknown as Row }] : [],
    words: { key: 'job', values: { name: draft.what, job: draft.customer } },
  }
  return { act, id }
}

const emptyJob: Partial<Job> = {
  state: 'assigned',
  progress_state: 'not_started',
  confirmation: null,
  paused_at: null,
  completed_at: null,
  canceled_at: null,
  contact: null,
  asset_ids: [],
  equipment_ids: [],
  line_items: [],
  proof_of_delivery: null,
  actual_start_at: null,
}

/** Negative, and never the same as another's of this phone. */
const newId = () =>
  -(crypto.getRandomValues(new Uint32Array(1))[0] as number) * 2 ** 20 - Math.floor(Math.random() * 2 ** 20) - 1
