import type { Actor } from '#call'
import type { Allowed, Field, Printing, RawRow, RecordType, Worker } from '#fields'
import { isFulfilled, ownershipOf } from '#fields/visibility'
import type { User } from '#records/user'

/** Which tabs a person may see; who has none of them and uses the app is a worker and nothing else. */
const tabs = ['jobs', 'schedule', 'map', 'reports', 'customers', 'equipment', 'quotes', 'messaging', 'admin'] as const

type Permissions = User['permissions']

/** Whether the actor may do this with records of a type at all; which of them, the store decides. (docs/contract.md#users-and-permissions) */
export function may(
  { permissions, readOnly, groups }: Actor,
  record: Pick<RecordType, 'allow' | 'ownership'>,
  action: 'read' | 'write',
): boolean {
  // What is the admins' is not for a key that is limited to some groups.
  if (!permissions) return (action === 'read' || !readOnly) && (record.allow.read !== 'admin' || groups === null)
  if (action === 'write') return grants(permissions, record.allow.write, 'write')
  const worker = permissions.mobile === 'full' && (record.ownership !== undefined || record.allow.read === 'anyone')
  return worker || grants(permissions, record.allow.read, 'read')
}

/** Whether the actor works with the app alone on records of this type: sees their own and nothing else. */
export const isWorkerOnly = ({ ownOnly }: Actor, record: Pick<RecordType, 'name'>): boolean => ownOnly.has(record.name)

/** Who reads records of this type as a worker; undefined for whoever is told all of them. */
export const workerOf = (actor: Actor, record: Pick<RecordType, 'name'>): Worker | undefined =>
  actor.permissions && isWorkerOnly(actor, record) ? { id: actor.id, permissions: actor.permissions } : undefined

/** How records of a type are printed for the actor. */
export const printingTo = (actor: Actor, record: Pick<RecordType, 'name'>): Printing => ({
  zone: actor.account.time_zone,
  worker: workerOf(actor, record),
})

/** Whether the actor changes of these records no more than what a phone may, and of their own only; they may see others. */
export const actsAsWorker = (actor: Actor, record: Pick<RecordType, 'allow' | 'ownership'>): boolean =>
  actor.permissions?.mobile === 'full' && record.ownership !== undefined && !may(actor, record, 'write')

/** A way to do something with a record, as far as rights go. */
interface Operation {
  path: string
  methods: object
  record: Pick<RecordType, 'name'>
  wireNames: { name: string }
  responseSchema?: unknown
  /** It only tells. */
  isList?: true
  workerAllowed?: true
}

/** What the actor may do with a record that they see: change it, delete it, and what has an address under it. */
export function abilities(
  actor: Actor,
  record: RecordType,
  row: RawRow,
  ways: Operation[],
): { [ability: string]: boolean } {
  const foreign =
    isForeign(actor, record, row) || (actor.kind === 'key' && actor.groups !== null && row.is_admin === true)
  const writes = may(actor, record, 'write') && !foreign
  const works = actsAsWorker(actor, record) && !foreign && (isWorkerOnly(actor, record) || isOwn(actor, record, row))
  // What is changed at an address of its own is a change of the record, and not a verb.
  const under = ways.filter(
    (way) => way.responseSchema && !way.isList && 'POST' in way.methods && way.path.startsWith(`${record.path}/{id}/`),
  )
  const has = (verb: 'update' | 'delete') => !record.without?.includes(verb)
  return {
    update:
      has('update') &&
      (writes || (works && Object.values(record.fields).some((field) => canWorkerChange(actor, field)))),
    delete: has('delete') && (writes || (works && canWorkerDelete(actor, record))),
    ...Object.fromEntries(
      under.map(({ wireNames, workerAllowed }) => [wireNames.name, writes || (workerAllowed === true && works)]),
    ),
  }
}

/** Whether a record is the actor's own by itself; what leads to it from elsewhere is not looked for. */
function isOwn({ id, groups }: Actor, record: RecordType, row: RawRow): boolean {
  const ownership = (record.ownership ?? []).filter((way) => !('of' in way))
  const nothingElse = { me: id, groups, permissions: [], sees: () => false, isUnder: () => false }
  return isFulfilled(
    ownershipOf({ ...record, ownership }, () => record),
    row,
    nothingElse,
  )
}

/** Whether a worker may change this field of what is their own. */
export const canWorkerChange = ({ permissions }: Actor, { workerEditable }: Field<unknown>): boolean =>
  workerEditable === true || (workerEditable !== undefined && permissions?.[workerEditable] === 'full')

/** Whether a record is an author's who isn't the one that signed in. */
export const isForeign = ({ id, permissions }: Actor, { author }: Pick<RecordType, 'author'>, row: RawRow): boolean =>
  author !== undefined && permissions !== null && permissions.admin !== 'full' && row[author] !== id

/** Whether a worker may delete such records, as far as they are their own. */
export const canWorkerDelete = (actor: Actor, record: RecordType): boolean =>
  record.author !== undefined && actsAsWorker(actor, record)

/** Whether the actor may make a record of a type with the app. */
export const canWorkerCreate = ({ permissions }: Actor, { workerCreate }: Pick<RecordType, 'workerCreate'>): boolean =>
  workerCreate !== undefined && permissions?.[workerCreate] === 'full'

/** The records of which a person sees only their own: those that their permissions alone don't open. */
export function ownOnlyRecords(permissions: Permissions, records: RecordType[]): ReadonlySet<string> {
  const worker = permissions.mobile === 'full'
  return new Set(
    worker
      ? records
          .filter((record) => record.ownership && !grants(permissions, record.allow.read, 'read'))
          .map(({ name }) => name)
      : [],
  )
}

/** Whether somebody sees any tab of the office. */
export const seesOffice = (permissions: Permissions): boolean => tabs.some((tab) => permissions[tab] !== 'none')

export function grants(permissions: Permissions, allowed: Allowed, action: 'read' | 'write'): boolean {
  if (permissions.admin === 'full') return true
  if (allowed === 'signed_in') return true
  if (allowed === 'anyone') return action === 'write' || seesOffice(permissions)
  if (allowed === 'nobody' || allowed === 'admin') return false
  return permissions[allowed] === 'full' || (action === 'read' && permissions[allowed] === 'read')
}
