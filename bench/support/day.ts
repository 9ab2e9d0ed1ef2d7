import { openJob } from '../loads/jobs.ts'
import { batches } from '../loads/telemetry.ts'
import type { Company } from './company.ts'
import type { Muster } from './muster.ts'
import { requestOf } from './requests.ts'

/** What people do in a busy hour, and how often each of them. */
export interface Day {
  /** Requests of an hour of everybody. */
  perHour: number
  /** The next of them, in a mixture that is the same every time. */
  next: () => Buffer
}

interface Doing {
  perHour: number
  request: (number: number) => Buffer
}

const DISPATCHERS = 20

/** A company at work: each worker of it, 20 dispatchers, and a program that keeps up with the changes. */
export async function busyDay(muster: Muster, company: Company): Promise<Day> {
  const doings = [...ofWorkers(company, await stepsOf(muster)), ...ofDispatchers(company), ...ofPrograms(company)].map(
    (doing) => ({ ...doing, done: 0 }),
  )
  const perHour = doings.reduce((sum, doing) => sum + doing.perHour, 0)
  let number = 0
  return {
    perHour,
    // Whatever is furthest behind its share comes next.
    next() {
      number++
      let [latest] = doings
      let most = Number.NEGATIVE_INFINITY
      for (const doing of doings) {
        const behind = (number * doing.perHour) / perHour - doing.done
        if (behind > most) [latest, most] = [doing, behind]
      }
      if (!latest) throw new Error('nothing is done')
      return latest.request(latest.done++)
    },
  }
}

interface Step {
  job: number
  step: number
  worker: number
}

/** Steps of published jobs, with their workers. */
async function stepsOf(muster: Muster): Promise<Step[]> {
  const { json } = await muster.call('GET', '/v5/jobs.json?per_page=1000&state=assigned')
  return json.jobs.flatMap(({ id, worker_id, steps }: { id: number; worker_id: number; steps: { id: number }[] }) =>
    steps.map((step) => ({ job: id, step: step.id, worker: worker_id })),
  )
}

const json = { 'Content-Type': 'application/json' }

/** Positions each minute; the list of jobs every quarter of an hour; two jobs with five steps each. */
function ofWorkers({ workers, cookies }: Company, steps: Step[]): Doing[] {
  const as = (worker: number) => ({
    ...json,
    Cookie: `muster_session=${cookies[workers.indexOf(worker)]}`,
    'Sec-Fetch-Site': 'same-origin',
  })
  const count = workers.length
  const stepOf = (i: number) => steps[i % steps.length] ?? { job: 0, step: 0, worker: 0 }
  return [
    { perHour: count * 60, request: batches(cookies) },
    { perHour: count * 4, request: (i) => requestOf('GET', '/v5/jobs.json', as(workers[i % count] ?? 0)) },
    {
      perHour: count * 10,
      request(i) {
        const { job, step, worker } = stepOf(i)
        return requestOf('POST', `/v5/jobs/${job}/steps/${step}/completion.json`, as(worker), '{"completion":{}}')
      },
    },
    {
      perHour: count * 2,
      request(i) {
        const { job, worker } = stepOf(i * 5)
        return requestOf('GET', `/v5/jobs/${job}.json`, as(worker))
      },
    },
  ]
}

/** Looking at pages all the time, making and giving out a job every two minutes. */
function ofDispatchers(company: Company): Doing[] {
  const { key, jobs } = company
  const at = (path: string) => `/v5/jobs${path}${path.includes('?') ? '&' : '?'}api_key=${key}`
  const get = (path: (i: number) => string) => (i: number) => requestOf('GET', at(path(i)))
  let made = jobs
  return [
    { perHour: DISPATCHERS * 60, request: get(() => '.json') },
    { perHour: DISPATCHERS * 30, request: get(() => '.json?state=unallocated') },
    { perHour: DISPATCHERS * 10, request: get((i) => `.json?search=gate%20${String.fromCharCode(65 + (i % 20))}`) },
    { perHour: DISPATCHERS * 30, request: get((i) => `/${(i % jobs) + 1}/candidates.json`) },
    {
      perHour: DISPATCHERS * 30,
      request: () => requestOf('POST', at('.json'), json, JSON.stringify({ job: openJob(company, made++) })),
    },
    {
      perHour: DISPATCHERS * 30,
      request: (i) =>
        requestOf('PUT', at(`/${(i % jobs) + 1}.json`), json, JSON.stringify({ job: { notes: `Called ${i} times` } })),
    },
  ]
}

/** An old client that asks in XML what is new. */
const ofPrograms = ({ key, tags }: Company): Doing[] => [
  {
    perHour: 360,
    request: () =>
      requestOf('GET', `/v5/jobs.xml?updated_since=${new Date(Date.now() - 10_000).toISOString()}&api_key=${key}`),
  },
  { perHour: 360, request: (i) => requestOf('GET', `/v5/tags/${tags[i % tags.length]}.xml?api_key=${key}`) },
]
