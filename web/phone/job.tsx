import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { jobStates, stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { accept, decline, pause, wordsOf } from './acts.ts'
import { Fields } from './fields.tsx'
import { askedFields, isFilled, missing } from './missing.ts'
import { nextAct } from './next-act.tsx'
import { Act, Card, Say, Screen, Sheet, Side, State, tell } from './parts.tsx'
import { currentPhone, type Job, rowOf, rowsOf, useFormats, useShown } from './store.ts'
import { addressLines, useSpan } from './today.tsx'

export function JobPage({ id }: { id: string }) {
  const job = rowOf(useShown(), 'job', id)
  const [asks, setAsks] = useState<'decline' | 'missing' | null>(null)
  if (!job)
    return (
      <Screen page title={t('Job {id}', { id })}>
        <Say how="note" head={t('This job is not on this phone')}>
          <span>{t('It was given to somebody else, or it is too old.')}</span>
        </Say>
      </Screen>
    )
  return (
    <Screen
      page
      title={Number(id) < 0 ? t('New job') : t('Job {id}', { id })}
      acts={<Acts job={job} onAsk={setAsks} />}
    >
      <Head job={job} />
      <Jump job={job} />
      <Steps job={job} />
      <Fields job={job} />
      <About job={job} />
      <Receipts job={job} />
      {asks === 'decline' && <Decline job={job} onClose={() => setAsks(null)} />}
      {asks === 'missing' && <InTheWay job={job} onClose={() => setAsks(null)} />}
    </Screen>
  )
}

function Acts({ job, onAsk }: { job: Job; onAsk: (what: 'decline' | 'missing') => void }) {
  if (job.confirmation === 'pending' && !job.canceled_at)
    return (
      <>
        <Side wide icon="x" onAct={() => onAsk('decline')}>
          {t('Decline')}
        </Side>
        <Act
          mid
          icon="check"
          onAct={async () => {
            await currentPhone().act([accept(job)])
            tell(t('Accepted'))
          }}
        >
          {t('Accept')}
        </Act>
      </>
    )
  const canPause = job.progress_state === 'started' && !job.paused_at && !job.canceled_at
  return (
    <>
      {canPause && (
        <Side
          icon="pause"
          onAct={async () => {
            await currentPhone().act([pause(job)])
            tell(t('Paused'))
          }}
        >
          {t('Pause')}
        </Side>
      )}
      {nextAct(job, 'job', () => onAsk('missing'))}
    </>
  )
}

function Head({ job }: { job: Job }) {
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
            <a
              className="link"
              href={`https://maps.google.com/?q=${encodeURIComponent(addressLines(job))}`}
              rel="noreferrer"
            >
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

function Jump({ job }: { job: Job }) {
  const done = job.steps.filter((step) => step.completed_at).length
  const left = missing(job).length
  return (
    <nav className="jump" aria-label={t('On this job')}>
      <a href={`${location.pathname}#steps`}>
        <b>{t('{done} of {count}', { done, count: job.steps.length })}</b>
        {t('Steps')}
      </a>
      <a href={`${location.pathname}#fields`} className={left > 0 ? 'hot' : ''}>
        <b>{left > 0 ? t('{left} left', { left }) : askedFields(job).length}</b>
        {t('Fields')}
      </a>
      <a href={`${location.pathname}#receipts`}>
        <b>{useShown().entries.filter(({ lane }) => lane === `jobs/${job.id}`).length}</b>
        {t('Receipts')}
      </a>
    </nav>
  )
}

function Steps({ job }: { job: Job }) {
  const { time } = useFormats()
  const at = job.steps.findIndex((step) => !step.completed_at)
  const done = job.steps.filter((step) => step.completed_at).length
  return (
    <Card
      kind="sec"
      flush
      head={
        <>
          <h2 id="steps">{t('Steps')}</h2>
          <span className="end">{t('{done} of {count}', { done, count: job.steps.length })}</span>
        </>
      }
    >
      <ol className="rows steps">
        {job.steps.map((step, i) => (
          <li key={step.id} className={step.completed_at ? 'd' : i === at ? 'now' : ''}>
            <span className="box">
              {step.completed_at ? <Icon name="check" /> : i === at ? <Icon name="play" /> : null}
            </span>
            <span className="w">{i === at ? <b>{step.name}</b> : step.name}</span>
            {step.completed_at && <span className="t">{time(step.completed_at)}</span>}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function About({ job }: { job: Job }) {
  if (!job.notes) return null
  return (
    <Card kind="sec" flush head={<h2>{t('About this job')}</h2>}>
      <div className="rows">
        <div>
          <Icon name="note" />
          <span className="w">
            {job.notes}
            <small>{t('Note of the office')}</small>
          </span>
        </div>
      </div>
    </Card>
  )
}

function Receipts({ job }: { job: Job }) {
  const entries = useShown().entries.filter(({ lane }) => lane === `jobs/${job.id}`)
  if (entries.length === 0) return null
  return (
    <Card kind="sec" flush head={<h2 id="receipts">{t('What the office has')}</h2>}>
      {entries.toReversed().map((entry) => (
        <div className="receipt" key={entry.id}>
          <Icon name={entry.receipt ? 'check' : 'clock'} />
          <span>{wordsOf(entry)}</span>
          <small>
            <ReceiptWords id={entry.id} />
          </small>
        </div>
      ))}
    </Card>
  )
}

/** `Received 10:22, event 48 203` */
export function ReceiptWords({ id }: { id: string }) {
  const { entries, sending } = useShown()
  const { time, number } = useFormats()
  const entry = entries.find((one) => one.id === id)
  if (!entry) return null
  const { receipt, file, state } = entry
  if (state === 'refused') return <State state="refused">{t('Not taken')}</State>
  if (!receipt) {
    const size = file ? kilobytes(file.bytes, number) : ''
    if (sending.has(id)) return <State state="sending">{t('Sending…')}</State>
    return <State state="waiting">{file ? t('Waiting, {size}', { size }) : t('Waiting')}</State>
  }
  const values = { time: time(receipt.at), event: receipt.event === null ? null : number(receipt.event) }
  return (
    <>
      {receipt.event === null ? t('Received {time}', values) : t('Received {time}, event {event}', values)}
      {file?.sha256 && receipt.sha256 === file.sha256 && ` · ${t('the office holds the same bytes')}`}
    </>
  )
}

export const kilobytes = (bytes: number, number: (value: number) => string) =>
  bytes < 1_000_000 ? `${number(Math.ceil(bytes / 1000))} KB` : `${number(Math.round(bytes / 100_000) / 10)} MB`

function Decline({ job, onClose }: { job: Job; onClose: () => void }) {
  const [account] = rowsOf(useShown(), 'account')
  const reasons = account?.settings?.decline_reasons ?? []
  const send = async (reason: string | null) => {
    onClose()
    await currentPhone().act([decline(job, reason)])
    tell(t('Declined'))
  }
  return (
    <Sheet
      title={t('Why do you decline?')}
      sub={t('The office sees the reason and gives the job to somebody else.')}
      onClose={onClose}
      acts={
        <Side wide onAct={onClose}>
          {t('Keep it')}
        </Side>
      }
    >
      <div className="rows picks">
        {reasons.map((reason) => (
          <button type="button" key={reason} onClick={() => send(reason)}>
            <span className="w md">{reason}</span>
          </button>
        ))}
        {reasons.length === 0 && (
          <button type="button" onClick={() => send(null)}>
            <span className="w md">{t('Decline it')}</span>
          </button>
        )}
      </div>
    </Sheet>
  )
}

/** What must be filled before the last step. Choosing one leads to it. */
function InTheWay({ job, onClose }: { job: Job; onClose: () => void }) {
  const fields = missing(job)
  const lead = (id: unknown) => {
    onClose()
    const slip = document.getElementById(`f-${id}`)
    slip?.scrollIntoView({ block: 'center' })
    slip?.focus()
  }
  return (
    <Sheet
      title={t('{count, plural, one {# thing before you can finish} other {# things before you can finish}}', {
        count: fields.length,
      })}
      sub={t('Tap one to go there.')}
      onClose={onClose}
      acts={
        <Side wide onAct={onClose}>
          {t('Not yet')}
        </Side>
      }
    >
      <div className="rows">
        {fields.map((field) => (
          <button type="button" key={field.id} onClick={() => lead(field.id)}>
            <span className="w">
              <b>{field.name}</b>
              <small>{isFilled(job, field) ? '' : t('empty')}</small>
            </span>
            <Icon name="right" className="go" />
          </button>
        ))}
      </div>
    </Sheet>
  )
}
