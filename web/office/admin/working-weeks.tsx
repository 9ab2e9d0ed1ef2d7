import type { Shown } from '../../../src/fields/index.ts'
import { workingWeek } from '../../../src/records/working-week.ts'
import type { Column } from '../../ui/table.tsx'
import { t } from '../../ui/words.ts'
import { OpenLink } from '../open-link.tsx'
import { RecordScreen } from '../record-screen.tsx'
import { Admin } from './admin.tsx'

/** When people work: a person's own week before that of a group, and that before the company's. */
export const Screen = () => (
  <Admin>
    <RecordScreen
      record={workingWeek}
      title={t('Working weeks')}
      columns={[name(), 'user_id', 'group_id', 'updated_at']}
      filters={['user_id', 'group_id']}
      searchHint={t('Name …')}
      form={['name', 'user_id', 'group_id', 'spans']}
      newTitle={t('New working week')}
      about={t(
        'A week is of a person, of a group, or of the whole company where it names neither. Breaks are what no hours cover.',
      )}
    />
  </Admin>
)

const name = (): Column<Shown<typeof workingWeek>> => ({
  id: 'name',
  head: t('Name'),
  sort: 'name',
  cell: (week) => <OpenLink id={week.id}>{week.name ?? t('Without a name')}</OpenLink>,
})
