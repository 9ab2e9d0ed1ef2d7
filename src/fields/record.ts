import { instant, stamp } from './instant.ts'
import type { Fields, Sent, Times, Values } from './kind.ts'
import { integer } from './number.ts'

/**
 * Who may do something with a record through a session: whoever has this permission of the contract, has any of them
 * (`anyone`), or has signed in at all.
 */
export type Allowed =
  | 'signed_in'
  | 'anyone'
  | 'nobody'
  | 'admin'
  | 'jobs'
  | 'schedule'
  | 'map'
  | 'reports'
  | 'customers'
  | 'equipment'
  | 'messaging'

export interface RecordOptions<F extends Fields> {
  plural: string
  /** Where it lives under `/v5`; null for what has no address. A child's path holds its parent's id: `/messaging/{thread_id}/messages`. */
  path: string | null
  about: string
  /** The switch that turns its routes off. */
  feature?: Feature
  /** The order here is the order on the wire. */
  fields: F
  allow: { read: Allowed; write: Allowed }
  /**
   * Which records a caller who is limited to some groups may see: those linked to one of them or to none
   * (`groups`), the groups themselves (`own`), or those whose parent may be seen (`{ through }`, references: each that
   * is given must lead to what may be seen). Or which any person may see: their own, by the field `owner`, and with the
   * flag `shared` those of others, if they have the permission that a field names.
   */
  visible?: 'groups' | 'own' | { through: string | string[] } | Personal
  /** What of it is a worker's own (nothing said: what its parent makes theirs), and all that is seen by who has the mobile permission without the one of `allow`. */
  ownership?: Ownership[]
  /** The field that names its author: they change and delete it, on a phone too, and nobody else but an admin or a key. */
  author?: string
  /** The permission with which a worker may make one on a phone. */
  workerCreate?: 'mobile' | 'mobile_jobs_create'
  times?: Times
  /** The address tree of `Location` after a create; the contract has groups, threads and messages under `/api/v4`. */
  location?: '/api/v4' | '/v5'
  /** Verbs that it has no route for. */
  without?: ('create' | 'update' | 'delete')[]
  /** Another name for some of these records: `workers` are users with the mobile permission. */
  alias?: Alias
  /** Text fields that free text is looked for in. */
  search: (keyof F & string)[]
  /** The field that names it to a person. */
  title: keyof F & string
  /**
   * Parameters of its list beside its fields; of several fields, the first that the value fits. With `none`, those of
   * which no field is given (`true`), or some (`false`).
   */
  filters?: { [parameter: string]: { fields: (keyof F & string)[]; op: '=' | '>=' | '<' | 'none' } }
  /** Indexes over several fields; the account comes before, the id after them. */
  indexes?: (keyof F & string)[][]
  example: { [name: string]: unknown }
}

/**
 * A way in which a record is somebody's own: a reference or a list of users holds them (`once` another field is set), a
 * flag makes it everybody's; it is themselves; it is in one of their groups; it has a flag and is in no group, and they may
 * assign jobs; an own record of another type leads to it.
 */
export type Ownership =
  | { field: string; when?: string }
  | { self: true }
  | { shares: string }
  | Assignable
  | { of: string; field: string }
export interface Personal {
  owner: string
  shared: string
  permission: string
}
interface Assignable {
  assignable: string
  unless: string
}

export interface Alias {
  name: string
  plural: string
  path: string
  /** The flag that such a record has. */
  where: string
  /** What is given to whoever is created under this name. */
  given: { [name: string]: unknown }
}

export const features = [
  'groups',
  'assets',
  'equipment',
  'safety',
  'quotes',
  'invoicing',
  'customer_pricebooks',
] as const
export type Feature = (typeof features)[number]

export interface RecordType<F extends Fields = Fields>
  extends Omit<RecordOptions<F>, 'search' | 'title' | 'filters' | 'indexes'> {
  name: string
  filters?: { [parameter: string]: { fields: string[]; op: '=' | '>=' | '<' | 'none' } }
  indexes?: string[][]
  search: string[]
  title: string
}

/** Describes a record once; routes, formats, columns, filters, OpenAPI and contract tests follow from it. */
export function record<const F extends Fields>(name: string, options: RecordOptions<F>): RecordType<WithStamps<F>> {
  // Those of the contract stand where it has them, the others at the end.
  return { name, ...options, fields: { ...options.fields, ...stamps, ...options.fields } }
}

/** Every record has its times, also where the contract doesn't show them, and the number of its last event. */
const stamps = {
  created_at: stamp('When it was created', { auto: 'created', internal: true }),
  updated_at: stamp('When it was last changed', { auto: 'updated', internal: true }),
  deleted_at: instant({ internal: true }),
  revision: { ...integer({ internal: true }), auto: 'revision' as const },
}
type WithStamps<F extends Fields> = F & Omit<typeof stamps, keyof F>

/** A record as it is kept and given to rules. */
export type Row<R extends RecordType> = Values<R['fields']>

/** What a caller sent of one. */
export type Draft<R extends RecordType> = Sent<Row<R>>

/** What JSON shows of one: instants as text, and nothing that is internal or only ever read. */
export type Shown<R extends RecordType> = {
  [K in keyof R['fields'] as R['fields'][K] extends { internal: true } | { writeOnly: true } ? never : K]: Row<R>[K]
}
