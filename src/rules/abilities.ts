import type { Actor } from '#call'
import type { Allowed, Field, RawRow, RecordType } from '#fields'
import type { User } from '#records/user'

/** Which tabs a person may see; who has none of them and uses the app is a worker and nothing else. */
const tabs = ['jobs', 'schedule', 'map', 'reports', 'customers', 'equipment', 'quotes', 'messaging', 'admin'] as const

type Permissions = User['permissions']

/** Whether the actor may do this with records of a type at all; which of them, the store decides. (v5-service.md, User) */
export function may(
  { permissions, readOnly, groups }: Actor,
  record: Pick<RecordType, 'allow' | 'own'>,
  deed: 'read' | 'write',
): boolean {
  // What is the admins' is not for a key that is limited to some groups.
  if (!permissions) return (deed === 'read' || !readOnly) && (record.allow.read !== 'admin' || groups === null)
  if (deed === 'write') return grants(permissions, record.allow.write, 'write')
  const worker = permissions.mobile === 'full' && (record.own !== undefined || record.allow.read === 'anyone')
  return worker || grants(permissions, record.allow.read, 'read')
}

/** Whether the actor works with the app alone on records of this type: sees his own and nothing else. */
export const onPhone = ({ own }: Actor, record: Pick<RecordType, 'name'>): boolean => own.has(record.name)

/** Whether the actor changes of these records no more than what a phone may, and of his own only; he may see others. */
export const asWorker = (actor: Actor, record: Pick<RecordType, 'allow' | 'own'>): boolean =>
  actor.permissions?.mobile === 'full' && record.own !== undefined && !may(actor, record, 'write')

/** A way to do something with a record, as far as rights go. */
interface Way {
  path: string
  record: Pick<RecordType, 'name'>
  naming: { name: string }
  shows?: unknown
  /** It only tells. */
  lists?: true
  phone?: true
}

/** What the actor may do with a record that he sees: change it, delete it, and what has an address under it. */
export function abilities(actor: Actor, record: RecordType, row: RawRow, ways: Way[]): { [ability: string]: boolean } {
  const foreign =
    isForeign(actor, record, row) || (actor.kind === 'key' && actor.groups !== null && row.is_admin === true)
  const writes = may(actor, record, 'write') && !foreign
  const works = asWorker(actor, record) && !foreign && (onPhone(actor, record) || isOwn(actor, record, row))
  const under = ways.filter((way) => way.shows && !way.lists && way.path.startsWith(`${record.path}/{id}/`))
  return {
    update: writes || (works && Object.values(record.fields).some((field) => changesOnPhone(actor, field))),
    delete: writes || (works && deletesOnPhone(actor, record)),
    ...Object.fromEntries(under.map(({ naming, phone }) => [naming.name, writes || (phone === true && works)])),
  }
}

/** Whether a record names the actor as whose it is; what leads to it from elsewhere is not looked for. */
const isOwn = ({ id }: Actor, { own = [] }: RecordType, row: RawRow): boolean =>
  own.some(
    (way) => 'field' in way && !('of' in way) && [row[way.field]].flat().includes(id) && (!way.once || row[way.once]),
  )

/** Whether a worker may change this field of what is his own. */
export const changesOnPhone = ({ permissions }: Actor, { phone }: Field<unknown>): boolean =>
  phone === true || (phone !== undefined && permissions?.[phone] === 'full')

/** Whether a record is an author's who isn't the one that signed in. */
export const isForeign = ({ id, permissions }: Actor, { author }: Pick<RecordType, 'author'>, row: RawRow): boolean =>
  author !== undefined && permissions !== null && permissions.admin !== 'full' && row[author] !== id

/** Whether a worker may delete such records, as far as they are his own. */
export const deletesOnPhone = (actor: Actor, record: RecordType): boolean =>
  record.author !== undefined && asWorker(actor, record)

/** Whether the actor may make a record of a type with the app. */
export const createsOnPhone = ({ permissions }: Actor, { phoneCreate }: Pick<RecordType, 'phoneCreate'>): boolean =>
  phoneCreate !== undefined && permissions?.[phoneCreate] === 'full'

/** The records of which a person sees only his own: those that his permissions alone don't open. */
export function ownRecords(permissions: Permissions, records: RecordType[]): ReadonlySet<string> {
  const worker = permissions.mobile === 'full'
  return new Set(
    worker
      ? records
          .filter((record) => record.own && !grants(permissions, record.allow.read, 'read'))
          .map(({ name }) => name)
      : [],
  )
}

function grants(permissions: Permissions, allowed: Allowed, deed: 'read' | 'write'): boolean {
  if (permissions.admin === 'full') return true
  if (allowed === 'signed_in') return true
  if (allowed === 'anyone') return deed === 'write' || tabs.some((tab) => permissions[tab] !== 'none')
  if (allowed === 'nobody' || allowed === 'admin') return false
  return permissions[allowed] === 'full' || (deed === 'read' && permissions[allowed] === 'read')
}
