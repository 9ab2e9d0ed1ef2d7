import {
  choice,
  decimal,
  email,
  flag,
  id,
  ids,
  instant,
  integer,
  links,
  part,
  type Row,
  record,
  secret,
  stamp,
  text,
  type Values,
} from '#fields'
import { location } from './location.ts'
import { preferences } from './preferences.ts'

/** Workers know of each other their names, phones, groups and shifts. */
const own = { workerReadable: 'self' } as const

const tab = (about: string) => choice(['full', 'none', 'read'], { default: 'none', about })
const gate = (about: string) => choice(['full', 'none'], { default: 'none', about })

/** In the order of the contract's table. */
const permissions = {
  jobs: tab('Jobs tab of the website'),
  schedule: tab('Schedule tab'),
  map: tab('Map tab'),
  reports: gate('Reports tab'),
  customers: tab('Customers tab'),
  equipment: tab('Equipment tab'),
  quotes: tab('Quotes tab; with mobile_jobs_create also making quotes on a mobile device'),
  messaging: gate('Messaging tab; all mobile users may message users who have it'),
  admin: gate('Administration of account, content and settings'),
  mobile: gate('Use of the mobile application; full whenever another mobile permission is given'),
  mobile_jobs_create: gate('Create jobs on mobile; gives mobile'),
  mobile_jobs_assign: gate('Assign jobs on mobile; gives mobile and mobile_jobs_create'),
  mobile_invoice: tab('Work with invoices on mobile; gives mobile'),
}

export const permissionNames = Object.keys(permissions) as (keyof typeof permissions)[]

/** What follows from a mobile permission: assigning means creating, and any of them means using the app. */
function imply(value: Values<typeof permissions>): undefined {
  if (value.mobile_jobs_assign !== 'none') value.mobile_jobs_create = 'full'
  if (value.mobile_jobs_create !== 'none' || value.mobile_invoice !== 'none') value.mobile = 'full'
}

/** A mobile worker, dispatcher or admin. (docs/contract.md#users-and-permissions) */
export const user = record('user', {
  plural: 'users',
  path: '/users',
  about: 'A mobile worker, dispatcher or admin.',
  visible: 'groups',
  times: 'offset',
  alias: {
    name: 'worker',
    plural: 'workers',
    path: '/workers',
    where: 'is_worker',
    given: { permissions: { mobile: 'full' } },
  },
  fields: {
    id: id({ readonly: true }),
    group_ids: ids('group', { through: 'user_groups', about: 'Ids of groups the user belongs to' }),
    name: text({ required: true, unique: true, max: 255, about: 'Unique name' }),
    email: email({ required: true, unique: true, ...own, about: 'Unique address, used to sign in' }),
    phone: text({ max: 255, about: 'Mobile number, including country code' }),
    notes: text({ ...own, about: 'Ancillary information' }),
    password: secret({ ...own, about: 'Password; never written' }),
    shift_on: flag({ default: false, server: true, about: 'Whether the worker is on shift' }),
    third_party_id: text({ unique: true, max: 255, ...own, about: "Caller's own id" }),
    created_at: { ...stamp('When the user was created', { auto: 'created' }), ...own, readonly: true },
    updated_at: { ...stamp('When the user was last changed', { auto: 'updated' }), ...own, readonly: true },
    latest_telemetry: part(
      {
        heading: decimal({ about: 'Direction (angle)' }),
        lat: decimal({ about: 'Latitude' }),
        lng: decimal({ about: 'Longitude' }),
        recorded_at: instant({ about: 'When recorded' }),
        speed: decimal({ about: 'Speed in km/h' }),
      },
      { ...own, server: true, unjournaled: true, about: "Latest telemetry of the worker's device" },
    ),
    permissions: part(permissions, { ...own, normalize: imply, default: {}, about: 'What the user may do' }),
    tags: links('tag', {
      through: 'user_tags',
      child: 'tag',
      fields: {
        name: text({ server: true, about: 'Name of the tag' }),
        expires_at: instant({ about: 'Required when the tag expires' }),
      },
      ...own,
      about: 'Qualifications held',
    }),
    tag_ids: ids('tag', {
      through: 'user_tags',
      writeOnly: true,
      virtual: true,
      ...own,
      about: 'Another way to give tags that need no date',
    }),
    capacity: integer({ min: 0, ...own, about: 'What the worker can carry, in the unit the account uses' }),
    start_location: location({ ...own, about: "Where the worker's day begins" }),
    end_location: location({ ...own, about: "Where the worker's day ends" }),
    enabled: flag({ default: true, ...own, about: 'Whether the user may sign in and be assigned' }),
    preferences: part(preferences, { internal: true, unjournaled: true, about: 'How the person likes the interface' }),
    shift_off_until: instant({ internal: true, index: true, about: 'When the worker is back on shift by itself' }),
    is_worker: flag({ internal: true, default: false, about: 'Derived: has the mobile permission' }),
    can_message: flag({
      internal: true,
      default: false,
      about: 'Derived: has the messaging permission, as an admin has',
    }),
    is_admin: flag({ internal: true, default: false, about: 'Derived: has the admin permission' }),
  },
  allow: { read: 'anyone', write: 'admin' },
  ownership: [
    { self: true },
    { shares: 'group_ids' },
    { assignable: 'is_worker', unless: 'group_ids' },
    { field: 'can_message' },
  ],
  search: ['name', 'email', 'phone', 'notes', 'third_party_id'],
  title: 'name',
  example: {
    name: 'Ana Reyes',
    email: 'ana@example.com',
    phone: '+64 21 555 0101',
    notes: 'Prefers mornings',
    third_party_id: 'emp-17',
    permissions: { jobs: 'read', mobile: 'full' },
  },
})

export type User = Row<typeof user>
