import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { accept, pause } from './acts.ts'
import { anchorOf, nameOf, useDisputes } from './conflict.tsx'
import { Fields } from './fields.tsx'
import { About, Delivery } from './job-about.tsx'
import { Decline, InTheWay } from './job-asks.tsx'
import { Head } from './job-head.tsx'
import { History } from './job-history.tsx'
import { Items } from './job-items.tsx'
import { JobMessages } from './job-messages.tsx'
import { askedFields, missing } from './missing.ts'
import { nextAct } from './next-act.tsx'
import { Act, Card, Cols, Say, Side } from './parts.tsx'
import { Receipts } from './receipts.tsx'
import { Screen } from './screen.tsx'
import { currentPhone, type Job, rowOf, useFormats, useShown } from './store.ts'
import { tell } from './toast.tsx'

export function JobPage({ id }: { id: string }) {
  const shown = useShown()
  // Its address has the number of this phone until the office has given it one, and leads here then, too.
  const job = rowOf(shown, 'job', shown.given.get(Number(id)) ?? id)
  const [asks, setAsks] = useState<'decline' | 'missing' | null>(null)
  if (!job)
    return (
      <Screen page title={t('Job {id}', { id })}>
        <Say how="note" head={t('This job is not on this phone')}>
          <span>{t('It was given to somebody else, or it is too old. What you did on it is not lost.')}</span>
        </Say>
        <Receipts jobId={Number(id)} />
      </Screen>
    )
  return (
    <Screen
      page
      title={Number(job.id) < 0 ? t('New job') : t('Job {id}', { id: job.id })}
      acts={<Acts job={job} onAsk={setAsks} />}
    >
      <Disputed job={job} />
      <Head job={job} />
      <Cols
        first={
          <>
            <Jump job={job} />
            <Steps job={job} />
            <Fields job={job} />
          </>
        }
      >
        <Items job={job} />
        <Delivery job={job} />
        <About job={job} />
        <JobMessages job={job} />
        <Receipts jobId={Number(job.id)} />
        <History job={job} />
      </Cols>
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

/** Leads to the first field of which there are two values. */
function Disputed({ job }: { job: Job }) {
  const disputes = useDisputes(job)
  const [first] = disputes
  if (!first) return null
  const lead = () => {
    const section = document.getElementById(anchorOf(first))
    section?.scrollIntoView({ block: 'center' })
    section?.focus()
  }
  return (
    <Say
      how="warn"
      head={t('{count, plural, one {One field has two values} other {# fields have two values}}', {
        count: disputes.length,
      })}
    >
      <span>{t('Theirs counts now, yours is kept. Say which is right, or leave it to the office.')}</span>
      <div className="btns">
        <button type="button" className="btn strong" onClick={lead}>
          {t('Go to {name}', { name: nameOf(first, job) })}
        </button>
      </div>
    </Say>
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
      {job.line_items.length > 0 && (
        <a href={`${location.pathname}#items`}>
          <b>{job.line_items.length}</b>
          {t('Parts')}
        </a>
      )}
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
