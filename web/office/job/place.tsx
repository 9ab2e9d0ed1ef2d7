import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { site } from '../../../src/records/site.ts'
import { Icon } from '../../ui/icon.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { summaryOf } from '../../ui/records/value.tsx'
import { t } from '../../ui/words.ts'
import { useOpens } from '../tabs.ts'
import { FieldsInPlace } from './in-place.tsx'
import { useOpenJob } from './open-job.ts'
import { Section } from './section.tsx'

const contact = ['first_name', 'last_name', 'phone', 'mobile', 'email', 'location'] as const

/** Where it is and whom to ask for: the site's word before the customer's. */
export function Place() {
  const { job } = useOpenJob()
  const { client } = useRecords()
  const opens = useOpens()
  const seesCustomers = opens('customers')
  const { data } = useQuery({
    queryKey: ['one', 'site', job.site_id],
    enabled: job.site_id !== null && seesCustomers,
    queryFn: ({ signal }) => client.find(site, job.site_id ?? 0, { signal }),
  })
  const place = data?.row
  const address = summaryOf({ location: null, ...(place?.location ?? addressIn(job)) })
  const { first_name, last_name, phone, mobile, email } = job.contact ?? place?.contact ?? {}
  const person = [first_name, last_name].filter(Boolean).join(' ')
  return (
    <Section title={t('Customer and site')}>
      <FieldsInPlace label={t('Customer and site')} asked={['customer_id', 'site_id']}>
        <p className="line">
          <Icon name="customers" />
          {seesCustomers && job.customer_id ? (
            <Link to="/customers/$id" params={{ id: String(job.customer_id) }} dir="auto">
              {job.customer_name}
            </Link>
          ) : (
            <span dir="auto">{job.customer_name}</span>
          )}
        </p>
        <p className="line">
          <Icon name="map" />
          <span dir="auto">
            {place && <b>{place.name} </b>}
            {address || <span className="dim">{t('no address')}</span>}
          </span>
        </p>
        {place?.access_notes && (
          <p className="two-ink" dir="auto">
            {place.access_notes}
          </p>
        )}
      </FieldsInPlace>
      <FieldsInPlace label={t('Contact')} asked={[['contact', contact]]}>
        <p className="line">
          <Icon name="user" />
          {person ? <span dir="auto">{person}</span> : <span className="dim">{t('nobody named')}</span>}
        </p>
        {[mobile, phone].map(
          (number) =>
            number && (
              <p key={number} className="line">
                <Icon name="phone" />
                <a href={`tel:${number.replace(/[^+\d]/g, '')}`} dir="ltr">
                  {number}
                </a>
              </p>
            ),
        )}
        {email && (
          <p className="line">
            <Icon name="mail" />
            <a href={`mailto:${email}`}>{email}</a>
          </p>
        )}
      </FieldsInPlace>
    </Section>
  )
}

const addressIn = ({ contact, steps }: ReturnType<typeof useOpenJob>['job']) =>
  contact?.location ?? steps.find((step) => step.location)?.location ?? {}

/** What the worker should know before they go. */
export function Notes() {
  const { job } = useOpenJob()
  return (
    <Section title={t('Notes')}>
      <FieldsInPlace label={t('Notes')} asked={['notes']}>
        {job.notes ? (
          <p className="notes" dir="auto">
            {job.notes}
          </p>
        ) : (
          <p className="dim">{t('Nothing is noted.')}</p>
        )}
      </FieldsInPlace>
    </Section>
  )
}
