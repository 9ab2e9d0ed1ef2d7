import type { Shown } from '../../../src/fields/index.ts'
import { user } from '../../../src/records/user.ts'
import { Icon } from '../../ui/icon.tsx'
import { Face } from '../../ui/marks.tsx'
import { labelOf } from '../../ui/records/labels.ts'
import type { Column } from '../../ui/table.tsx'
import { t } from '../../ui/words.ts'
import { OpenLink } from '../open-link.tsx'
import { RecordScreen } from '../record-screen.tsx'
import type { Permission } from '../session.ts'
import { Admin } from './admin.tsx'
import { SignInLinks } from './sign-in-links.tsx'

type Person = Shown<typeof user>

/** In the order of the contract's table. */
const rights = Object.keys(user.fields.permissions.fields ?? {}) as Permission[]

const glyphs = { full: 'pen', read: 'eye', none: 'minus' } as const

/** Everybody with what they may do; one of them beside it. */
export const Screen = () => (
  <Admin>
    <RecordScreen
      record={user}
      title={t('People')}
      columns={[name(), ...rights.map(right), 'group_ids', 'tags']}
      filters={['group_ids', 'enabled']}
      bulk={['group_ids']}
      searchHint={t('Name, email, phone …')}
      rowHeight={44}
      form={[
        'name',
        'email',
        'phone',
        'third_party_id',
        'notes',
        'group_ids',
        'tags',
        ['permissions', rights],
        'enabled',
      ]}
      pane={({ id, email }) => <SignInLinks id={id} email={email} />}
      newTitle={t('New person')}
      about={t(
        'People plan in the office or work in the field; their rights say which tabs they see and what the app lets them do.',
      )}
    />
  </Admin>
)

const name = (): Column<Person> => ({
  id: 'name',
  head: t('Person'),
  sort: 'name',
  width: 260,
  cell: (person) => (
    <OpenLink id={person.id} className="person">
      <Face name={person.name} />
      <span className="clip">
        <span dir="auto">{person.name}</span>
        <small className="clip">{person.enabled ? person.email : t('can’t sign in')}</small>
      </span>
    </OpenLink>
  ),
})

const right = (permission: Permission): Column<Person> => ({
  id: permission,
  head: labelOf(`permissions.${permission}`),
  width: 34,
  upright: true,
  cell: ({ permissions }) => <Right permission={permission} level={permissions[permission]} />,
})

function Right({ permission, level }: { permission: Permission; level: keyof typeof glyphs }) {
  const said = `${labelOf(`permissions.${permission}`)}: ${labelOf(`${permission}.${level}`)}`
  return (
    <span className={`right ${level}`} role="img" aria-label={said} title={said}>
      <Icon name={glyphs[level]} size="s" />
    </span>
  )
}
