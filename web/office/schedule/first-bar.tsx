import { lazy, Suspense } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon, Keys } from '../../ui/icon.tsx'
import { caps, together } from '../../ui/keys.ts'
import { t } from '../../ui/words.ts'
import { Faces } from '../faces.tsx'
import { useObservable } from '../observable.ts'
import { over } from '../over.ts'
import { useOthers } from '../presence.ts'
import { useSession } from '../session.ts'
import { draftsOf } from './board/drafts.ts'
import { useDesk, useLooking } from './desk.ts'
import { addDays, dayOf, mondayOf } from './time/zone.ts'
import { useAllJobs, useConnection } from './use-board.ts'
import { daysOf, type Zoom, zoomStepOf, zoomSteps } from './view.ts'
import { daysText, dayText } from './words.ts'

const Publish = lazy(() => import('./publish/publish.tsx'))

/** Which days, how near, undo, and publish. */
export function FirstBar() {
  const desk = useDesk()
  const { view, look } = useLooking()
  const { day, zoom } = view
  const days = daysOf[zoom]
  const first = days > 3 ? mondayOf(day) : day
  const title = days === 1 ? dayText(day, desk.locale) : daysText(first, addDays(first, days - 1), desk.locale)
  const today = dayOf(desk.now.get(), desk.zone)
  const at = zoomStepOf(view)
  const zoomTo = (step: (typeof zoomSteps)[number] | undefined) => step && look(step)
  return (
    <header className="bar">
      <Button
        kind="quiet"
        icon="left"
        aria-label={days === 1 ? t('Day before') : t('Earlier')}
        onClick={() => look({ day: addDays(first, -days) })}
      />
      <Button
        kind="quiet"
        icon="right"
        className="beside"
        aria-label={days === 1 ? t('Day after') : t('Later')}
        onClick={() => look({ day: addDays(first, days) })}
      />
      <h1 className="title">{title}</h1>
      <Button small onClick={() => look({ day: today })}>
        {t('Today')}
      </Button>
      <fieldset className="seg" aria-label={t('Range')}>
        {ranges().map(([id, label]) => (
          <button key={id} type="button" aria-pressed={zoom === id} onClick={() => look({ zoom: id })}>
            {label}
          </button>
        ))}
      </fieldset>
      <fieldset className="zoom" aria-label={t('Zoom')}>
        <Button
          kind="quiet"
          small
          icon="minus"
          aria-label={t('Smaller')}
          unless={at <= 0 && t('This is the smallest')}
          onClick={() => zoomTo(zoomSteps[at - 1])}
        />
        <input
          type="range"
          className="track"
          min={0}
          max={zoomSteps.length - 1}
          value={at}
          aria-label={t('Zoom')}
          aria-valuetext={stepText(zoomSteps[at])}
          onChange={(event) => zoomTo(zoomSteps[Number(event.target.value)])}
        />
        <Button
          kind="quiet"
          small
          icon="plus"
          aria-label={t('Larger')}
          unless={at >= zoomSteps.length - 1 && t('This is the largest')}
          onClick={() => zoomTo(zoomSteps[at + 1])}
        />
      </fieldset>
      <span className="push" />
      <button type="button" className="input find" onClick={() => over.set('palette')}>
        <Icon name="search" />
        <span className="ph push">{t('Find or do anything')}</span>
        <Keys>{together(caps.mod, 'K')}</Keys>
      </button>
      <HereNow />
      <Undo />
      <PublishButton />
    </header>
  )
}

const ranges = (): [Zoom, string][] => [
  ['day', t('Day')],
  ['three', t('3 days')],
  ['week', t('Week')],
]

const stepText = (step: (typeof zoomSteps)[number] | undefined) =>
  step?.zoom === 'day'
    ? t('A day, {hour} pixels an hour', { hour: step.hour })
    : t('{count} days', { count: daysOf[step?.zoom ?? 'day'] })

/** Who else looks at a board right now. */
function HereNow() {
  const others = useOthers(({ board }) => board !== null, useSession().user_id)
  if (others.length === 0) return null
  return (
    <>
      <span className="sep" />
      <Faces of={others} />
      <span className="sep" />
    </>
  )
}

function Undo() {
  const desk = useDesk()
  const { done, undone } = useObservable(desk.acts.deeds.stacks)
  const [last, next] = [done.at(-1), undone.at(-1)]
  if (!desk.mayPlan) return null
  return (
    <>
      <Button
        kind="quiet"
        icon="undo"
        aria-label={last ? t('Undo: {deed}', { deed: last.says }) : t('Nothing to undo')}
        unless={!last && t('Nothing to undo')}
        onClick={() => void desk.acts.undo()}
      />
      <Button
        kind="quiet"
        icon="redo"
        className="beside"
        aria-label={next ? t('Redo: {deed}', { deed: next.says }) : t('Nothing to redo')}
        unless={!next && t('Nothing to redo')}
        onClick={() => void desk.acts.redo()}
      />
    </>
  )
}

function PublishButton() {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const isOpen = useObservable(desk.acts.isPublishing)
  const { from, to } = scale
  const count = useAllJobs(() => draftsOf(desk.board, view, from, to).length, view, from, to)
  const connection = useConnection()
  if (!desk.mayPlan || view.at !== null) return null
  const unless =
    connection !== 'open'
      ? t('Nobody can be told while the connection is lost')
      : count === 0 && t('Everybody has been told')
  return (
    <>
      <Button kind="primary" icon="send" unless={unless} onClick={() => desk.acts.isPublishing.set(true)}>
        {t('{count, plural, =0 {Publish} one {Publish # change} other {Publish # changes}}', { count })}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Publish onClose={() => desk.acts.isPublishing.set(false)} />
        </Suspense>
      )}
    </>
  )
}
