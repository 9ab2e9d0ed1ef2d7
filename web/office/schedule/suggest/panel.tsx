import './suggest.css'
import { type FormEvent, useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Verdict, VerdictMark } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { useDesk, useLooking } from '../desk.ts'
import { reasonText } from '../reasons.ts'
import { dayOf } from '../time/zone.ts'
import { dayText, rangeText, titleOf } from '../words.ts'
import { type Suggested, targetAt } from './suggest.ts'
import { type Place, type Suggestion, whyText } from './suggestions.ts'

/** So many places of a job are offered. */
const offered = 5

/** What is suggested, and why: Enter takes it, the arrows choose another place, Escape puts it away. */
export function SuggestPanel() {
  const shown = useObservable(useDesk().suggest.shown)
  return shown && <Panel key={shown.suggestions.map(({ job }) => job.id).join()} {...shown} />
}

function Panel({ suggestions, chosen }: Suggested) {
  const { suggest } = useDesk()
  const form = useRef<HTMLFormElement>(null)
  const before = useRef(document.activeElement)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:checked, button')?.focus()
    const back = before.current
    return () => {
      if (back instanceof HTMLElement) back.focus()
    }
  }, [])
  const take = (event: FormEvent) => {
    event.preventDefault()
    void suggest.take()
  }
  const [only] = suggestions
  const isOne = suggestions.length === 1
  return (
    <section
      className="suggest"
      role="dialog"
      aria-label={isOne && only ? t('Places for {customer}', { customer: titleOf(only.job) }) : t('Suggested places')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') suggest.putAway()
      }}
    >
      <form ref={form} onSubmit={take}>
        <h2 className="h2 clip">
          {isOne && only
            ? t('Where {customer} would go best', { customer: titleOf(only.job) })
            : t('{found} of {all} jobs have a place', { found: chosen.size, all: suggestions.length })}
        </h2>
        <div className="scroll">
          {isOne && only ? (
            <Places suggestion={only} chosen={chosen.get(only.job.id)} />
          ) : (
            suggestions.map((suggestion) => (
              <OneOfMany key={suggestion.job.id} suggestion={suggestion} chosen={chosen.get(suggestion.job.id)} />
            ))
          )}
        </div>
        <div className="line">
          <Button
            kind="primary"
            type="submit"
            shortcut="↵"
            unless={chosen.size === 0 && t('There is no place to take')}
          >
            {isOne
              ? t('Take this place')
              : t('{count, plural, one {Plan # job} other {Plan # jobs}}', { count: chosen.size })}
          </Button>
          <Button shortcut="Esc" onClick={() => suggest.putAway()}>
            {t('Cancel')}
          </Button>
        </div>
      </form>
    </section>
  )
}

/** The best places of one job. */
function Places({ suggestion, chosen }: { suggestion: Suggestion; chosen: Place | undefined }) {
  const { suggest } = useDesk()
  const { job, places } = suggestion
  if (places.length === 0) return <NoPlace suggestion={suggestion} />
  return places.slice(0, offered).map((place) => (
    <label key={place.worker_id} className="offer">
      <input type="radio" name="place" checked={place === chosen} onChange={() => suggest.choose(job.id, place)} />
      <Words place={place} suggestion={suggestion} />
    </label>
  ))
}

/** The best place of one job among others: taken with them, or left out. */
function OneOfMany({ suggestion, chosen }: { suggestion: Suggestion; chosen: Place | undefined }) {
  const { suggest } = useDesk()
  const { job, places } = suggestion
  const [best] = places
  if (!best) return <NoPlace suggestion={suggestion} />
  return (
    <label className="offer">
      <input
        type="checkbox"
        checked={chosen !== undefined}
        onChange={({ target }) => suggest.choose(job.id, target.checked ? best : null)}
      />
      <Words place={best} suggestion={suggestion} isNamed />
    </label>
  )
}

function Words({ place, suggestion: { job }, isNamed = false }: WordsProps) {
  const desk = useDesk()
  const { scale } = useLooking()
  const { from, to } = targetAt(job, place)
  const isSeveralDays = scale.spans.length > 1
  const day = dayText(dayOf(from, desk.zone), desk.locale, { weekday: 'short', day: 'numeric', month: 'short' })
  return (
    <>
      <VerdictMark kind={place.reasons.length > 0 ? 'warn' : 'yes'} />
      <span>
        <b dir="auto">
          {isNamed ? t('{customer}: {what}', { customer: titleOf(job), what: place.worker_name }) : place.worker_name}
        </b>{' '}
        <span>
          {isSeveralDays && `${day}, `}
          {rangeText(from, to, desk.zone)}
        </span>
        <span className="sm two-ink">{whyText(place, desk)}</span>
      </span>
    </>
  )
}
interface WordsProps {
  place: Place
  suggestion: Suggestion
  /** The job is named, since there are others. */
  isNamed?: boolean
}

function NoPlace({ suggestion: { job, others } }: { suggestion: Suggestion }) {
  const desk = useDesk()
  const [nearest] = others
  return (
    <Verdict kind="no" title={t('{customer} has no place in these days', { customer: titleOf(job) })}>
      {nearest?.reasons
        .filter(({ blocks }) => blocks)
        .map((reason) => t('{worker}: {why}', { worker: nearest.worker_name, why: reasonText(reason, desk) }))
        .join(' · ')}
    </Verdict>
  )
}
