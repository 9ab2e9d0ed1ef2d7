import { t } from '../../../ui/words.ts'
import { addressOf, type WholeJob } from '../board/plan.ts'

/** Where it is, and whom to ask for. */
export function Contact({ job }: { job: WholeJob }) {
  const contact = job.contact
  const name = contact && [contact.first_name, contact.last_name].filter(Boolean).join(' ')
  const phone = contact?.mobile ?? contact?.phone
  const address = addressOf(job)
  if (!name && !phone && !address) return null
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Customer')}</h3>
      </div>
      <dl className="kv">
        {address && (
          <div>
            <dt>{t('Site')}</dt>
            <dd>{address}</dd>
          </div>
        )}
        {(name || phone) && (
          <div>
            <dt>{t('Contact')}</dt>
            <dd>
              {name}
              {name && phone && <br />}
              {phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
