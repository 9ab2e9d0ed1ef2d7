import type { ReactNode } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../ui/words.ts'
import type { Job } from '../board/plan.ts'
import { type Desk, useDesk } from '../desk.ts'
import { dayOf } from '../time/zone.ts'
import { dayText, durationText, kindOf, rangeText, titleOf } from '../words.ts'
import type { ToldChange, ToldPlan } from './publication.ts'

interface Props {
  kind: ToldChange['kind']
  old: ToldPlan | null
  now: ToldPlan | null
  /** Which job. */
  children: ReactNode
}

/** What changes for a person: a plate with the word, the job, and old → new. */
export function Change({ kind, old, now, children }: Props) {
  const desk = useDesk()
  const [before, after] = [old && whenText(old, desk), now && whenText(now, desk)]
  return (
    <div className="change">
      <span className="act">{wordOf(kind, old, now)}</span>
      <div>
        <div className="line of">{children}</div>
        <div>
          {before && before !== after && (
            <>
              <s className="was">
                <span className="vh">{t('was')} </span>
                {before}
              </s>
              {after && <Icon name="arrow" size="s" />}
            </>
          )}
          {after && <b>{after}</b>}
        </div>
      </div>
    </div>
  )
}

/** A draft that has not been asked about. */
export const ChangeOf = ({ job }: { job: Job }) => (
  <Change kind={job.published_plan ? 'moved' : 'given'} old={job.published_plan} now={job}>
    <b>{titleOf(job)}</b> <span className="two-ink">{kindOf(job)}</span>
  </Change>
)

function wordOf(kind: Props['kind'], old: ToldPlan | null, now: ToldPlan | null): string {
  if (kind === 'taken_off') return t('Taken off')
  if (kind === 'canceled') return t('Cancelled')
  if (kind === 'given') return t('New')
  if (!old || !now || old.planned_start_at !== now.planned_start_at) return t('Moved')
  return (now.planned_duration ?? 0) > (old.planned_duration ?? 0) ? t('Longer') : t('Shorter')
}

const short: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }

function whenText({ planned_start_at, planned_duration }: ToldPlan, { zone, locale }: Desk): string {
  const ms = (planned_duration ?? 3600) * 1000
  if (!planned_start_at) return durationText(ms)
  const from = Date.parse(planned_start_at)
  return `${dayText(dayOf(from, zone), locale, short)}, ${rangeText(from, from + ms, zone)}`
}
