import { choice, flag, instant, integer, lookup, part, type Row, record, ref, stamp, text, uuid } from '#fields'

const permission = (about: string) => choice(['granted', 'denied', 'prompt'], { about })

/** What a phone tells of itself. */
export const reportFields = {
  device_id: text({ required: true, max: 36, about: 'UUID that the app gave the device: its `Muster-Device`' }),
  name: text({ max: 255, about: 'What it is: `Galaxy XCover 7`' }),
  app_version: text({ max: 64, about: 'Version of the app' }),
  waiting_entries: integer({ min: 0, default: 0, about: 'Entries that wait to be sent' }),
  refused_entries: integer({ min: 0, default: 0, about: 'Entries that were refused, and are kept on it' }),
  waiting_bytes: integer({ min: 0, default: 0, about: 'Bytes of their files' }),
  oldest_waiting_at: instant({ about: 'When the oldest of those was made; nil where nothing waits' }),
  storage_used_bytes: integer({ min: 0, about: 'Bytes that the app uses' }),
  storage_quota_bytes: integer({ min: 0, about: 'Bytes that it may use' }),
  storage_persistent: flag({ about: 'Whether the browser promised to keep them' }),
  battery_percent: integer({ min: 0, max: 100, about: 'Battery, where the browser tells it' }),
  permissions: part(
    {
      camera: permission('Taking photos'),
      location: permission('Knowing the place'),
      notifications: permission('Being pushed to'),
    },
    { about: 'What the browser allows the app; nil for what it doesn’t tell' },
  ),
}

type Reported = typeof reportFields

/** Each is the device's own word, and changes with every report: past the journal. */
const reported = Object.fromEntries(
  Object.entries(reportFields).map(([name, { required: _, ...field }]) => [
    name,
    { ...field, server: true, unjournaled: true },
  ]),
) as Reported

/** The app on one device of one person, as it last told of itself. */
export const device = record('device', {
  plural: 'devices',
  path: '/devices',
  about: 'The app on one device of a person, as it last told of itself.',
  visible: { through: 'user_id' },
  fields: {
    id: uuid(),
    user_id: ref('user', { server: true, required: true, about: 'Whose it is' }),
    user_name: lookup(text({ about: 'Name of whose it is' }), 'user_id', 'name'),
    ...reported,
    heard_at: instant({ server: true, unjournaled: true, about: 'When it last told of itself' }),
    sign_out_asked_at: instant({ server: true, unjournaled: true, about: 'When the office asked it to sign out' }),
    signed_out_at: instant({ server: true, unjournaled: true, about: 'When its session ended' }),
    session_id: ref('session', { internal: true, unjournaled: true, about: 'The session that it last told by' }),
    created_at: stamp('When it was first heard', { auto: 'created' }),
    updated_at: stamp('When something was last written to its history', { auto: 'updated' }),
  },
  allow: { read: 'jobs', write: 'admin' },
  ownership: [{ field: 'user_id' }],
  without: ['create', 'update', 'delete'],
  search: ['name', 'app_version'],
  title: 'name',
  example: { name: 'Galaxy XCover 7', app_version: '5.3.1' },
})

export type Device = Row<typeof device>
