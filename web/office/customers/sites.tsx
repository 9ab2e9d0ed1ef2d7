import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { site } from '../../../src/records/site.ts'
import type { RowOf } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { type FormField, RecordForm } from '../../ui/records/record-form.tsx'
import { summaryOf } from '../../ui/records/value.tsx'
import { t } from '../../ui/words.ts'
import { queries } from '../session.ts'

const form: FormField[] = [
  'name',
  'third_party_id',
  'access_notes',
  ['location', ['formatted_address', 'address1', 'suburb', 'city', 'post_code']],
  ['contact', ['first_name', 'last_name', 'phone', 'mobile', 'email']],
]
const most = 200

/** The places of a customer: where each is, whom to ask for, and how to get in. */
export function Sites({ customerId }: { customerId: number }) {
  const { client, mayChange } = useRecords()
  const [open, setOpen] = useState<number | 'new' | null>(null)
  const query = { customer_id: customerId, sort: 'name', per_page: most, include: 'revision' }
  const { data } = useQuery({
    queryKey: ['list', 'site', query],
    queryFn: ({ signal }) => client.list(site, query, { signal }),
  })
  // Each with its revision, so that nobody's change is lost unseen.
  const sites: RowOf<typeof site>[] = data?.rows ?? []
  const close = () => setOpen(null)
  const formOf = (row: (typeof sites)[number] | null) => (
    <RecordForm
      record={site}
      fields={form}
      row={row}
      etag={row?.revision === undefined ? null : String(row.revision)}
      given={{ customer_id: customerId }}
      onCancel={close}
      onSaved={async () => {
        await queries.invalidateQueries({ queryKey: ['list', 'site'] })
        close()
      }}
    />
  )
  return (
    <section className="panel" aria-label={t('Sites')}>
      <div className="sec line">
        <h2 className="h3 push">
          {t('Sites')} <span className="dim">{sites.length}</span>
        </h2>
        {mayChange(site) && open === null && (
          <Button small kind="quiet" icon="plus" onClick={() => setOpen('new')}>
            {t('New site')}
          </Button>
        )}
      </div>
      <div className="sec">
        {sites.length === 0 && open === null && <p className="dim">{t('none')}</p>}
        <ul>
          {sites.map((row) => (
            <li key={row.id} className="entry">
              {open === row.id ? (
                formOf(row)
              ) : (
                <div className="line">
                  <span className="push" dir="auto">
                    <b>{row.name}</b> {summaryOf(row.location ?? {})}
                    {row.access_notes && <span className="two-ink sm"> {row.access_notes}</span>}
                  </span>
                  {mayChange(site) && (
                    <Button
                      small
                      kind="quiet"
                      icon="pen"
                      aria-label={t('Change {what}', { what: row.name })}
                      onClick={() => setOpen(row.id)}
                    />
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
        {open === 'new' && formOf(null)}
      </div>
    </section>
  )
}
