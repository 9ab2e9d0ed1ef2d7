import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Shown } from '../../../../src/fields/index.ts'
import { recurrence } from '../../../../src/records/recurrence.ts'
import { ApiError } from '../../../client/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Verdict } from '../../../ui/marks.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import { undo } from '../../../ui/records/undo.ts'
import { toast } from '../../../ui/toast.tsx'
import { msg, t } from '../../../ui/words.ts'
import { ruleText } from './rule-text.ts'

type Recurrence = Shown<typeof recurrence>

const whys = { skipped: msg('Skipped'), changed: msg('Changed'), holiday: msg('Holiday') }

/** When it comes, and the dates that do: one is skipped, or brought back, by itself. */
export function Dates({ of }: { of: Recurrence }) {
  const { id, rule, planned_duration, next_dates: dates, problem, made_through } = of
  const { client, locale, formats, mayChange } = useRecords()
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(recurrence.name) })
  const { mutate, error, isPending } = useMutation({
    // As they are now: each date is one of a list that is written as a whole.
    mutationFn: async ({ date, skip }: { date: string; skip: boolean }) => {
      const { row, etag } = await client.find(recurrence, id)
      const others = row.exceptions.filter((one) => one.date !== date)
      const exceptions = skip ? [...others, { date, skip }] : others
      return client.update(recurrence, id, { exceptions }, etag ? { ifMatch: etag } : {})
    },
    onSuccess: async ({ callId }, { date, skip }) => {
      await changed()
      toast({
        title: t(skip ? msg('{day} is skipped') : msg('{day} comes again'), { day: dayText(date) }),
        action: { label: t('Undo'), run: () => void undo(client, callId).then(changed) },
      })
    },
  })
  if (error && !(error instanceof ApiError)) throw error
  const day = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const dayText = (date: string) => day.format(new Date(date))
  return (
    <section className="form-fields" aria-label={t('The next dates')}>
      <h3 className="h3">{t('The next dates')}</h3>
      <p>
        {ruleText(rule, locale)}
        {planned_duration !== null && `, ${formats.duration(planned_duration)}`}
        <small className="two-ink mono" dir="ltr">
          {' '}
          {rule}
        </small>
      </p>
      {problem && (
        <Verdict kind="no" title={t('Its jobs can’t be made')}>
          {problem}
        </Verdict>
      )}
      {error && <Verdict kind="no">{error.message}</Verdict>}
      {dates.length === 0 && <p className="dim">{t('None: it has ended.')}</p>}
      <ul className="dates">
        {dates.map(({ date, planned_start_at: at, why }) =>
          date === null ? null : (
            <li key={date} className="line">
              <b className={why === 'skipped' ? 'struck push' : 'push'}>
                {dayText(date)}
                {at && <span className="two-ink"> {formats.time(at)}</span>}
              </b>
              <span className="dim sm">
                {why ? t(whys[why]) : made_through !== null && date <= made_through ? t('made') : ''}
              </span>
              {mayChange(recurrence) && (
                <Button small busy={isPending} onClick={() => mutate({ date, skip: why !== 'skipped' })}>
                  {why === 'skipped' ? t('Bring back') : t('Skip')}
                </Button>
              )}
            </li>
          ),
        )}
      </ul>
    </section>
  )
}
