import { equipment } from '../../../src/records/equipment.ts'
import { t } from '../../ui/words.ts'
import { RecordScreen } from '../record-screen.tsx'
import { OursOrTheirs } from './ours-or-theirs.tsx'

/** What the company owns, and is scheduled beside workers. */
export const Screen = () => (
  <main className="main one" id="main">
    <RecordScreen
      record={equipment}
      title={t('Equipment')}
      columns={['name', 'third_party_id', 'model', 'serial', 'tag_ids', 'group_ids']}
      filters={['tag_ids', 'group_ids']}
      bulk={['tag_ids', 'group_ids']}
      searchHint={t('Name, model, serial number …')}
      form={['name', 'third_party_id', 'model', 'serial', 'notes', 'tag_ids', 'group_ids']}
      newTitle={t('New equipment')}
      about={t(
        'Equipment is what the company owns and jobs take: lifts, analysers, vans. Whoever uses it holds its tags.',
      )}
      beside={<OursOrTheirs />}
    />
  </main>
)
