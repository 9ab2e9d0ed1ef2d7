import { t } from '../../ui/words.ts'
import type { Reason } from './verdict.ts'

type Params = NonNullable<Reason['params']>

/** What a screen knows beside a reason. */
export interface Surroundings {
  now: number
  /** An instant as it is said here. */
  moment(instant: string): string
  /** The tag that a reason is about. */
  tagOf(params: Params): string
  /** Whom a job is for; null for one that is not known here. */
  customerOf(job: number): string | null
}

/** A reason of the guard in a few words, for the row of who it is about. What is not known here is said as the server says it. */
export function reasonText(
  { code, params = {}, message = '' }: Omit<Reason, 'message'> & { message?: string },
  { now, moment, tagOf, customerOf }: Surroundings,
): string {
  const text = (name: string) => String(params[name] ?? '')
  const at = (name: string) => moment(text(name))
  const tag = tagOf(params)
  const customer = customerOf(Number(params.job_id))
  switch (code) {
    case 'worker_busy':
      return customer
        ? t('Busy till {time} with {customer}', { time: at('to'), customer })
        : t('Busy till {time}', { time: at('to') })
    case 'equipment_busy':
      return t('Its equipment is in use till {time}', { time: at('to') })
    case 'tag_missing':
      return t('Lacks {tag}', { tag })
    case 'tag_expired':
      return Date.parse(text('expires_at')) <= now
        ? t('{tag} has ended, {time}', { tag, time: at('expires_at') })
        : t('{tag} ends {time}', { tag, time: at('expires_at') })
    case 'equipment_tag_missing':
      return t('Lacks {tag} for {equipment}', { tag, equipment: text('equipment') })
    case 'absent':
      return t('Away till {time}', { time: at('to') })
    case 'outside_working_hours':
      return t('Outside of their working hours')
    case 'too_far':
      return params.missing_minutes
        ? t('The way takes {minutes} min longer than there is', { minutes: text('missing_minutes') })
        : t('The way takes {minutes} min, there are {gap}', { minutes: text('minutes'), gap: text('gap_minutes') })
    case 'outside_time_window':
      return t('Outside of the job’s time window')
    case 'outside_groups':
      return t('In none of the job’s teams')
    case 'off_shift':
      return t('Off shift')
    default:
      return message
  }
}
