import type { Call } from '#call'
import { rowsIn } from '#fields'
import type { FileRow } from '#records/file'
import { job } from '#records/job'
import type { Event } from '#store/journal'
import { isWorkerOnly } from './abilities.ts'

/** How much of a record's history is looked through for what a field of it held. */
export const MAX_HISTORY_EVENTS = 1000

/** Whether a file of a job doesn't leave for this caller: it fills a field that is hidden from phones, or did when it was replaced. (docs/contract.md#templates-and-custom-fields) */
export async function isHiddenFile(call: Call, { id, job_id }: Pick<FileRow, 'id' | 'job_id'>): Promise<boolean> {
  return isWorkerOnly(call.actor, job) && job_id !== null && (await findHiddenFiles(call, job_id)).has(id)
}

/** Some events without those of files that don't leave for the caller. */
export async function excludeHiddenFiles(call: Call, events: Event[]): Promise<Event[]> {
  if (!isWorkerOnly(call.actor, job)) return events
  const hidden = new Set<string>()
  const looked = new Set<unknown>()
  for (const { record, changes } of events) {
    const id = changes.job_id?.[1] ?? changes.job_id?.[0]
    if (!['signature', 'attachment'].includes(record) || !id || looked.has(id)) continue
    looked.add(id)
    for (const file of await findHiddenFiles(call, Number(id))) hidden.add(file)
  }
  return events.filter(({ record_id }) => !hidden.has(record_id))
}

/** The ids of the files of a job that stand in a hidden field, where it last named them. */
async function findHiddenFiles({ store }: Call, id: number): Promise<Set<string>> {
  const known = new Map<string, boolean>()
  const note = (fields: unknown) => {
    for (const { attachment_id, signature_id, permission } of rowsIn(fields)) {
      const file = attachment_id ?? signature_id
      if (file && !known.has(file)) known.set(file, permission === 'hidden')
    }
  }
  note((await store.find(job, id))?.custom_fields)
  for (const { changes } of await store.journal.newestOf(job.name, id, MAX_HISTORY_EVENTS)) {
    note(changes.custom_fields?.[1])
    note(changes.custom_fields?.[0])
  }
  return new Set([...known].flatMap(([file, isHidden]) => (isHidden ? [file] : [])))
}
