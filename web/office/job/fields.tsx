import { isRevealed } from '../../../src/records/work.ts'
import { useRecords } from '../../ui/records/context.tsx'
import { t } from '../../ui/words.ts'
import { type CustomField, CustomFieldInput } from './field-input.tsx'
import { InPlace } from './in-place.tsx'
import { useOpenJob } from './open-job.ts'
import { Section } from './section.tsx'

export const isFile = ({ type }: CustomField) => type === 'image' || type === 'signature'

/** What else is asked of this work, and what was filled in. Photos and signatures stand with the files. */
export function Fields() {
  const { job } = useOpenJob()
  const shown = job.custom_fields.filter((field) => !isFile(field) && isRevealed(field, job.custom_fields))
  const needed = shown.filter(({ permission, value }) => permission === 'required' && !value).length
  return (
    <Section
      title={t('Fields')}
      beside={
        needed > 0 && (
          <span className="risk">
            {t('{needed, plural, one {# needed before the last step} other {# needed before the last step}}', {
              needed,
            })}
          </span>
        )
      }
    >
      {shown.length === 0 && <p className="dim">{t('none')}</p>}
      <dl className="fields">
        {shown.map((field) =>
          field.type === 'header' ? (
            <div key={field.id} className="header">
              <dt dir="auto">{field.name}</dt>
              <dd />
            </div>
          ) : (
            <div key={field.id}>
              <dt dir="auto">{field.name}</dt>
              <dd>
                <OneField field={field} />
              </dd>
            </div>
          ),
        )}
      </dl>
    </Section>
  )
}

function OneField({ field }: { field: CustomField }) {
  const { job, path, send } = useOpenJob()
  return (
    <InPlace
      label={field.name}
      value={field.value}
      save={async (value, seen) => {
        if (value !== seen)
          await send({
            method: 'PATCH',
            path: `${path}/custom_fields/${field.id}`,
            body: { custom_field: { value }, base: { value: seen } },
            says: t('{what} is saved', { what: field.name }),
            expects: { custom_fields: job.custom_fields.map((one) => (one.id === field.id ? { ...one, value } : one)) },
          })
      }}
      form={(value, set) => <CustomFieldInput field={field} value={value} onChange={set} />}
    >
      <FieldValue field={field} />
      {field.permission === 'hidden' && <span className="dim sm">{t('not on the phone')}</span>}
    </InPlace>
  )
}

function FieldValue({ field: { type, value, permission } }: { field: CustomField }) {
  const { formats } = useRecords()
  if (value === null || value === '')
    return permission === 'required' ? (
      <span className="risk">{t('Needed')}</span>
    ) : (
      <span className="dim">{t('empty')}</span>
    )
  switch (type) {
    case 'datetime':
      return formats.dateTime(value)
    case 'checkbox':
      return value === 'true' ? t('yes') : t('no')
    case 'currency':
      return formats.money(Number(value))
    case 'link':
      return (
        <a href={value} target="_blank" rel="noreferrer">
          {value}
        </a>
      )
    default:
      return <span dir="auto">{value}</span>
  }
}
