import type { Actor } from '#call'
import type { Allowed, Field, RecordType } from '#fields'
import type { User } from '#records/user'

/** Which tabs a person may see; who has none of them and uses the app is a worker and nothing else. */
const tabs = ['jobs', 'schedule', 'map', 'reports', 'customers', 'equipment', 'quotes', 'messaging', 'admin'] as const

type Permissions = User['permissions']

/** Whether the actor may do this with records of a type at all; which of them, the store decides. (v5-service.md, User) */
export function may(
  { permissions, readOnly }: Actor,
  record: Pick<RecordType, 'allow' | 'own'>,
  deed: 'read' | 'write',
): boolean {
  if (!permissions) return deed === 'read' || !readOnly
  if (deed === 'write') return grants(permissions, record.allow.write, 'write')
  const worker = permissions.mobile === 'full' && (record.own !== undefined || record.allow.read === 'anyone')
  return worker || grants(permissions, record.allow.read, 'read')
}

/** Whether the actor works with the app alone on records of this type: sees his own, and changes what a phone may. */
export const onPhone = ({ own }: Actor, record: Pick<RecordType, 'name'>): boolean => own.has(record.name)

/** A way to do something with a record, as far as rights go. */
interface Way {
  record: Pick<RecordType, 'name'>
  naming: { name: string }
  shows?: unknown
  phone?: true
}

/** What the actor may do with a record that he sees: change it, delete it, and what has an address under it. */
export function abilities(actor: Actor, record: RecordType, ways: Way[]): { [ability: string]: boolean } {
  const writes = may(actor, record, 'write')
  const under = ways.filter((way) => way.shows && way.record.name === record.name)
  return {
    update:
      writes || (onPhone(actor, record) && Object.values(record.fields).some((field) => changesOnPhone(actor, field))),
    delete: writes,
    ...Object.fromEntries(
      under.map(({ naming, phone }) => [naming.name, writes || (phone === true && onPhone(actor, record))]),
    ),
  }
}

/** Whether a worker may change this field of what is his own. */
export const changesOnPhone = ({ permissions }: Actor, { phone }: Field<unknown>): boolean =>
  phone === true || (phone !== undefined && permissions?.[phone] === 'full')

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
  if (allowed === 'anyone') return deed === 'write' || tabs.some((tab) => permissions[tab] !== 'none')
  if (allowed === 'nobody' || allowed === 'admin') return false
  return permissions[allowed] === 'full' || (deed === 'read' && permissions[allowed] === 'read')
}
