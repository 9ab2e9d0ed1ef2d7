import { setTimeout as wait } from 'node:timers/promises'
import { type RawRow, rowsIn } from '#fields'
import { messageOf } from '#problem'
import type { Person } from './actors.ts'
import { drawAll } from './drawing.ts'
import { pick, type Random } from './rows.ts'
import type { TemplateName } from './work.ts'

/** Somebody does something this often, in milliseconds, more or less. */
const EVERY = 3_000

export interface LiveDay {
  workers: readonly Person[]
  /** Told what was done, in a line. */
  say(line: string): void
  signal: AbortSignal
  random?: Random
  everyMs?: number
}

/**
 * The day goes on: workers move, answer, begin, complete step by step with photos and signatures, pause, and run late,
 * as their phones would tell it, until the signal says stop.
 */
export async function playDay(day: LiveDay): Promise<void> {
  const { workers, say, signal, random = Math.random, everyMs = EVERY } = day
  while (!signal.aborted) {
    const worker = pick(random, workers)
    try {
      const done = await doSomething(worker, random)
      if (done) say(`${worker.name} ${done}`)
    } catch (error) {
      // What is refused is refused to a phone as well; the day goes on.
      say(`${worker.name}: ${messageOf(error)}`)
    }
    await wait(everyMs * (0.5 + random()), undefined, { signal }).catch(() => {})
  }
}

/** The next thing that this worker would do. @returns what it was; null for nothing */
async function doSomething(worker: Person, random: Random): Promise<string | null> {
  const { ask } = worker
  const { jobs } = await ask('GET', '/jobs?open=true&per_page=100')
  const mine = rowsIn(jobs).filter(({ planned_start_at }) => planned_start_at)
  mine.sort((a, b) => Date.parse(a.planned_start_at) - Date.parse(b.planned_start_at))
  const unanswered = mine.find(({ confirmation }) => confirmation === 'pending')
  if (unanswered && random() < 0.5) return answer(worker, unanswered, random() < 0.85)
  const current = mine.find(({ progress_state }) => progress_state === 'started')
  if (current) {
    const chance = random()
    if (current.paused_at) {
      await ask('DELETE', `/jobs/${current.id}/pause`)
      return `goes on with ${current.customer_name}`
    }
    if (chance < 0.08) {
      await ask('POST', `/jobs/${current.id}/pause`, { pause: { pause_reason: 'Waits for a part' } })
      return `pauses ${current.customer_name}`
    }
    return completeStep(worker, current)
  }
  const next = mine.find(({ confirmation }) => confirmation === 'accepted' || confirmation === null)
  if (!next) return null
  const isDue = Date.parse(next.planned_start_at) < Date.now() + 20 * 60_000
  return isDue && random() < 0.5 ? completeStep(worker, next) : move(worker, next)
}

async function answer({ ask }: Person, job: RawRow, accepts: boolean): Promise<string> {
  const confirmation = accepts
    ? { confirmation: 'accepted' }
    : { confirmation: 'declined', decline_reason: 'Too far away' }
  await ask('POST', `/jobs/${job.id}/confirmation`, { confirmation })
  return `${accepts ? 'accepts' : 'declines'} ${job.customer_name}`
}

/** The first begins the job; before the last, what is needed is filled in. */
async function completeStep({ ask, name }: Person, job: RawRow): Promise<string> {
  const path = `/jobs/${job.id}`
  const open = job.steps.filter((step: RawRow) => !step.completed_at)
  if (open.length === 1) {
    for (const field of job.custom_fields.filter((one: RawRow) => one.permission === 'required')) {
      const isFile = field.type === 'image' || field.type === 'signature'
      if (isFile && !field.attachment_id && !field.signature_id) {
        const [bytes] = await drawAll([
          field.type === 'image' ? { photo: sceneOf(job), take: job.id % 2 } : { signature: name },
        ])
        if (bytes) await ask('POST', `${path}/custom_fields/${field.id}/file`, bytes)
      } else if (!isFile && field.value === null) {
        const value =
          field.type === 'checkbox' ? 'true' : field.type === 'number' ? '21.4' : (field.options[0] ?? 'Done')
        await ask('PATCH', `${path}/custom_fields/${field.id}`, { custom_field: { value } })
      }
    }
  }
  const step = open[0]
  await ask('POST', `${path}/steps/${step.id}/completion`, { completion: { completed_at: new Date().toISOString() } })
  return `completes “${step.name}” at ${job.customer_name}`
}

const sceneOf = ({ template_name: name }: RawRow): TemplateName =>
  /boiler/i.test(name ?? '') ? 'boiler' : /switch/i.test(name ?? '') ? 'switchboard' : 'roof'

/** Some of the way to the next job. */
async function move({ ask }: Person, job: RawRow): Promise<string | null> {
  const place = job.steps[0]?.location ?? job.contact?.location
  if (!place?.lat) return null
  const near = (value: string) => (Number(value) + (Math.random() - 0.5) * 0.02).toFixed(5)
  const point = { lat: near(place.lat), lng: near(place.lng), recorded_at: new Date().toISOString(), speed: '38.0' }
  await ask('POST', '/telemetry', { telemetry: [point] })
  return `is on the way to ${job.customer_name}`
}
