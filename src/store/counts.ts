import type { Field, RecordType } from '#fields'
import type { Event, Journal } from './journal.ts'
import { isKept } from './schema.ts'
import type { ListQuery, Sight } from './select.ts'

/** How many rows there are, as of a place in the account's journal. */
export interface Count {
  n: number
  place: number
}

/**
 * What an event changes of a count: so many more or less; a row that is `made` may be one more, and one that is `changed`
 * may be another way than it was; null is all that isn't about one row.
 */
export type Effect = (event: Event) => number | 'made' | 'changed' | null

const MOST_KEPT = 1000
/** Events that are looked through; after more of them it is counted again. */
const MOST_EVENTS = 500

/**
 * Counts that were made, taken on to where the journal is by what happened since: a write of something else doesn't have
 * a million rows counted again. (docs/decisions/0013-counts-and-the-journal.md)
 */
export class Counts {
  private readonly kept = new Map<string, Promise<Count>>()

  /**
   * How many there are, as of a place in the journal or later. `count` counts them all, or of some ids. Who asks for the
   * same meanwhile waits with the first.
   */
  async at(
    place: number,
    key: string,
    effect: Effect,
    journal: Journal,
    count: (ids?: string[]) => Promise<Count>,
  ): Promise<number> {
    const before = this.kept.get(key)
    const found = before ? before.catch(() => null).then((known) => (known ? takenOn(known) : count())) : count()
    // The first of the map is what nobody asked for the longest.
    this.kept.delete(key)
    this.kept.set(key, found)
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value as string)
    return (await found).n

    async function takenOn(known: Count): Promise<Count> {
      for (let upTo = place; known.place < upTo; ) {
        const events = await journal.between(known.place, upTo, MOST_EVENTS + 1)
        const change = events.length > MOST_EVENTS ? null : changeBy(events, effect)
        if (!change) return count()
        const { more, made } = change
        if (made.length === 0) return { n: known.n + more, place: upTo }
        const among = await count(made)
        if (among.place === upTo) return { n: known.n + more + among.n, place: upTo }
        // Something was written between the two looks.
        upTo = among.place
      }
      return known
    }
  }
}

/** What events change together, and the ids of rows that were made; null where only counting tells. */
function changeBy(events: Event[], effect: Effect): { more: number; made: string[] } | null {
  const made = new Set<string>()
  let more = 0
  for (const event of events) {
    const one = effect(event)
    if (one === 'made') made.add(event.record_id)
    // Whatever became of a row that was made since, it is looked at as it is in the end.
    else if (one === null || (one === 'changed' && !made.has(event.record_id))) return null
    else if (one !== 'changed') more += one
  }
  return { more, made: [...made] }
}

/** What each event changes of how many rows a caller finds of a record; null where that isn't in the journal. */
export function effectOn(
  record: RecordType,
  { filters, words }: ListQuery,
  sight: Sight,
  named: (name: string) => RecordType,
): Effect | null {
  const asked = [...filters.map(({ field }) => field), ...(words.length > 0 ? record.search : [])]
  // What nobody creates is a log, whose rows come and go without an event.
  if (record.without?.includes('create') || asked.some((name) => record.fields[name]?.quiet)) return null
  // Somebody's own jobs lead to what else he sees.
  if (sight.own.size > 0) return () => null

  const fields = new Set(asked)
  const others = new Set<string>()
  const targetOf = (name: string) => record.fields[name]?.target ?? ''
  for (const name of asked) {
    const { lookup, through } = record.fields[name] ?? {}
    if (lookup) fields.add(lookup[0])
    if (lookup || through) others.add(targetOf(lookup?.[0] ?? name))
  }
  const limited = noteLimits(record, fields, others, sight, named)
  const all = !limited && asked.length === 0
  const [filter] = filters
  const field = record.fields[filter?.field ?? '']
  // Where one number or choice decides, the journal says of each row what it was and is.
  if (field && !limited && asked.length === 1 && filter?.op === '=' && isExact(field)) {
    const is = (value: unknown) => Number(value !== null && field.save(value as never) === filter.value)
    return ({ record: of, changes: { [filter.field]: [from, to] = [null, null] } }) =>
      of === record.name ? is(to) - is(from) : 0
  }
  return ({ record: of, action, changes }) => {
    if (others.has(of)) return null
    if (of !== record.name) return 0
    if (action === 'update')
      return fields.has('updated_at') || Object.keys(changes).some((name) => fields.has(name)) ? 'changed' : 0
    if (all) return action === 'delete' ? -1 : 1
    return action === 'delete' ? 'changed' : 'made'
  }
}

/** Whether two values of a field are the same on every database just when they are the same here. */
const isExact = (field: Field<unknown>) =>
  isKept(field) && !field.internal && !field.secret && (field.kind === 'choice' || field.column === 'integer')

/** Notes what decides which rows of a record a caller sees, of its fields and of others; answers whether anything does. */
function noteLimits(
  record: RecordType,
  fields: Set<string>,
  others: Set<string>,
  sight: Sight,
  named: (name: string) => RecordType,
): boolean {
  const { visible } = record
  if (typeof visible === 'object') {
    for (const name of [visible.through].flat()) {
      const parent = named(record.fields[name]?.target ?? '')
      fields.add(name)
      others.add(parent.name)
      noteLimits(parent, new Set(), others, sight, named)
    }
    return true
  }
  if (!sight.groups || !visible) return false
  if (visible === 'own') return true
  for (const [name, { through, target }] of Object.entries(record.fields))
    if (through && target && named(target).visible === 'own') {
      fields.add(name)
      others.add(target)
    }
  return true
}
