import { type Field, isNil, type RecordType } from '#fields'
import { fieldsOf, othersOf, type Visibility, visibilityOf } from '#fields/visibility'
import type { Event, Journal } from './journal.ts'
import { isStored } from './schema.ts'
import type { ListQuery } from './select.ts'

/** How many rows there are, as of a place in the account's journal. */
export interface Count {
  n: number
  position: number
}

/**
 * What an event changes of a count: so many more or less; a row that is `made` may be one more, and one that is `changed`
 * may be another way than it was; null is all that isn't about one row.
 */
export type CountEffect = (event: Event) => number | 'made' | 'changed' | null

const MAX_COUNTS = 1000
/** Events that are looked through; after more of them it is counted again. */
const MAX_EVENTS = 500

/**
 * Counts that were made, taken on to where the journal is by what happened since: a write of something else doesn't have
 * a million rows counted again. (docs/decisions/0013-counts-and-the-journal.md)
 */
export class Counts {
  private readonly entries = new Map<string, Promise<Count>>()

  /**
   * How many there are, as of a place in the journal or later. `count` counts them all, or of some ids. Who asks for the
   * same meanwhile waits with the first.
   */
  async at(
    position: number,
    key: string,
    effect: CountEffect,
    journal: Journal,
    count: (ids?: string[]) => Promise<Count>,
  ): Promise<number> {
    const before = this.entries.get(key)
    const found = before ? before.catch(() => null).then((known) => (known ? advance(known) : count())) : count()
    // The first of the map is what nobody asked for the longest.
    this.entries.delete(key)
    this.entries.set(key, found)
    if (this.entries.size > MAX_COUNTS) this.entries.delete(this.entries.keys().next().value ?? '')
    return (await found).n

    async function advance(known: Count): Promise<Count> {
      for (let upTo = position; known.position < upTo; ) {
        const { events, more: isCut } = await journal.between(known.position, upTo, MAX_EVENTS + 1)
        const change = isCut ? null : sumEffects(events, effect)
        if (!change) return count()
        const { more, made } = change
        if (made.length === 0) return { n: known.n + more, position: upTo }
        const among = await count(made)
        if (among.position === upTo) return { n: known.n + more + among.n, position: upTo }
        // Something was written between the two looks.
        upTo = among.position
      }
      return known
    }
  }
}

/** What events change together, and the ids of rows that were made; null where only counting tells. */
function sumEffects(events: Event[], effect: CountEffect): { more: number; made: string[] } | null {
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
export function countEffectOf(
  record: RecordType,
  { filters }: Pick<ListQuery, 'filters'>,
  visibility: Visibility,
  named: (name: string) => RecordType,
): CountEffect | null {
  const asked = filters.flatMap(({ field, fields }) => fields ?? field)
  // What nobody creates is a log, whose rows come and go without an event.
  if (record.without?.includes('create') || asked.some((name) => record.fields[name]?.unjournaled)) return null
  // Somebody's own jobs lead to what else they see.
  if (visibility.ownOnly.size > 0) return () => null

  const fields = new Set(asked)
  const others = new Set<string>()
  const targetOf = (name: string) => record.fields[name]?.target ?? ''
  for (const name of asked) {
    const { lookup, through } = record.fields[name] ?? {}
    if (lookup) fields.add(lookup[0])
    if (lookup || through) others.add(targetOf(lookup?.[0] ?? name))
  }
  const visible = visibilityOf(record, visibility, named)
  const limited = visible !== null
  for (const name of fieldsOf(visible)) if (name !== 'id') fields.add(name)
  for (const other of othersOf(visible, record)) others.add(other)
  const all = !limited && asked.length === 0
  const [filter] = filters
  const field = record.fields[filter?.field ?? '']
  // Where one number or choice decides, the journal says of each row what it was and is.
  if (field && !limited && asked.length === 1 && filter?.op === '=' && isExact(field)) {
    const is = (value: unknown) => Number(!isNil(value) && field.save(value) === filter.value)
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
  isStored(field) && !field.internal && !field.secret && (field.kind === 'choice' || field.column === 'integer')
