import { tag } from '../../../src/records/tag.ts'
import { t } from '../../ui/words.ts'
import { RecordScreen } from '../record-screen.tsx'
import { Admin } from './admin.tsx'

export const Screen = () => (
  <Admin>
    <RecordScreen
      record={tag}
      title={t('Tags')}
      columns={['name', 'description', 'expires', 'updated_at']}
      filters={['expires']}
      bulk={[]}
      searchHint={t('Name …')}
      form={['name', 'description', 'expires']}
      newTitle={t('New tag')}
      about={t('A tag is what somebody must hold to do a job or to use equipment: a licence, a course, a certificate.')}
    />
  </Admin>
)
