import type { Shown } from '../../../src/fields/index.ts'
import { absence } from '../../../src/records/absence.ts'
import { useNames } from '../../ui/records/names.ts'
import type { Column } from '../../ui/table.tsx'
import { t } from '../../ui/words.ts'
import { OpenLink } from '../open-link.tsx'
import { RecordScreen } from '../record-screen.tsx'

type Absence = Shown<typeof absence>

/** Who is away and when, what is asked for among it; nobody in particular is the whole company. */
export const Screen = () => (
  <main className="main one" id="main">
    <RecordScreen
      record={absence}
      title={t('Absences')}
      columns={[who(), 'kind', 'from', 'to', 'state', 'note']}
      filters={['user_id', 'kind', 'state']}
      sort="-from"
      bulk={[]}
      searchHint={t('Note …')}
      form={['user_id', 'from', 'to', 'kind', 'state', 'note']}
      newTitle={t('New absence')}
      about={t(
        'Whoever is away gets no jobs without a warning. Without a name the whole company is away, as on a holiday.',
      )}
    />
  </main>
)

const who = (): Column<Absence> => ({
  id: 'who',
  head: t('Who is away'),
  width: 240,
  cell: ({ id, user_id }) => (
    <OpenLink id={id}>
      <Name id={user_id} />
    </OpenLink>
  ),
})

function Name({ id }: { id: number | null }) {
  const nameOf = useNames({ user: id === null ? [] : [id] })
  return <span dir="auto">{id === null ? t('The whole company') : (nameOf('user', id) ?? '…')}</span>
}
