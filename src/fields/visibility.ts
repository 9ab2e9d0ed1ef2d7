import type { Field, RawRow } from './kind.ts'
import type { Ownership, Personal, RecordType } from './record.ts'

/** What narrows a caller's view, beside the account: some groups, and records of which only the own ones are seen. */
export interface Visibility {
  groups: boolean
  ownOnly: ReadonlySet<string>
  canAssign: boolean
  /** Sees of what people keep for themselves their own, and what is shared with those of a permission. */
  sharedOnly: boolean
}

export const seesEverything: Visibility = { groups: false, ownOnly: new Set(), canAssign: false, sharedOnly: false }

/**
 * What must hold of a row for a caller to see it. It follows from a description's `visible` and `ownership`; SQL
 * (`store/condition.ts`) and a predicate (`isFulfilled`) are both made of it, and so agree.
 */
export type Condition =
  | { every: Condition[] }
  | { some: Condition[] }
  /** The field holds the caller's id: as its value, or as one of a list. */
  | { mine: string }
  | { given: string }
  | { flag: string }
  /** The field names a permission that the caller has. */
  | { permitted: string }
  /** The list of groups is empty. */
  | { ungrouped: string }
  /** The id of a group is one of the caller's; of a list, at least one is. */
  | { grouped: string }
  /** The same, or the list is empty. */
  | { groupedOrNone: string }
  /** The reference is nil, or leads to a living row that is seen. */
  | { above: string; of: RecordType; sees: Condition | null }
  /** A living row of another record, of which this holds, leads here. */
  | { under: RecordType; field: string; sees: Condition }

type Records = (name: string) => RecordType

/** The condition under which a caller sees a row of a record; null where there is no limit. */
export function visibilityOf(record: RecordType, visibility: Visibility, named: Records): Condition | null {
  if (visibility.ownOnly.has(record.name) && record.ownership?.length)
    return ownershipOf(record, named, visibility.canAssign)
  if (isPersonal(record.visible)) {
    const { owner, shared, permission } = record.visible
    return visibility.sharedOnly
      ? { some: [{ mine: owner }, { every: [{ flag: shared }, { permitted: permission }] }] }
      : null
  }
  if (typeof record.visible === 'object') {
    const above = [record.visible.through].flat().map((name) => {
      const of = named(record.fields[name]?.target ?? '')
      return { above: name, of, sees: visibilityOf(of, visibility, named) }
    })
    return { every: above }
  }
  if (!visibility.groups || !record.visible) return null
  if (record.visible === 'own') return { grouped: 'id' }
  const groups = Object.entries(record.fields).find(([, field]) => isGroups(field, named))
  return { groupedOrNone: groups?.[0] ?? '' }
}

/** Whether people see of such records their own and what is shared with them, whatever else they may. */
export const isPersonal = (visible: RecordType['visible']): visible is Personal =>
  typeof visible === 'object' && 'owner' in visible

/** The condition under which a row is a worker's own: any of the ways that the record says. */
export function ownershipOf(record: RecordType, named: Records, assigns = false): Condition {
  const some = (record.ownership ?? []).flatMap((way: Ownership): Condition[] => {
    if ('self' in way) return [{ mine: 'id' }]
    if ('shares' in way) return [{ grouped: way.shares }]
    if ('assignable' in way) return assigns ? [{ every: [{ flag: way.assignable }, { ungrouped: way.unless }] }] : []
    if ('of' in way) return [{ under: named(way.of), field: way.field, sees: ownershipOf(named(way.of), named) }]
    if (record.fields[way.field]?.column === 'boolean') return [{ flag: way.field }]
    return [way.when ? { every: [{ mine: way.field }, { given: way.when }] } : { mine: way.field }]
  })
  return { some }
}

/** Whether a field holds groups by which records are narrowed. */
export const isGroups = ({ target, through }: Field<unknown>, named: Records): boolean =>
  through !== undefined && target !== undefined && named(target).visible === 'own'

/** Who asks, and what is known of other rows. */
export interface Viewer {
  me: number | null
  groups: readonly number[] | null
  /** Permissions that they have. */
  permissions: readonly string[]
  /** Whether the row of another record with this id is seen. */
  sees(record: RecordType, id: number | string): boolean
  /** Whether a row of `under` that is the caller's own leads to this id by its `field`. */
  isUnder(under: RecordType, field: string, id: number | string): boolean
}

/** Whether the condition holds of a row, as it was at any time. */
export function isFulfilled(condition: Condition | null, row: RawRow, beholder: Viewer): boolean {
  if (condition === null) return true
  if ('every' in condition) return condition.every.every((one) => isFulfilled(one, row, beholder))
  if ('some' in condition) return condition.some.some((one) => isFulfilled(one, row, beholder))
  const list = (name: string): unknown[] => [row[name] ?? []].flat()
  const isGrouped = (name: string) => list(name).some((id) => beholder.groups?.includes(id as number))
  if ('mine' in condition) return beholder.me !== null && list(condition.mine).includes(beholder.me)
  if ('given' in condition) return row[condition.given] != null
  if ('flag' in condition) return row[condition.flag] === true
  if ('permitted' in condition) return beholder.permissions.includes(row[condition.permitted])
  if ('ungrouped' in condition) return list(condition.ungrouped).length === 0
  if ('grouped' in condition) return isGrouped(condition.grouped)
  if ('groupedOrNone' in condition)
    return list(condition.groupedOrNone).length === 0 || isGrouped(condition.groupedOrNone)
  if ('above' in condition) {
    const id = row[condition.above] ?? null
    return id === null || beholder.sees(condition.of, id)
  }
  return beholder.isUnder(condition.under, condition.field, row.id)
}

/** The fields of a row that a condition looks at. */
export function fieldsOf(condition: Condition | null): string[] {
  if (condition === null || 'under' in condition) return []
  if ('every' in condition) return condition.every.flatMap(fieldsOf)
  if ('some' in condition) return condition.some.flatMap(fieldsOf)
  if ('above' in condition) return [condition.above]
  return Object.values(condition)
}

/** The other records that a condition on rows of this one looks at. */
export function othersOf(condition: Condition | null, record: RecordType): string[] {
  if (condition === null || 'under' in condition) return condition ? [condition.under.name] : []
  if ('every' in condition) return condition.every.flatMap((one) => othersOf(one, record))
  if ('some' in condition) return condition.some.flatMap((one) => othersOf(one, record))
  if ('above' in condition) return [condition.of.name, ...othersOf(condition.sees, condition.of)]
  return Object.values(condition).flatMap((name) => record.fields[name]?.target ?? [])
}
