import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { jobStates, stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { byTime, jobsOfToday } from './day.ts'
import { useDistance } from './distance.ts'
import { GroundPicture, type Pin } from './ground.tsx'
import { addressLines, kilometresBetween, pointOf, wayTo } from './navigate.ts'
import { ActLink, Say, Tab, To } from './parts.tsx'
import { Screen } from './screen.tsx'
import { type Job, rowsOf, useFormats, useShown } from './store.ts'
import type { Place } from './way.ts'

/** Where today's jobs are, to scale and in the order of the plan: each leads to its way in the maps of the phone. */
export function Places() {
  const shown = useShown()
  const { date, time } = useFormats()
  const { distance, isMiles } = useDistance()
  const [found, setFound] = useState<Place | 'denied' | null>(null)
  const here = typeof found === 'string' ? null : found
  const all = rowsOf(shown, 'job')
  const open = jobsOfToday(all, date)
  const today = date(new Date().toISOString())
  const done = all.filter(({ completed_at: at }) => at && date(at) === today)
  const jobs = [...done, ...open].toSorted(byTime)
  const [next] = open
  const pins = jobs.flatMap((job): Pin[] => {
    const place = pointOf(job)
    const words = job.planned_start_at ? time(job.planned_start_at) : '–'
    return place ? [{ id: job.id, state: stateOf(job), words, place }] : []
  })
  const look = () =>
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => setFound({ lat: coords.latitude, lng: coords.longitude }),
      () => setFound('denied'),
      { enableHighAccuracy: true, timeout: 30_000 },
    )
  const far = (job: Job) => {
    const point = pointOf(job)
    return here && point ? distance(kilometresBetween(here, point)) : null
  }
  const way = next && wayTo(next)
  return (
    <Screen
      title={t('Map')}
      sub={today}
      acts={
        way && (
          <ActLink icon="route" href={way} small={[next.customer_name, far(next)].filter(Boolean).join(', ')}>
            {t('Navigate')}
          </ActLink>
        )
      }
    >
      {found === 'denied' && (
        <Say how="note" head={t('Your own place is not known')}>
          <span>{t('The browser may not use it, or there is no signal of satellites here.')}</span>
        </Say>
      )}
      {jobs.length === 0 && (
        <div className="empty">
          <h2 className="xl">{t('Nothing for today')}</h2>
        </div>
      )}
      {pins.length > 0 && (
        <GroundPicture
          pins={pins}
          {...(next && { chosen: next.id })}
          here={here}
          isMiles={isMiles}
          label={t('The places of today, north is up. The list below says the same.')}
        />
      )}
      {pins.length > 0 && (
        <div className="ends">
          <button type="button" className="btn block" onClick={look}>
            <Icon name="locate" />
            <span>{t('How far from here')}</span>
          </button>
        </div>
      )}
      <ol className="list rows maplist">
        {jobs.map((job) => (
          <Line key={job.id} job={job} far={far(job)} />
        ))}
      </ol>
    </Screen>
  )
}

function Line({ job, far }: { job: Job; far: string | null }) {
  const { time } = useFormats()
  const state = stateOf(job)
  const way = wayTo(job)
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
