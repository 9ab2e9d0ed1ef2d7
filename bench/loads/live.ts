import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Load } from '../run.ts'
import { type Company, jobDraft, newCompany } from '../support/company.ts'
import { type Finding, summaryOf } from '../support/finding.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { alternate, type Round, repeat } from '../support/rounds.ts'
import { openEach, openStreams } from '../support/streams.ts'
import { usageOf } from '../support/usage.ts'

const [STREAMS, WRITES_PER_SECOND] = [1000, 100]
const [WORKERS, DISPATCHERS, CHANGES_PER_SECOND] = [500, 20, 50]
/** Until the last events have come. */
const SETTLE_MS = 1000

export const live: Load = {
  name: 'live',
  about:
    '1,000 event streams while 100 tags a second are written: from the answer of a write to the last stream that has its event. And 500 workers and 20 dispatchers of a group each, who are told what concerns them, while 50 jobs a second are changed: until the last whom a change concerns has it, and what it takes of the core beside as many readers of the whole account.',
  run: async (bench) => [
    ...(await toAll(bench)),
    ...(await withMuster(
      bench.serving(),
      (muster, company: Company) => toPeople(bench, muster, company),
      await newCompany({ workers: WORKERS, dispatchers: DISPATCHERS, jobs: WORKERS, signedIn: true, light: true }),
    )),
  ],
}

const toAll = (bench: Bench): Promise<Finding[]> =>
  withMuster(bench.serving(), async (muster, { key }) => {
    await muster.call('POST', '/v5/tags.json', { tag: { name: 'The first' } })
    const streams = await openStreams(muster.port, `/v5/events?api_key=${key}`, STREAMS)
    let written = 0
    try {
      return [
        await repeat(
          bench,
          { what: 'reach the last of 1,000 streams', unit: 'ms', goal: { of: 'value', most: 100 } },
          async (ms) => {
            const before = usageOf(muster.pid)
            const answered = new Map<number, number>()
            const writes: Promise<void>[] = []
            const started = performance.now()
            for (let i = 0; i < (ms / 1000) * WRITES_PER_SECOND; i++) {
              writes.push(write(muster, `Tag ${++written}`, answered))
              await sleep(Math.max(0, started + ((i + 1) * 1000) / WRITES_PER_SECOND - performance.now()))
            }
            await Promise.all(writes)
            const delays = await delaysOf(answered, streams.all)
            const after = usageOf(muster.pid)
            const { median, most } = summaryOf(delays)
            return {
              value: median,
              beside: {
                'slowest ms': most,
                ...(before &&
                  after && {
                    'server busy': (after.cpuMs - before.cpuMs) / (performance.now() - started),
                    'memory MB': after.residentMb,
                  }),
              },
            }
          },
        ),
      ]
    } finally {
      streams.close()
    }
  })

/** A change of a job that its worker was told of, and when it was answered. */
interface Change {
  job: number
  revision: number
  answeredAt: number
}

/** When streams came how far: of each the ids that it reached, and when. */
type Reached = Map<number, { id: number; at: number }[]>

async function toPeople(bench: Bench, muster: Muster, company: Company): Promise<Finding[]> {
  const path = '/v5/events'
  const cookies = [...company.cookies, ...company.dispatchers]
  const people = cookies.map((cookie) => ({
    path,
    headers: { Cookie: `muster_session=${cookie}`, 'Sec-Fetch-Site': 'same-origin' },
  }))
  const whole = cookies.map(() => ({ path: `${path}?api_key=${company.key}` }))
  const published = Array.from({ length: company.jobs }, (_, i) => i + 1).filter(
    (id) => jobDraft(company, id - 1).published_at,
  )
  const waits: number[][] = []
  const finding = await alternate(
    bench,
    {
      what: `CPU for ${WORKERS} workers and ${DISPATCHERS} dispatchers`,
      unit: 'ms a write',
      limit: 'as many readers of the whole account',
      goal: { of: 'ratio', most: 2 },
    },
    {
      limit: async (ms) => (await told(whole, ms)).round,
      async muster(ms) {
        const { round, changes, reached } = await told(people, ms)
        waits.push(changes.map((change) => waitOf(change, reached, company)))
        return round
      },
    },
  )
  const rounds = waits.slice(-bench.rounds).map(summaryOf)
  const median: Finding = {
    what: 'reach the last whom a change concerns',
    unit: 'ms',
    muster: rounds.map(({ median }) => median),
    goal: { of: 'value', most: 100 },
    beside: { 'slowest ms': rounds.map(({ most }) => most) },
  }
  return [median, finding]

  /** Changes jobs for a while, and tells who heard of it when and what it took of the server. */
  async function told(streams: Parameters<typeof openEach>[1], ms: number) {
    const reached: Reached = new Map()
    const close = await openEach(muster.port, streams, (stream, _, id) => {
      const of = reached.get(stream) ?? []
      of.push({ id, at: performance.now() })
      reached.set(stream, of)
    })
    try {
      const before = usageOf(muster.pid)
      const changes: Change[] = []
      const started = performance.now()
      for (let i = 0; i < (ms / 1000) * CHANGES_PER_SECOND; i++) {
        const job = published[i % published.length] as number
        const body = { job: { notes: `Ring at gate ${i}, ${started}` } }
        const { json } = await muster.call('PATCH', `/v5/jobs/${job}.json?include=revision`, body)
        changes.push({ job, revision: json.job.revision, answeredAt: performance.now() })
        await sleep(Math.max(0, started + ((i + 1) * 1000) / CHANGES_PER_SECOND - performance.now()))
      }
      await sleep(SETTLE_MS)
      const after = usageOf(muster.pid)
      const cpuMs = before && after ? after.cpuMs - before.cpuMs : Number.NaN
      const round: Round = { value: cpuMs / changes.length, beside: { 'memory MB': after?.residentMb ?? Number.NaN } }
      return { round, changes, reached }
    } finally {
      close()
    }
  }
}

/** Until the worker of the job and all who plan its group have a change. */
function waitOf({ job, revision, answeredAt }: Change, reached: Reached, { workers, groups }: Company): number {
  const [worker, group] = [(job - 1) % workers.length, (job - 1) % groups.length]
  const planners = Array.from({ length: DISPATCHERS }, (_, i) => i).filter((i) => i % groups.length === group)
  const streams = [worker, ...planners.map((i) => workers.length + i)]
  const times = streams.map((stream) => reached.get(stream)?.find(({ id }) => id >= revision)?.at ?? Number.NaN)
  if (times.some(Number.isNaN))
    throw new Error(`the change ${revision} of job ${job} did not reach all whom it concerns`)
  return Math.max(0, Math.max(...times) - answeredAt)
}

async function write(muster: Muster, name: string, answered: Map<number, number>): Promise<void> {
  const { json } = await muster.call('POST', '/v5/tags.json', { tag: { name } })
  answered.set(json.tag.id, performance.now())
}

/** Tags are all that is written, so their order is that of the events. */
async function delaysOf(answered: Map<number, number>, all: Map<number, number>): Promise<number[]> {
  const give = performance.now() + 30_000
  while (all.size < answered.size && performance.now() < give) await sleep(5)
  if (all.size < answered.size) throw new Error(`${answered.size - all.size} events did not reach all streams`)
  const committed = [...answered.values()].sort((a, b) => a - b)
  const reached = [...all].sort(([a], [b]) => a - b).map(([, at]) => at)
  all.clear()
  return committed.map((at, i) => Math.max(0, (reached[i] ?? 0) - at))
}
