import { randomUUID } from 'node:crypto'
import type { Answered, Ask } from './ask.ts'
import type { Wrongs } from './fault.ts'

/** A write that a writer has sent. */
interface Sent {
  name: string
  key: string
}

/** What its names begin with; others' customers don't count. */
const MADE = 'Made '

/**
 * Writers and what they were told: each makes customers under idempotency keys, and counts in the notes of a customer of
 * its own. Who gets no answer stops, and asks again under the same key later.
 */
export class Ledger {
  /** By name, the id that was told. */
  readonly acknowledged = new Map<string, number>()
  /** Whether it is there, nobody told. */
  open: Sent[] = []
  /** Of a customer that counts: what was acknowledged, and what was sent last. */
  readonly counts = new Map<number, { told: number; sent: number }>()
  /** Answers that are neither made nor unknown, by status. */
  readonly refused = new Map<number, number>()
  /** The last of those, whole. */
  lastRefusal: Answered | null = null
  /** Writes that were told to be done: customers made, and counts. */
  done = 0
  private next = 0
  private seen = 0

  /** Writes until told to stop or no answer comes; after a refusal it waits a little. */
  async write(ask: Ask, goesOn: () => boolean): Promise<void> {
    let own: number | null = null
    while (goesOn()) {
      const sent = { name: `${MADE}${++this.next}`, key: randomUUID() }
      const made = await this.make(ask, sent)
      if (made === 'gone') return
      if (made === 'refused') {
        await new Promise((resolve) => setTimeout(resolve, 50))
        continue
      }
      own ??= made
      if (!(await this.count(ask, own))) return
    }
  }

  /** Sends again what had no answer. */
  async again(ask: Ask): Promise<void> {
    for (const sent of this.open.splice(0)) await this.make(ask, sent)
  }

  /** Compares what there is with what was told: all that came since the last time, or everything. */
  async check(ask: Ask, wrongs: Wrongs, { whole = false } = {}): Promise<number> {
    const names = new Map<string, number>()
    let rows = 0
    const unknown = new Set(this.open.map(({ name }) => name))
    for (let after = whole ? 0 : this.seen; ; ) {
      const { customers } = (await ask('GET', `/v5/customers.json?per_page=1000&after_id=${after}`)).json
      if (customers.length === 0) break
      for (const { id, name, notes } of customers) {
        if (!name.startsWith(MADE)) continue
        rows++
        wrongs.unless(!names.has(name), `${name} is there twice`)
        names.set(name, id)
        const told = this.acknowledged.get(name)
        wrongs.unless(told === id || (told === undefined && unknown.has(name)), `${name} is ${id}, told was ${told}`)
        this.checkCount(id, notes, wrongs)
      }
      after = customers.at(-1).id
    }
    for (const [name, id] of this.acknowledged)
      if (whole || id > this.seen) wrongs.unless(names.has(name), `${name} (${id}) is lost`)
    for (const id of names.values()) this.seen = Math.max(this.seen, id)
    return rows
  }

  private checkCount(id: number, notes: string | null, wrongs: Wrongs) {
    const count = this.counts.get(id)
    if (!count) return
    const kept = Number(notes ?? 0)
    wrongs.unless(
      kept >= count.told && kept <= count.sent,
      `customer ${id} counts ${kept}, told was ${count.told}, sent ${count.sent}`,
    )
  }

  private async make(ask: Ask, sent: Sent): Promise<number | 'gone' | 'refused'> {
    try {
      const answer = await ask('POST', '/v5/customers.json', {
        body: { customer: { name: sent.name } },
        headers: { 'Idempotency-Key': sent.key },
      })
      if (answer.status === 201) {
        const { id } = answer.json.customer
        this.acknowledged.set(sent.name, id)
        this.done++
        return id
      }
      // The one refusal that leaves it open; the others promise that nothing was changed.
      if (answer.text.includes('nobody knows')) this.open.push(sent)
      this.refuse(answer)
      return 'refused'
    } catch {
      this.open.push(sent)
      return 'gone'
    }
  }

  private async count(ask: Ask, id: number): Promise<boolean> {
    const count = this.counts.get(id) ?? { told: 0, sent: 0 }
    this.counts.set(id, count)
    const number = ++count.sent
    try {
      const answer = await ask('PUT', `/v5/customers/${id}.json`, { body: { customer: { notes: String(number) } } })
      if (answer.status === 200) {
        count.told = number
        this.done++
      } else this.refuse(answer)
      return true
    } catch {
      return false
    }
  }

  private refuse(answer: Answered) {
    this.refused.set(answer.status, (this.refused.get(answer.status) ?? 0) + 1)
    this.lastRefusal = answer
  }
}
