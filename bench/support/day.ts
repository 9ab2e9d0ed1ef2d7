import { type Actor, asking, type Person, withKey } from '#cli/demo/actors'
import { type Doing, doJob, placeOrder } from '#cli/demo/deeds'
import { drawAll } from '#cli/demo/drawing'
import type { RawRow } from '#fields'
import { fitFor, openJob } from '../loads/jobs.ts'
import { newTelemetry } from '../loads/telemetry.ts'
import { type Client, newClient } from './client.ts'
import type { Company } from './company.ts'
import { type Fired, firedOf } from './fire.ts'
import type { Muster } from './muster.ts'

/** What people do in a busy hour, at any speed. */
export interface Day {
  /**
   * So many do one thing after the other, as fast as they are answered; answers how many times real time that was. A
   * thing that has begun is done to its end.
   */
  live(ms: number, atOnce: number): Promise<{ fired: Fired; speed: number }>
  close(): void
}

/** Something that is done so often in an hour; the number tells how often it was done before. */
interface Habit {
  perHour: number
  act: (number: number) => Promise<unknown>
}

const DISPATCHERS = 20

/** A company at work: each worker of it, 20 dispatchers, and a program that keeps up with the changes. Jobs go as in the demo. */
export async function busyDay(muster: Muster, company: Company): Promise<Day> {
  const client = newClient(muster.port)
  const jobs = await jobsOf(muster, client, company)
  const habits = [...jobs, ...ofWorkers(client, company), ...ofOthers(client, company)].map((habit) => ({
    ...habit,
    done: 0,
  }))
  const perHour = habits.reduce((sum, habit) => sum + habit.perHour, 0)
  let begun = 0
  return {
    async live(ms, atOnce) {
      const [before, started, cpu] = [begun, performance.now(), process.cpuUsage()]
      client.waits()
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (performance.now() - started < ms) await next()
        }),
      )
      const took = performance.now() - started
      return { fired: firedOf(client.waits(), took, cpu), speed: ((begun - before) * 3600_000) / perHour / took }
    },
    close: client.close,
  }

  /** Whatever is furthest behind its share comes next, so that the mixture is the same every time. */
  function next(): Promise<unknown> {
    begun++
    const behind = (habit: (typeof habits)[number]) => (begun * habit.perHour) / perHour - habit.done
    const latest = habits.reduce((most, habit) => (behind(habit) > behind(most) ? habit : most))
    return latest.act(latest.done++)
  }
}

/** Each worker does two jobs in an hour, from accepting it to the signature, and the office places as many. */
async function jobsOf(muster: Muster, { request }: Client, company: Company): Promise<Habit[]> {
  const perHour = company.workers.length * 2
  const doing = await doings()
  const { json } = await muster.call('GET', '/v5/jobs.json?per_page=1000&state=assigned')
  const sent: { id: number; worker: number }[] = json.jobs.map(({ id, worker_id }: RawRow) => ({
    id,
    worker: worker_id,
  }))
  const people = new Map(
    company.workers.map((id) => {
      const actor = workerOf(company, id)
      return [id, { id, name: actor.name, email: '', password: '', ask: asking(request, actor) }]
    }),
  )
  const office: Person = { id: 0, name: 'the office', email: '', password: '', ask: withKey(request, company.key) }
  let made = company.jobs
  const workers: Habit = {
    perHour,
    act() {
      const next = sent.shift()
      if (!next) throw new Error('no job is left')
      return doJob(people.get(next.worker) as Person, next.id, doing())
    },
  }
  const dispatch: Habit = {
    perHour,
    async act(number) {
      const { worker_id = 0, ...fit } = fitFor(company, number)
      const draft = { ...openJob(company, made++), ...fit }
      const order = { draft, worker: people.get(worker_id), published_at: new Date().toISOString() }
      sent.push({ id: await placeOrder(office, order), worker: worker_id })
    },
  }
  return [workers, dispatch]
}

/** What a worker does with any job: the values of the template's fields, a photo, two signatures. */
async function doings(): Promise<() => Doing> {
  const [photo, signature] = await drawAll([{ photo: 'boiler', take: 0 }, { signature: 'Ana Reyes' }])
  const values: { [name: string]: string } = {
    'Gas pressure': '21.4',
    'Flue temperature': '124',
    Condition: 'Worn',
    'Parts fitted': 'Electrode, Gasket',
    'Valve tested': 'true',
    Remarks: 'Bring the long ladder',
  }
  return () => ({
    confirmation: 'accepted',
    completed: Array.from({ length: 5 }, () => new Date().toISOString()),
    report: ({ custom_fields }) => ({
      custom_fields: custom_fields.flatMap(({ id, name }: RawRow) =>
        values[name] ? [{ id, value: values[name] }] : [],
      ),
      line_items: [],
      photo: photo as Buffer,
      signature: signature as Buffer,
      signedBy: 'Ana Reyes',
      signedAt: new Date().toISOString(),
    }),
  })
}

/** Ten positions each minute, and the list of jobs every quarter of an hour. */
function ofWorkers({ request }: Client, company: Company): Habit[] {
  const { workers } = company
  const count = workers.length
  const actors = workers.map((id) => workerOf(company, id))
  const actor = (i: number) => actors[i % count] as Actor
  const telemetry = newTelemetry(count)
  return [
    { perHour: count * 60, act: (i) => good(request(actor(i), 'POST', '/v5/telemetry.json', telemetry())) },
    { perHour: count * 4, act: (i) => good(request(actor(i), 'GET', '/v5/jobs.json')) },
  ]
}

/** Dispatchers look at pages all the time and call customers; an old client asks in XML what is new. */
function ofOthers({ request }: Client, { key, jobs, tags }: Company): Habit[] {
  const actor = { name: 'the office', headers: { authorization: `Bearer ${key}` } }
  const get = (path: string) => good(request(actor, 'GET', `/v5${path}`))
  const each = (perHour: number, act: Habit['act']) => ({ perHour: DISPATCHERS * perHour, act })
  return [
    each(60, () => get('/jobs.json')),
    each(30, () => get('/jobs.json?state=unallocated')),
    each(10, (i) => get(`/jobs.json?search=gate%20${String.fromCharCode(65 + (i % 20))}`)),
    each(30, (i) => get(`/jobs/${(i % jobs) + 1}/candidates.json`)),
    each(30, (i) =>
      good(request(actor, 'PUT', `/v5/jobs/${(i % jobs) + 1}.json`, { job: { notes: `Called ${i} times` } })),
    ),
    { perHour: 360, act: () => get(`/jobs.xml?updated_since=${new Date(Date.now() - 10_000).toISOString()}`) },
    { perHour: 360, act: (i) => get(`/tags/${tags[i % tags.length]}.xml`) },
  ]
}

const workerOf = ({ workers, cookies }: Company, id: number): Actor => ({
  name: `worker ${id}`,
  headers: { cookie: `muster_session=${cookies[workers.indexOf(id)]}`, 'sec-fetch-site': 'same-origin' },
})

async function good(answer: ReturnType<Client['request']>): Promise<void> {
  const { status, text } = await answer
  if (status < 200 || status > 299) throw new Error(`an answer was bad: ${status} ${text}`)
}
