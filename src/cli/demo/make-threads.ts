import type { RawRow } from '#fields'
import { message as messageRecord } from '#records/message'
import { thread as threadRecord } from '#records/thread'
import { HOUR, MINUTE } from './calendar.ts'
import type { Town } from './make-things.ts'
import { threads } from './people.ts'

/** Threads between the office and the crews. Everybody has read all but the newest message. */
export async function makeThreads(town: Town, jobs: RawRow[]): Promise<void> {
  for (const { subject, job: worker, with: people, hoursAgo, lines } of threads.toReversed()) {
    const begun = town.calendar.now - hoursAgo * HOUR
    const said = lines.map(([name, body]) => ({ from_user_id: town.users.get(name)?.id, body }))
    const ids = (people ?? lines.map(([name]) => name)).map((name) => town.users.get(name)?.id)
    const draft = {
      subject,
      user_ids: [...new Set(ids)],
      all_workers: !worker && !people,
      job_id: worker ? jobOf(jobs, town.users.get(worker)?.id)?.id : null,
    }
    const thread = await town.keep(threadRecord, draft, { by: town.users.get(lines[0]?.[0] ?? ''), at: begun })
    for (const [i, line] of said.entries()) {
      const by = [...town.users.values()].find(({ id }) => id === line.from_user_id)
      const at = begun + i * 7 * MINUTE
      const kept = await town.keep(messageRecord, line, { server: { thread_id: thread.id }, by, at })
      const everybody = { read_by_user_ids: thread.user_ids, received_by_user_ids: thread.user_ids }
      if (i < said.length - 1) await town.keep(messageRecord, {}, { server: everybody, before: kept, by, at })
    }
  }
}

/** The job that a worker is at, else the next one. */
function jobOf(jobs: RawRow[], worker: number): RawRow | undefined {
  const theirs = jobs.filter(({ worker_id }) => worker_id === worker)
  return (
    theirs.find(({ progress_state }) => progress_state === 'started') ??
    theirs.find(({ progress_state }) => progress_state === 'not_started') ??
    theirs.at(-1)
  )
}
