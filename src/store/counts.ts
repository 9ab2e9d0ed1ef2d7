import type { RecordType } from '#fields'
import type { Event, Journal } from './journal.ts'
import type { ListQuery, Sight } from './select.ts'

/** How many rows there are, as of a place in the account's journal. */
export interface Count {
  n: number
  place: number
}

/** What an event changes of a count; null where only counting tells. */
export type Effect = (event: Event) => number | null

const MOST_KEPT = 1000
/** Events that are looked through; after more of them it is counted again. */
const MOST_EVENTS = 500

/**
 * Counts that were made, taken on to where the journal is by what happened since: a write of something else doesn't have
 * a million rows counted again. (docs/decisions/0013-counts-and-the-journal.md)
 */
export class Counts {
  private readonly kept = new Map<string, Promise<Count>>()

  /** How many there are, as of a place in the journal or later. Who asks for the same meanwhile waits with the first. */
  async at(place: number, key: string, effect: Effect, journal: Journal, count: () => Promise<Count>): Promise<number> {
    const before = this.kept.get(key)
    const found = before ? takenOn(before) : count()
    // The first of the map is what nobody asked for the longest.
    this.kept.delete(key)
    this.kept.set(key, found)
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value as string)
    return (await found).n

    async function takenOn(before: Promise<Count>): Promise<Count> {
      const known = await before.catch(() => null)
      if (!known) return count()
      if (known.place >= place) return known
      const events = await journal.between(known.place, place, MOST_EVENTS + 1)
      const effects = events.map(effect)
      if (events.length > MOST_EVENTS || effects.includes(null)) return count()
      return { n: effects.reduce<number>((sum, more) => sum + (more ?? 0), known.n), place }
    }
  }
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
  return ({ record: of, action, changes }) => {
    if (others.has(of)) return null
    if (of !== record.name) return 0
    if (action === 'update')
      return fields.has('updated_at') || Object.keys(changes).some((name) => fields.has(name)) ? null : 0
    if (limited || asked.length > 0) return null
    return action === 'delete' ? -1 : 1
  }
}

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
