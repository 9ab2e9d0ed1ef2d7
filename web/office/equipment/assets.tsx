import { asset } from '../../../src/records/asset.ts'
import { t } from '../../ui/words.ts'
import { RecordScreen } from '../record-screen.tsx'
import { OursOrTheirs } from './ours-or-theirs.tsx'

/** What customers own, and work is done on. */
export const Screen = () => (
  <main className="main one" id="main">
    <RecordScreen
      record={asset}
      title={t('Equipment')}
      columns={['name', 'customer_id', 'model', 'serial', 'location', 'tag_ids', 'enabled']}
      filters={['tag_ids', 'group_ids', 'enabled']}
      bulk={['customer_id', 'tag_ids', 'group_ids']}
      searchHint={t('Name, model, serial number …')}
      form={[
        'name',
        'customer_id',
        'model',
        'serial',
        'third_party_id',
        'notes',
        'tag_ids',
        'group_ids',
        ['location', ['formatted_address', 'address1', 'suburb', 'city', 'post_code', 'lat', 'lng']],
        'enabled',
      ]}
      newTitle={t('New asset')}
      about={t('Assets are what customers own and work is done on: boilers, lifts, cold stores.')}
      beside={<OursOrTheirs />}
    />
  </main>
)
