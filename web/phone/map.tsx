import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { jobStates, stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { jobsOfToday } from './day.ts'
import { addressLines, kilometresBetween, pointOf, wayTo } from './navigate.ts'
import { Say, Tab, To } from './parts.tsx'
import { Screen } from './screen.tsx'
import { type Job, rowsOf, useFormats, useShown } from './store.ts'

type Point = { lat: number; lng: number }

/** Where today's jobs are, in the order of the plan: each leads to its way in the maps of the phone, which works without a map here. */
export function Places() {
  const shown = useShown()
  const { date } = useFormats()
  const [here, setHere] = useState<Point | 'denied' | null>(null)
  const jobs = jobsOfToday(rowsOf(shown, 'job'), date)
  const look = () =>
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => setHere({ lat: coords.latitude, lng: coords.longitude }),
      () => setHere('denied'),
      { enableHighAccuracy: true, timeout: 30_000 },
    )
  return (
    <Screen title={t('Map')} sub={date(new Date().toISOString())}>
      {here === 'denied' && (
        <Say how="note" head={t('Your own place is not known')}>
          <span>{t('The browser may not use it, or there is no signal of satellites here.')}</span>
        </Say>
      )}
      {jobs.length === 0 && (
        <div className="empty">
          <h2 className="xl">{t('Nothing for today')}</h2>
        </div>
      )}
      <ol className="list rows maplist">
        {jobs.map((job) => (
          <Place key={job.id} job={job} here={typeof here === 'string' ? null : here} />
        ))}
      </ol>
      {jobs.length > 0 && (
        <div className="ends">
          <button type="button" className="btn block" onClick={look}>
            <Icon name="locate" />
            <span>{t('How far from here')}</span>
          </button>
        </div>
      )}
    </Screen>
  )
}

function Place({ job, here }: { job: Job; here: Point | null }) {
  const { time, number } = useFormats()
  const shown = useShown()
  const state = stateOf(job)
  const way = wayTo(job)
  const point = pointOf(job)
  const [account] = rowsOf(shown, 'account')
  const km = here && point ? kilometresBetween(here, point) : null
  const isMiles = account?.units === 'miles'
  const far =
    km === null ? null : `${number(Math.round((isMiles ? km / 1.609 : km) * 10) / 10)} ${isMiles ? 'mi' : 'km'}`
  return (
    <li data-state={state}>
      <Tab state={state} />
      <span className="w">
        <b>
          <To to={`/jobs/${job.id}`}>{job.customer_name}</To>
        </b>
        <small>
          {[job.planned_start_at && time(job.planned_start_at), t(jobStates[state]), far].filter(Boolean).join(' · ')}
        </small>
        <small>{addressLines(job) || t('No address')}</small>
      </span>
      {way && (
        <a className="btn only tall" href={way} aria-label={t('Navigate to {name}', { name: job.customer_name })}>
          <Icon name="route" />
        </a>
      )}
    </li>
  )
}
