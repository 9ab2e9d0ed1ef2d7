import './past.css'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import type { Desk, Looking } from '../desk.ts'
import { addDays, clockOf, dayOf, instantAt } from '../time/zone.ts'
import { dayText, timeText } from '../words.ts'
import type { Past } from './past.ts'

const minuteMs = 60_000

/** Which instant the board is shown as of: a day and a place in it, by minutes or by what happened. */
export function TimeSlider({ desk, looking: { view, look }, past }: { desk: Desk; looking: Looking; past: Past }) {
  const now = useObservable(desk.now)
  const { at } = view
  if (at === null) return null
  const day = dayOf(at, desk.zone)
  const [from, to] = [instantAt(day, 0, desk.zone), Math.min(instantAt(addDays(day, 1), 0, desk.zone), now)]
  const go = (instant: number) => look({ at: Math.max(0, Math.min(instant, now)) })
  const changes = past.changesBetween(from, to)
  const before = changes.findLast((one) => one < at)
  const after = changes.find((one) => one >= at)
  const said = `${dayText(day, desk.locale, { weekday: 'short', day: 'numeric', month: 'short' })}, ${timeText(at, desk.zone)}`
  return (
    <section className="banner past" aria-label={t('As it was')}>
      <Icon name="history" />
      <b className="as-of">{t('As it was on {time}', { time: said })}</b>
      <input
        type="date"
        className="input"
        aria-label={t('Day')}
        value={day}
        max={dayOf(now, desk.zone)}
        onChange={({ target: { value } }) => value && go(instantAt(value, clockOf(at, desk.zone), desk.zone))}
      />
      <Button
        kind="quiet"
        small
        icon="left"
        aria-label={t('Before the change before')}
        unless={before === undefined && t('Nothing happened before it that day')}
        onClick={() => before !== undefined && go(before)}
      />
      <input
        type="range"
        className="push"
        aria-label={t('Time')}
        aria-valuetext={said}
        min={0}
        max={Math.max(0, Math.ceil((to - from) / minuteMs))}
        value={Math.floor((at - from) / minuteMs)}
        onChange={({ target }) => go(from + Number(target.value) * minuteMs)}
      />
      <Button
        kind="quiet"
        small
        icon="right"
        aria-label={t('After the next change')}
        unless={after === undefined && t('Nothing happened after it that day')}
        onClick={() => after !== undefined && go(after + 1000)}
      />
      <Button small onClick={() => look({ at: null })}>
        {t('Back to now')}
      </Button>
    </section>
  )
}
