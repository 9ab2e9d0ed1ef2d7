import { choice, flag, id, type Row, record, ref, stamp, text, texts } from '#fields'

/** Screens that views are of, each with the permission that opens it. */
export const screens = {
  schedule: 'schedule',
  absences: 'schedule',
  jobs: 'jobs',
  recurrences: 'jobs',
  map: 'map',
  reports: 'reports',
  customers: 'customers',
  equipment: 'equipment',
  assets: 'equipment',
  messages: 'messaging',
  people: 'admin',
  devices: 'admin',
  journal: 'admin',
} as const
type Screen = keyof typeof screens

/** What somebody looks at again and again on a board or a list: a filter with a name, their own or shared. (docs/api/views.md) */
export const view = record('view', {
  plural: 'views',
  path: '/views',
  about: 'A saved filter of a board or a list.',
  visible: { owner: 'user_id', shared: 'shared', permission: 'permission' },
  fields: {
    id: id(),
    user_id: ref('user', { server: true, about: 'Whose it is; nil where a key made it' }),
    screen: choice(Object.keys(screens) as Screen[], {
      required: true,
      index: true,
      about: 'Board or list that it is of',
    }),
    name: text({ required: true, max: 100, about: 'Unique among the views of a person and a screen' }),
    query: text({ max: 4000, about: 'Filters as they stand in an address: `open=true&group_ids=4`' }),
    columns: texts('column', { max: 50, about: 'Columns in their order; none are those that the screen shows anyway' }),
    sort_by: text({ max: 255, about: 'Order of the rows, as `sort` has it' }),
    shared: flag({
      default: false,
      about: 'Whether all see it who may see the screen; what a key makes is, whatever it says',
    }),
    permission: text({ internal: true, max: 20, about: 'Derived: the permission that opens the screen' }),
    created_at: stamp('When the view was saved', { auto: 'created' }),
    updated_at: stamp('When the view was last changed', { auto: 'updated' }),
  },
  allow: { read: 'signed_in', write: 'signed_in' },
  author: 'user_id',
  search: ['name'],
  title: 'name',
  example: {
    screen: 'jobs',
    name: 'Open in the north',
    query: 'open=true&group_ids=4',
    columns: ['number', 'customer_name', 'due_by'],
    sort_by: 'due_by',
    shared: true,
  },
})

export type View = Row<typeof view>
