import type { Call } from '#call'
import type { RawRow } from '#fields'
import { job } from '#records/job'
import type { Event } from '#store/journal'
import { onPhone } from './abilities.ts'

/** How much of a record's history is looked through for what a field of it held. */
export const FAR_ENOUGH = 1000

/** Whether a file of a job doesn't leave for this caller: it fills a field that is hidden from phones, or did when it was replaced. (records.md, 8) */
export async function isHiddenFile(call: Call, { id, job_id }: RawRow): Promise<boolean> {
  return onPhone(call.actor, job) && job_id !== null && (await hiddenFiles(call, job_id)).has(id)
}

/** Some events without those of files that don't leave for the caller. */
export async function withoutHiddenFiles(call: Call, events: Event[]): Promise<Event[]> {
  if (!onPhone(call.actor, job)) return events
  const hidden = new Set<string>()
  const looked = new Set<unknown>()
  for (const { record, changes } of events) {
    const id = changes.job_id?.[1] ?? changes.job_id?.[0]
    if (!['signature', 'attachment'].includes(record) || !id || looked.has(id)) continue
    looked.add(id)
    for (const file of await hiddenFiles(call, id as number)) hidden.add(file)
  }
  return events.filter(({ record_id }) => !hidden.has(record_id))
}

/** The ids of the files of a job that stand in a hidden field, where it last named them. */
async function hiddenFiles({ store }: Call, id: number): Promise<Set<string>> {
  const known = new Map<string, boolean>()
  const note = (fields: unknown) => {
    for (const { attachment_id, signature_id, permission } of (fields ?? []) as RawRow[]) {
      const file = attachment_id ?? signature_id
      if (file && !known.has(file)) known.set(file, permission === 'hidden')
    }
  }
  note((await store.find(job, id))?.custom_fields)
  for (const { changes } of await store.journal.newestOf(job.name, id, FAR_ENOUGH)) {
    note(changes.custom_fields?.[1])
    note(changes.custom_fields?.[0])
  }
  return new Set([...known].flatMap(([file, isHidden]) => (isHidden ? [file] : [])))
}
