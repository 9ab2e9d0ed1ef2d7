import type { Call } from '#call'
import type { RecordType } from '#fields'
import { Problem } from '#problem'
import type { Event } from '#store/journal'
import type { Reader } from '#store/store'
import { may } from './abilities.ts'
import type { AtomicBatch } from './atomic-batch.ts'
import type { Mutations } from './mutations.ts'
import { buildReversal, refuseWhenTouched } from './undo.ts'

type Records = (name: string) => RecordType

/** Events that one reversal takes back, at most. */
export const MAX_EVENTS = 1000

/**
 * What the events of one call came to, newest first: what was changed several times in a row counts once, from what it was
 * to what it became.
 */
export function netEvents(events: Event[]): Event[] {
  const byRecord = Map.groupBy(events, ({ record, record_id }) => `${record} ${record_id}`)
  const net: Event[] = []
  for (const own of byRecord.values()) {
    let last: Event | null = null
    for (const event of own) {
      if (last?.action === 'update' && event.action === 'update') {
        net.pop()
        last = { ...event, changes: mergedChanges(last.changes, event.changes) }
      } else last = event
      net.push(last)
    }
  }
  return net.sort((a, b) => b.id - a.id)
}

function mergedChanges(first: Event['changes'], second: Event['changes']): Event['changes'] {
  const merged = { ...first }
  for (const [name, [from, to]] of Object.entries(second)) merged[name] = [first[name]?.[0] ?? from, to]
  return merged
}

/** Whether the caller may take back what was done to records of this type. */
export const reverses = (call: Call, record: RecordType): boolean =>
  record.path !== null && record.allow.write !== 'nobody' && may(call.actor, record, 'write')

/** What stands in the way of taking a call back, a sentence for each event; nothing where nothing does. */
export async function obstacles(call: Call, reader: Reader, record: Records, events: Event[]): Promise<string[]> {
  const found: string[] = []
  for (const event of netEvents(events)) {
    const of = record(event.record)
    if (!reverses(call, of)) continue
    const reversed = new Set([event.call_id])
    await refuseWhenTouched(reader, of, event, reversed).catch((error) => {
      if (!(error instanceof Problem)) throw error
      found.push(error.message)
    })
  }
  return found
}

/**
 * Takes a call back within a batch, newest first; what the caller may not write (what a rule brought about) stays as it
 * is. Answers what each write came to: its event, nothing where all was as before, or the problem.
 */
export function reverseAll(
  call: Call,
  mutations: Mutations,
  batch: AtomicBatch,
  record: Records,
  events: Event[],
  reason: string | null,
): Promise<{ event: Event; made: Event | null; problem: Problem | null }[]> {
  const own = netEvents(events).filter((event) => reverses(call, record(event.record)))
  const reversed = new Set(events.map(({ call_id }) => call_id))
  return batch.run(
    own.map((event) => async () => {
      try {
        const write = buildReversal(call, record(event.record), event, reversed)
        const { event: made } = await mutations.execute(call, { ...write, reason, reverses: event.call_id })
        return { event, made, problem: null }
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem
        return { event, made: null, problem }
      }
    }),
  )
}
