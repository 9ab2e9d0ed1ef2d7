import { group } from '../../../src/records/group.ts'
import { t } from '../../ui/words.ts'
import { RecordScreen } from '../record-screen.tsx'
import { Admin } from './admin.tsx'

export const Screen = () => (
  <Admin>
    <RecordScreen
      record={group}
      title={t('Groups')}
      columns={['name', 'description', 'user_ids']}
      bulk={[]}
      searchHint={t('Name …')}
      form={['name', 'description', 'user_ids']}
      newTitle={t('New group')}
      about={t('A group is a team: who is limited to it sees what is in it, and what is in none.')}
    />
  </Admin>
)
