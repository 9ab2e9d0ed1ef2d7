/** What changed in one line of a history. Values are as the API has them; null where a whole item came or went. */
export interface Change {
  /** `notes`, `steps[12]`, `custom_fields[4].value`. */
  path: string
  /** What is called so where it is no field of the job: the name of a step. */
  name?: string
  from: unknown
  to: unknown
}

/** What the server notes by itself beside what somebody did. */
const consequences = new Set([
  'last_action_at',
  'state',
  'progress_state',
  'published_plan',
  'actual_start_at',
  'actual_duration',
  'completed_at',
  'customer_name',
  'worker_name',
  'worker_third_party_id',
  'locked_by_user_id',
])

/** The changes of an event of a job that somebody has made; of lists, item by item. */
export function changesOf({
  changes,
}: {
  changes?: { [path: string]: { from: unknown; to: unknown } } | null
}): Change[] {
  return Object.entries(changes ?? {}).flatMap(([path, { from, to }]) => {
    if (consequences.has(path)) return []
    const [before, after] = [itemsIn(from), itemsIn(to)]
    return before.length + after.length > 0 ? itemChanges(path, before, after) : [{ path, from, to }]
  })
}

export type Item = { [name: string]: unknown }
export const itemsIn = (list: unknown): Item[] =>
  Array.isArray(list) ? list.filter((one): one is Item => typeof one === 'object' && one !== null) : []
export const itemName = ({ name, code, description }: Item) => String(name ?? code ?? description ?? '')

function itemChanges(list: string, before: Item[], after: Item[]): Change[] {
  const known = new Map(before.map((item) => [item.id, item]))
  const kept = new Set(after.map(({ id }) => id))
  const gone = before.filter(({ id }) => !kept.has(id))
  return [
    ...after.flatMap((item): Change[] => {
      const path = `${list}[${item.id}]`
      const was = known.get(item.id)
      if (!was) return [{ path, name: itemName(item), from: null, to: itemName(item) }]
      return Object.keys({ ...was, ...item })
        .filter(
          (field) => field !== 'completed_by_user_id' && JSON.stringify(was[field]) !== JSON.stringify(item[field]),
        )
        .map((field) => ({ path: `${path}.${field}`, name: itemName(item), from: was[field], to: item[field] }))
    }),
    ...gone.map((item) => ({ path: `${list}[${item.id}]`, name: itemName(item), from: itemName(item), to: null })),
  ]
}
