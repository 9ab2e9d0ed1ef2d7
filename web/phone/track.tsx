import { useEffect, useState } from 'react'
import type { Point } from '../client/phone/point.ts'
import { stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { useDistance } from './distance.ts'
import { GroundPicture } from './ground.tsx'
import { kilometresBetween, pointOf } from './navigate.ts'
import { Card } from './parts.tsx'
import { Screen } from './screen.tsx'
import { apiOfPerson, currentPhone, type Job, rowsOf, useFormats, useShown } from './store.ts'
import { Unasked } from './unasked.tsx'
import { lengthOf, type Noted, type Place, staysOf } from './way.ts'

const NEAR_KM = 0.3

/** Where this phone was on shift in the last day, and who in the office looked. */
export function TrackPage() {
  const shown = useShown()
  const { date, time, duration } = useFormats()
  const { distance, isMiles } = useDistance()
  const way = useWay()
  const jobs = rowsOf(shown, 'job').filter(
    ({ completed_at: at, planned_start_at: planned }) => date(at ?? planned ?? '1970-01-01') === date(now()),
  )
  const pins = jobs.flatMap((job) => {
    const place = pointOf(job)
    return place
      ? [{ id: job.id, state: stateOf(job), words: time(job.planned_start_at ?? job.completed_at ?? now()), place }]
      : []
  })
  const stays = staysOf(way)
  return (
    <Screen page title={t('My track')}>
      {way.length > 0 && (
        <GroundPicture
          pins={pins}
          way={way}
          here={way.at(-1) ?? null}
          isMiles={isMiles}
          label={t('Where this phone was, north is up. The list below says where it stayed.')}
        />
      )}
      <Card
        kind="sec"
        flush
        head={
          <>
            <h2>{t('The last 24 hours')}</h2>
            <span className="end">{distance(lengthOf(way))}</span>
          </>
        }
      >
        {way.length === 0 && <p className="two-ink pad">{t('Nothing was noted.')}</p>}
        <ol className="rows">
          {stays.map(({ fromMs, toMs, place }) => (
            <li key={fromMs}>
              <span className="t">{time(new Date(fromMs).toISOString())}</span>
              <span className="w">
                {t('{duration} at {place}', {
                  duration: duration((toMs - fromMs) / 1000),
                  place: nameOf(jobs, place) ?? `${place.lat.toFixed(4)}, ${place.lng.toFixed(4)}`,
                })}
              </span>
            </li>
          ))}
        </ol>
      </Card>
      <Looks />
      <p className="two-ink pad">
        {t(
          'Your place is noted only on shift and while the app is open. The office keeps it for a while, this phone for a day.',
        )}
      </p>
    </Screen>
  )
}

const now = () => new Date().toISOString()

const nameOf = (jobs: readonly Job[], place: Place): string | null =>
  jobs.find((job) => {
    const point = pointOf(job)
    return point && kilometresBetween(point, place) < NEAR_KM
  })?.customer_name ?? null

export function useWay(): Noted[] {
  const shown = useShown()
  const [way, setWay] = useState<Noted[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever has changed is shown anew
  useEffect(() => {
    void currentPhone()
      .track.ofLastDay()
      .then((points) => setWay(points.map(notedOf)))
  }, [shown])
  return way
}

const notedOf = ({ lat, lng, recorded_at }: Point): Noted => ({
  lat: Number(lat),
  lng: Number(lng),
  ms: Date.parse(recorded_at),
})

interface Look {
  at: string
  name: string
}

function Looks() {
  const { dateTime } = useFormats()
  const [looks, setLooks] = useState<Look[] | 'unasked' | null>(null)
  useEffect(() => {
    apiOfPerson()
      .then((api) => api.request<{ looks: Look[] }>('GET', 'telemetry/looks'))
      .then(
        ({ body }) => setLooks(body.looks),
        () => setLooks('unasked'),
      )
  }, [])
  return (
    <Card kind="sec" flush head={<h2>{t('Who looked at it')}</h2>}>
      {looks === 'unasked' && <Unasked />}
      {looks?.length === 0 && <p className="two-ink pad">{t('Nobody in the last days.')}</p>}
      {Array.isArray(looks) && (
        <ol className="rows">
          {looks.map(({ at, name }) => (
            <li key={`${at} ${name}`}>
              <span className="t">{dateTime(at)}</span>
              <span className="w">{name}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
