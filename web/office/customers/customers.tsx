import { Link } from '@tanstack/react-router'
import { customer } from '../../../src/records/customer.ts'
import { t } from '../../ui/words.ts'
import { RecordScreen } from '../record-screen.tsx'
import { customerForm } from './form.ts'

export const Screen = () => (
  <main className="main one" id="main">
    <RecordScreen
      record={customer}
      title={t('Customers')}
      columns={['name', 'third_party_id', 'delivery_contact', 'group_ids', 'pricebook_id', 'updated_at']}
      filters={['group_ids', 'pricebook_id']}
      bulk={['group_ids', 'pricebook_id']}
      searchHint={t('Name, number, notes …')}
      form={customerForm}
      newTitle={t('New customer')}
      about={t('Customers are whom the work is done for. The first comes with the first job, or here.')}
      linkTo={({ id }, name) => (
        <Link to="/customers/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      )}
    />
  </main>
)
