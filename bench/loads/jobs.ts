import { join } from 'node:path'
import type { Bench, Load } from '../run.ts'
import { type Company, jobDraft, newCompany } from '../support/company.ts'
import type { Finding } from '../support/finding.ts'
import { removeFolder } from '../support/folders.ts'
import { startLimit } from '../support/limit.ts'
import { withMuster } from '../support/muster.ts'
import { recordWrites } from '../support/recorded.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, cpuOf, fireAt, type Round, repeat } from '../support/rounds.ts'
import { written } from './create.ts'

const json = { 'Content-Type': 'application/json' }

export const jobs: Load = {
  name: 'jobs',
  about:
    'A job made from a template with 5 steps and 10 fields, assigned through the guard, and who could take one: 200 workers with 15 of 30 tags each, 2,000 jobs that day.',
  missed:
    'The verdicts of 200 workers need their tags, groups and hours, and since ways are looked at too the jobs of twelve hours before and after: all 2,000 of that day. The workers are read at once, and so are the jobs; the guard is plain code without a question to the database. The profile has seven tenths of the time in SQLite, on its thread for slow reads, most of it in reading the jobs. A job made runs 15 statements, one assigned 17: they take an eighth of it (beside the same statements), the rest is spread over HTTP, JSON, the rules and the journal, and no function has more than a twentieth.',
  run: async (bench) =>
    withMuster(
      bench.serving(),
      async (muster, company: Company) => {
        const { key, port } = { ...company, ...muster }
        // First, since it is of so many jobs a day, and the others make more.
        const { json: open } = await muster.call('POST', '/v5/jobs.json', { job: openJob(company, company.jobs) })
        const asked = requestOf('GET', `/v5/jobs/${open.job.id}/candidates.json?api_key=${key}`)
        const candidates = await repeat(
          bench,
          { what: 'verdicts for 200 workers', unit: 'ms', goal: { of: 'value', most: 10 } },
          async (ms) => {
            const { fired, beside } = await fireAt(muster, { port, request: () => asked, ms, connections: 1 })
            return { value: fired.p50, beside }
          },
        )
        let made = company.jobs + 1
        const create = () => {
          return requestOf(
            'POST',
            `/v5/jobs.json?api_key=${key}`,
            json,
            JSON.stringify({ job: openJob(company, made++) }),
          )
        }
        const created = await besideStatements(bench, (ms) => fireAt(muster, { port, request: create, ms }))
        let assigned = company.jobs
        const assign = () => {
          const id = (assigned++ % made) + 1
          const job = fitFor(company, id * 7)
          return requestOf('PUT', `/v5/jobs/${id}.json?api_key=${key}`, json, JSON.stringify({ job }))
        }
        const given = await repeat(bench, { what: 'assign a job', unit: 'jobs/s' }, (ms) =>
          fireAt(muster, { port, request: assign, ms }),
        )
        return [candidates, created, cpuOf(created, 350), given, cpuOf(given, 400)]
      },
      await newCompany(),
    ),
}

/** Jobs made, beside the statements that this takes, straight into SQLite. */
async function besideStatements(bench: Bench, muster: (ms: number) => Promise<Round>): Promise<Finding> {
  const company = await newCompany({ workers: 10, jobs: 100 })
  const limit = startLimit('replay.ts')
  try {
    let made = company.jobs
    const create = () =>
      requestOf('POST', `/v5/jobs.json?api_key=${company.key}`, json, JSON.stringify({ job: openJob(company, ++made) }))
    const writes = await recordWrites(company, create)
    const file = join(company.folder, 'muster.db')
    return await alternate(
      bench,
      { what: 'create a job', unit: 'jobs/s', limit: 'the same statements, 64 writes a commit' },
      { limit: (ms) => written(limit, { file, writes, ms }), muster },
    )
  } finally {
    await limit.stop()
    removeFolder(company.folder)
  }
}

/** A worker, with a tag that they have and the group that they are in: nothing stands in the way. */
export const fitFor = ({ tags, workers, groups }: Company, i: number) => {
  const at = i % workers.length
  return {
    worker_id: workers[at],
    tag_ids: [tags[(at + 2 * i) % tags.length]],
    group_ids: [groups[at % groups.length]],
  }
}

/** A job that waits for somebody. */
export const openJob = (company: Company, i: number) => ({
  ...jobDraft(company, i),
  worker_id: null,
  published_at: null,
})
