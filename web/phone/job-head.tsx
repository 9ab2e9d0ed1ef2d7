import { Icon } from '../ui/icon.tsx'
import { jobStates, stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { addressLines, wayTo } from './navigate.ts'
import { Card } from './parts.tsx'
import { useSpan } from './span.ts'
import { type Job, useFormats } from './store.ts'

export function Head({ job }: { job: Job }) {
  const state = stateOf(job)
  const { duration } = useFormats()
  const { contact } = job
  const name = [contact?.first_name, contact?.last_name].filter(Boolean).join(' ')
  const number = contact?.mobile || contact?.phone
  return (
    <Card
      state={state}
      kind={job.canceled_at ? 'big gone' : 'big'}
      head={
        <>
          <b>{t(jobStates[state])}</b>
          {job.planned_duration ? <span className="x">{duration(job.planned_duration)}</span> : null}
        </>
      }
    >
      <h2 className="c">{job.customer_name}</h2>
      {job.template_name && <span className="k">{job.template_name}</span>}
      <div className="withnav">
        <Icon name="clock" />
        <b>{useSpan(job)}</b>
      </div>
      {addressLines(job) && (
        <div className="withnav">
          <Icon name="map" />
          <span>
            <a className="link" href={wayTo(job) ?? ''} rel="noreferrer">
              {addressLines(job)}
            </a>
          </span>
        </div>
      )}
      {(name || number || contact?.email) && (
        <div className="who">
          <span className="line">
            <Icon name="user" />
            <b>{name}</b>
          </span>
          <div className="btns even tri">
            {number && (
              <a className="btn" href={`tel:${number}`}>
                <Icon name="phone" />
                <span>{t('Call')}</span>
              </a>
            )}
            {contact?.mobile && (
              <a className="btn" href={`sms:${contact.mobile}`}>
                <Icon name="messages" />
                <span>{t('Text')}</span>
              </a>
            )}
            {contact?.email && (
              <a className="btn" href={`mailto:${contact.email}`}>
                <Icon name="mail" />
                <span>{t('Mail')}</span>
              </a>
            )}
          </div>
        </div>
      )}
    </Card>
  )
}
