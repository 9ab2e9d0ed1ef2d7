import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { jpeg } from '../loads/image.ts'
import type { Muster } from '../support/muster.ts'
import { type Answered, asker } from './ask.ts'
import { percentile, type Wrongs } from './fault.ts'
import { Ledger } from './ledger.ts'
import type { Home } from './places.ts'

const [WRITERS, READERS] = [12, 4]
const QUIET_MS = 20

/** What was answered to one sort of request in a phase. */
export interface Answers {
  statuses: Map<number | 'none', number>
  ms: number[]
  /** Refusals that don't say when to come back, where they must, and others that tell nothing. */
  unclear: Set<string>
}

/** Writers, readers and one who sends photos, all the time; what they are told is counted by the phase it was in. */
export class Traffic {
  readonly ledger = new Ledger()
  readonly phases: { [phase: string]: { [sort: string]: Answers } } = {}
  phase = 'before'
  private over = false
  private running: Promise<unknown>[] = []
  private readonly agent = new Agent({ keepAlive: true })

  start(muster: Muster, { place }: Home): void {
    this.over = false
    const counted = (sort: string, key: string | null) => {
      const ask = asker(muster.port, key, this.agent)
      return async (...asking: Parameters<typeof ask>): Promise<Answered> => {
        const { phase } = this
        try {
          const answer = await ask(...asking)
          this.count(phase, sort, answer)
          return answer
        } catch (error) {
          this.count(phase, sort, null)
          throw error
        }
      }
    }
    const [write, read, send] = [counted('write', place.key), counted('read', place.key), counted('photo', null)]
    const writer = async () => {
      while (!this.over) {
        await this.ledger.write(write, () => !this.over)
        await sleep(QUIET_MS)
      }
    }
    const reader = async (_: unknown, i: number) => {
      const path = i % 2 ? '/v5/customers.json?per_page=5&sort=-id' : '/v5/jobs/1.xml'
      for (; !this.over; await sleep(QUIET_MS)) await read('GET', path).catch(() => {})
    }
    const sender = async () => {
      const path = await imageField(muster)
      for (; !this.over; await sleep(10 * QUIET_MS)) {
        const headers = {
          Cookie: `muster_session=${place.cookies[0]}`,
          'Sec-Fetch-Site': 'same-origin',
          'Content-Type': 'image/jpeg',
        }
        await send('POST', path, { headers, body: await jpeg(400, 300) }).catch(() => {})
      }
    }
    this.running = [...Array.from({ length: WRITERS }, writer), ...Array.from({ length: READERS }, reader), sender()]
  }

  async stop(): Promise<void> {
    this.over = true
    await Promise.all(this.running)
  }

  /** Waits until a write was told to be done. */
  async untilWritten(mostMs: number): Promise<number> {
    const began = performance.now()
    for (const before = this.ledger.done; this.ledger.done === before; await sleep(5))
      if (performance.now() - began > mostMs) return Number.NaN
    return Math.round(performance.now() - began)
  }

  /** In how many ways requests of a sort were answered in a phase, in words: `201 × 40, 507 × 12`. */
  told(phase: string, ...sorts: string[]): string {
    const all = new Map<number | 'none', number>()
    for (const sort of sorts)
      for (const [status, times] of this.phases[phase]?.[sort]?.statuses ?? [])
        all.set(status, (all.get(status) ?? 0) + times)
    const words = [...all].map(([status, times]) => `${status === 'none' ? 'no answer' : status} × ${times}`)
    return words.sort().join(', ') || 'nothing'
  }

  /** Whatever was told in a phase must be among these. */
  only(wrongs: Wrongs, phase: string, sort: string, statuses: (number | 'none')[]): void {
    const { statuses: told, unclear } = this.phases[phase]?.[sort] ?? none()
    wrongs.unless(
      [...told.keys()].every((status) => statuses.includes(status)),
      `${phase}, ${sort}: ${this.told(phase, sort)}`,
    )
    for (const sentence of unclear) wrongs.unless(false, `${phase}, ${sort}: ${sentence}`)
  }

  longest = (phase: string, sort: string) => Math.round(percentile(this.phases[phase]?.[sort]?.ms ?? [0], 1))

  private count(phase: string, sort: string, answer: Answered | null) {
    this.phases[phase] ??= {}
    const sorts = this.phases[phase]
    sorts[sort] ??= none()
    const { statuses, ms, unclear } = sorts[sort]
    const status = answer?.status ?? 'none'
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (!answer) return
    ms.push(answer.ms)
    if (answer.status === 503 && !answer.headers['retry-after']) unclear.add('503 without Retry-After')
    if (answer.status >= 500 && !/room|not available|nobody knows|busy/.test(answer.text))
      unclear.add(`${answer.status} says ${answer.text.slice(0, 200)}`)
  }
}

const none = (): Answers => ({ statuses: new Map(), ms: [], unclear: new Set() })

/** Where a photo of the first job goes. */
async function imageField(muster: Muster): Promise<string> {
  const { json } = await muster.call('GET', '/v5/jobs/1.json')
  const field = json.job.custom_fields.find(({ type }: { type: string }) => type === 'image')
  return `/v5/jobs/1/custom_fields/${field.id}/file.json`
}
