import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { jobStates, stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { accept, turnShift } from './acts.ts'
import { byTime, isOpen, jobsOfToday } from './day.ts'
import { addressLines } from './navigate.ts'
import { NewJobTool } from './new-job-tool.tsx'
import { nextAct } from './next-act.tsx'
import { Card, Cols, Sheet, Side, To, useNow } from './parts.tsx'
import { askForPlace, type PlaceState, usePlaceState } from './place.ts'
import { go } from './route.ts'
import { Screen } from './screen.tsx'
import { useSpan } from './span.ts'
import { currentPhone, type Job, rowOf, rowsOf, useFormats, useMay, useShown } from './store.ts'
import { tell } from './toast.tsx'
import { UpdateStrip } from './update.tsx'

export function Today() {
  const shown = useShown()
  const formats = useFormats()
  const nowMs = useNow()
  const jobs = rowsOf(shown, 'job').toSorted(byTime)
  const open = jobs.filter(isOpen)
  const offers = open.filter((job) => job.confirmation === 'pending')
  const mine = open.filter((job) => job.confirmation !== 'pending')
  const first = mine.find((job) => job.progress_state === 'started') ?? mine[0]
  const today = formats.date(new Date(nowMs).toISOString())
  const rest = mine.filter((job) => job !== first)
  const ofToday = new Set(jobsOfToday(rest, formats.date))
  const done = jobs.filter((job) => job.completed_at).toReversed()
  return (
    <Screen
      title={t('Today')}
      sub={today}
      tools={useMay('mobile_jobs_create') && <NewJobTool />}
      acts={first && nextAct(first, 'today')}
    >
      <Cols
        first={
          <>
            <UpdateStrip />
            <Shift />
            {offers.map((job) => (
              <Offer key={job.id} job={job} />
            ))}
            {first && <First job={first} />}
            {open.length === 0 && shown.askedAt && (
              <div className="empty">
                <h2 className="xl">{t('Nothing for today')}</h2>
                <p className="two-ink md">{t('When the office sends you work it lands here.')}</p>
              </div>
            )}
          </>
        }
      >
        <Group title={t('Later today')} jobs={rest.filter((job) => ofToday.has(job))} />
        <Group title={t('Tomorrow and later')} jobs={rest.filter((job) => !ofToday.has(job))} />
        <Group title={t('Done')} jobs={done} />
        <div className="ends">
          <button type="button" className="btn block" onClick={() => currentPhone().ask()}>
            <Icon name="refresh" />
            <span>{t('Look for new work now')}</span>
          </button>
        </div>
      </Cols>
    </Screen>
  )
}

function Group({ title, jobs }: { title: string; jobs: Job[] }) {
  if (jobs.length === 0) return null
  return (
    <>
      <h2 className="cap">{title}</h2>
      {jobs.map((job) => (
        <JobCard key={job.id} job={job} />
      ))}
    </>
  )
}

function JobCard({ job }: { job: Job }) {
  const state = stateOf(job)
  return (
    <Card
      state={state}
      kind={job.completed_at ? 'done' : ''}
      head={
        <>
          <b>{useSpan(job)}</b>
          <span className="x">{t(jobStates[state])}</span>
        </>
      }
    >
      <h3 className="c">
        <To to={`/jobs/${job.id}`}>{job.customer_name}</To>
      </h3>
      {job.template_name && <span className="k">{job.template_name}</span>}
      <Address job={job} />
    </Card>
  )
}

const Address = ({ job }: { job: Job }) => (addressLines(job) ? <span className="a">{addressLines(job)}</span> : null)

function First({ job }: { job: Job }) {
  const state = stateOf(job)
  const span = useSpan(job)
  const { time } = useFormats()
  const at = job.steps.findIndex((step) => !step.completed_at)
  const isStarted = job.progress_state === 'started'
  const nowMs = useNow()
  const endMs = Date.parse(job.planned_start_at ?? '') + (job.planned_duration ?? 0) * 1000
  const lateMin = Math.floor((nowMs - (isStarted ? endMs : Date.parse(job.planned_start_at ?? ''))) / 60_000)
  return (
    <Card
      state={state}
      kind={lateMin > 0 ? 'big late' : 'big'}
      head={
        <>
          <b>
            {isStarted && job.actual_start_at
              ? t('Now, since {time}', { time: time(job.actual_start_at) })
              : t('Next, {span}', { span })}
          </b>
          <span className="x">
            {lateMin > 0 ? <span className="bad">{t('{lateMin} min late', { lateMin })}</span> : t(jobStates[state])}
          </span>
        </>
      }
    >
      <h2 className="c">
        <To to={`/jobs/${job.id}`}>{job.customer_name}</To>
      </h2>
      {job.template_name && <span className="k">{job.template_name}</span>}
      <ol className="pips" aria-label={t('Step {at} of {count}', { at: at + 1, count: job.steps.length })}>
        {job.steps.map((step, i) => (
          <li key={step.id} className={step.completed_at ? 'd' : i === at ? 'n' : ''} />
        ))}
      </ol>
      {addressLines(job) && (
        <div className="facts">
          <Icon name="map" />
          <span>{addressLines(job)}</span>
        </div>
      )}
    </Card>
  )
}

function Offer({ job }: { job: Job }) {
  return (
    <Card
      state="waiting"
      kind="offer"
      head={
        <>
          <b>{t('New for you')}</b>
          <span className="x">{useSpan(job)}</span>
        </>
      }
    >
      <h2 className="c">
        <To to={`/jobs/${job.id}`}>{job.customer_name}</To>
      </h2>
      {job.template_name && <span className="k">{job.template_name}</span>}
      <Address job={job} />
      <div className="btns even">
        <button type="button" className="btn" onClick={() => go(`/jobs/${job.id}`)}>
          {t('Look at it')}
        </button>
        <button
          type="button"
          className="btn strong"
          onClick={async () => {
            await currentPhone().act([accept(job)])
            tell(t('Accepted'))
          }}
        >
          <Icon name="check" />
          <span>{t('Accept')}</span>
        </button>
      </div>
    </Card>
  )
}

export function Shift() {
  const shown = useShown()
  const { person } = currentPhone()
  const [asks, setAsks] = useState(false)
  const isOn = rowOf(shown, 'user', person.user_id)?.shift_on ?? false
  const noting = usePlaceState()
  const turn = async (on: boolean, until: number | 'midnight' | null = null) => {
    setAsks(false)
    if (on) askForPlace()
    await currentPhone().act([turnShift(person.user_id, on, until)])
    tell(on ? t('On shift') : t('Off shift'))
  }
  return (
    <>
      <button
        type="button"
        className="strip"
        role="switch"
        aria-checked={isOn}
        onClick={() => (isOn ? setAsks(true) : turn(true))}
      >
        <span className={noting === 'on' ? 'dot' : 'dot no'} />
        <span className="push">
          <b>{isOn ? t('On shift') : t('Off shift')}</b>
          <span className="w2">{placeWords()[noting]}</span>
        </span>
        <span className="switch" />
      </button>
      {asks && (
        <Sheet
          title={t('Go off shift')}
          sub={t('Work can still be sent to you.')}
          onClose={() => setAsks(false)}
          acts={
            <Side wide onAct={() => setAsks(false)}>
              {t('Stay on shift')}
            </Side>
          }
        >
          <div className="rows picks">
            {(
              [
                ['For 30 minutes', 30],
                ['For an hour', 60],
                ['Until midnight', 'midnight'],
                ['Until I switch it on', null],
              ] as const
            ).map(([words, until]) => (
              <button type="button" key={words} onClick={() => turn(false, until)}>
                <b className="w md">{shiftWords()[words]}</b>
                <Icon name="right" className="go" />
              </button>
            ))}
          </div>
        </Sheet>
      )}
    </>
  )
}

const placeWords = (): { [state in PlaceState]: string } => ({
  on: t('The office sees where you are'),
  off: t('Your place is not sent'),
  blocked: t('Your place is not sent: the browser may not use it'),
})

const shiftWords = () => ({
  'For 30 minutes': t('For 30 minutes'),
  'For an hour': t('For an hour'),
  'Until midnight': t('Until midnight'),
  'Until I switch it on': t('Until I switch it on'),
})
