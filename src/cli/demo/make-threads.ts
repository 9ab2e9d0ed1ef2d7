import { present, type RawRow } from '#fields'
import type { Town } from './make-things.ts'
import { threads } from './people.ts'

/** Threads between the office and the crews. Everybody has read all but the newest message, which the phones have. */
export async function makeThreads({ people }: Town, jobs: RawRow[]): Promise<void> {
  for (const { subject, job: worker, with: names, lines } of threads.toReversed()) {
    const authors = lines.map(([name]) => present(people.get(name)))
    const on = new Set(names?.map((name) => present(people.get(name))) ?? authors)
    const draft = {
      subject,
      user_ids: [...on].map(({ id }) => id),
      all_workers: !worker && !names,
      job_id: worker ? jobOf(jobs, people.get(worker)?.id)?.id : null,
    }
    const first = present(authors[0])
    const { id } = (await first.ask('POST', '/messaging', { thread: draft })).thread
    for (const [i, [, body]] of lines.entries()) {
      const author = present(authors[i])
      const { message } = await author.ask('POST', `/messaging/${id}/messages`, { message: { body } })
      const mark = i < lines.length - 1 ? 'reading' : 'receipt'
      for (const reader of on)
        if (reader !== author) await reader.ask('POST', `/messaging/${id}/messages/${message.id}/${mark}`)
    }
  }
}

/** The job that a worker is at, else the next one that was sent to them. */
function jobOf(jobs: RawRow[], worker: number | undefined): RawRow | undefined {
  const theirs = jobs.filter(({ worker_id, published_at }) => worker_id === worker && published_at)
  return (
    theirs.find(({ progress_state }) => progress_state === 'started') ??
    theirs.find(({ progress_state }) => progress_state === 'not_started') ??
    theirs.at(-1)
  )
}
