import { request as ask } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Bench, Load } from '../run.ts'
import { type Company, newCompany } from '../support/company.ts'
import type { Finding } from '../support/finding.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { fireAt, repeat } from '../support/rounds.ts'
import { openJob } from './jobs.ts'

const json = { 'Content-Type': 'application/json' }
const DAY = 86_400_000

/** Jobs that are moved at once, and that a board shows of each. */
const MOVES = 100
const fields =
  'id,customer_name,template_name,state,progress_state,worker_id,planned_start_at,planned_duration,published_at,due_by'
/** What the office asks for: places too, for the ways between them, and the steps, for how far the work is. */
const place = (of: string) => ['lat', 'lng', 'address1', 'suburb', 'city'].map((name) => `${of}.${name}`)
const officeFields = [
  'id,customer_name,template_name,worker_id,worker_name,equipment_ids,tag_ids,time_windows,due_by,priority',
  'state,progress_state,confirmation,decline_reason,canceled_at,paused_at,locked_at,published_at,published_plan',
  'planned_start_at,planned_duration,actual_start_at,steps.name,steps.completed_at',
  ...place('steps.location'),
  ...place('contact.location'),
].join()

export const planning: Load = {
  name: 'planning',
  about:
    'What a dispatcher waits for, one request after the other, with 200 workers and 2,000 jobs that day: a verdict for a worker and a time, 100 jobs moved in one atomic batch, the board as a whole set, and in one answer with the fields that a card shows and with those that the office asks for, and the best places for a job. Each time is another time, and each move a move: nothing is remembered.',
  missed:
    'A verdict alone is a whole request, which looks up the job, the worker, their tags, hours and jobs of that day one after the other; for 200 workers at once these are looked up once (load `jobs`). In a batch each move asks the guard anew, of what else its worker has, and is journaled: several statements each. The board as a set is of whole records, steps and custom fields with them: it is asked for once, and then for what changed. With `fields[jobs]` it is one answer of what is shown.',
  run: async (bench) =>
    withMuster(bench.serving(), (muster, company: Company) => findingsOf(bench, muster, company), await newCompany()),
}

async function findingsOf(bench: Bench, muster: Muster, company: Company): Promise<Finding[]> {
  const { key } = company
  const { json: open } = await muster.call('POST', '/v5/jobs.json', { job: openJob(company, company.jobs) })
  const day = `${new Date(Date.now() + DAY).toISOString().slice(0, 10)}T`
  const minute = (number: number) => new Date(Date.parse(`${day}00:00:00Z`) + (number % 1440) * 60_000).toISOString()
  const milliseconds = (what: string, most: number | null, request: (number: number) => Buffer) =>
    repeat(bench, { what, unit: 'ms', ...(most && { goal: { of: 'value' as const, most } }) }, async (ms) => {
      const { fired, beside } = await fireAt(muster, { port: muster.port, request, ms, connections: 1 })
      return { value: fired.p50, beside }
    })
  const post = (path: string, body: object) => requestOf('POST', `${path}?api_key=${key}`, json, JSON.stringify(body))
  let asked = 0
  const [from, to] = [`${day}00:00:00Z`, `${day}23:59:59Z`]
  const board = () => `/v5/sync.json?api_key=${key}&set=board&from=${from}&to=${day}23:${10 + (asked++ % 50)}:59Z`
  const cards = () => `${board()}&records=jobs&fields[jobs]=${fields}`
  const office = () => `${board()}&records=jobs&fields[jobs]=${officeFields}`

  return [
    await milliseconds('a verdict for a worker and a time', 1, () => {
      const worker = company.workers[asked % company.workers.length]
      const path = `/v5/jobs/${open.job.id}/candidates.json?api_key=${key}&worker_id=${worker}&planned_start_at=${minute(asked++)}`
      return requestOf('GET', path)
    }),
    await milliseconds(`${MOVES} moves in one batch`, 60, () => {
      const moves = Array.from({ length: MOVES }, (_, i) => ({
        method: 'PATCH',
        path: `/v5/jobs/${i + 1}.json`,
        body: { job: { planned_start_at: minute(asked + i) } },
      }))
      asked++
      return post('/v5/batch.json', { batch: { atomic: true, requests: moves } })
    }),
    await milliseconds('the board as a set', 60, () => requestOf('GET', board())),
    await kilobytes(bench, 'the board as a set, compressed', muster, board),
    await milliseconds('2,000 cards of a board', 60, () => requestOf('GET', cards())),
    await kilobytes(bench, '2,000 cards of a board, compressed', muster, cards),
    await milliseconds('the board of the office', 60, () => requestOf('GET', office())),
    await kilobytes(bench, 'the board of the office, compressed', muster, office),
    await milliseconds('the best places for a job', null, () => {
      const window = { from, to: new Date(Date.parse(to) + (asked++ % 60) * 60_000).toISOString() }
      return post('/v5/suggestions.json', { suggestions: { job_ids: [open.job.id], ...window } })
    }),
  ]
}

/** How large an answer is as it travels. */
const kilobytes = (bench: Bench, what: string, { port }: Muster, path: () => string): Promise<Finding> =>
  repeat(bench, { what, unit: 'KB', goal: { of: 'value', most: 100 } }, async () => {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const sent = ask(
        { port, host: '127.0.0.1', path: path(), headers: { 'Accept-Encoding': 'gzip' } },
        (response) => {
          if (response.statusCode === 200) buffer(response).then(resolve, reject)
          else reject(new Error(`${path()} is ${response.statusCode}`))
        },
      )
      sent.on('error', reject).end()
    })
    return { value: bytes.length / 1000, beside: {} }
  })
