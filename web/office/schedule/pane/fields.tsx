import { job as jobs } from '../../../../src/records/job.ts'
import { isRevealed } from '../../../../src/records/work.ts'
import { instantOf, wallTimeOf } from '../../../ui/fields/plain.tsx'
import { t } from '../../../ui/words.ts'
import type { WholeJob } from '../board/plan.ts'
import { type Desk, useDesk } from '../desk.ts'
import { titleOf } from '../words.ts'
import { InPlace } from './in-place.tsx'

type Field = WholeJob['custom_fields'][number]

/** What is asked for at a job, filled in where it stands. Photos, signatures and places are made on the phone. */
export function Fields({ job }: { job: WholeJob }) {
  const shown = job.custom_fields.filter((field) => field.type !== 'header' && isRevealed(field, job.custom_fields))
  if (shown.length === 0) return null
  const needed = shown.filter((field) => field.permission === 'required' && !isFilled(field)).length
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Fields')}</h3>
        <span className="push" />
        {needed > 0 && (
          <span className="needed plain">
            {t('{count, plural, one {# still needed} other {# still needed}}', { count: needed })}
          </span>
        )}
      </div>
      <dl className="kv">
        {shown.map((field) => (
          <div key={field.id}>
            <dt>{field.name}</dt>
            <dd>
              <Value job={job} field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const isFilled = ({ value, attachment_id, signature_id }: Field) => Boolean(value || attachment_id || signature_id)

const onPhone = ['image', 'signature', 'location', 'multi_pick_list']

function Value({ job, field }: { job: WholeJob; field: Field }) {
  const desk = useDesk()
  const { name, type, value } = field
  const missing = field.permission === 'required' ? t('needed before the last step') : t('empty')
  const save = (next: string | null) => saveField(desk, job, field, next || null)
  if (!desk.mayPlan || job.canceled_at !== null || onPhone.includes(type)) {
    const says = type === 'image' || type === 'signature' ? isFilled(field) && t('there') : value
    return <span className={says ? undefined : 'dim'}>{says || missing}</span>
  }
  if (type === 'checkbox')
    return (
      <input
        type="checkbox"
        className="tick"
        aria-label={name}
        checked={value === 'true'}
        onChange={(event) => save(String(event.target.checked))}
      />
    )
  if (type === 'pick_list')
    return (
      <select className="in-place" aria-label={name} value={value ?? ''} onChange={(event) => save(event.target.value)}>
        <option value="">{missing}</option>
        {[...new Set([...(field.options ?? []), ...(value ? [value] : [])])].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  if (type === 'datetime')
    return (
      <InPlace
        label={name}
        type="datetime-local"
        value={value && !Number.isNaN(Date.parse(value)) ? wallTimeOf(value, desk.zone) : ''}
        onSave={(wall) => save(wall && instantOf(wall, desk.zone))}
      />
    )
  const isNumber = type === 'number' || type === 'currency'
  return (
    <InPlace
      label={name}
      value={value ?? ''}
      placeholder={missing}
      {...(isNumber && { inputMode: 'decimal' as const })}
      onSave={save}
    />
  )
}

function saveField(desk: Desk, job: WholeJob, field: Field, value: string | null) {
  const custom_fields = job.custom_fields.map((one) => (one.id === field.id ? { ...one, value } : one))
  void desk.acts.write(t('{field} of {customer}', { field: field.name, customer: titleOf(job) }), titleOf(job), [
    {
      method: 'PATCH',
      path: `jobs/${job.id}/custom_fields/${field.id}`,
      body: { custom_field: { value } },
      expected: { record: jobs, id: job.id, changes: { custom_fields } },
    },
  ])
}
