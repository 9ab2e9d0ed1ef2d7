import { t } from '../ui/words.ts'
import { type Job, useFormats } from './store.ts'

/** `08:15–11:15`, with its day where that is another. */
export function useSpan({ planned_start_at, planned_duration }: Job): string {
  const { time, date } = useFormats()
  if (!planned_start_at) return t('No time yet')
  const end = new Date(Date.parse(planned_start_at) + (planned_duration ?? 0) * 1000).toISOString()
  const span = `${time(planned_start_at)}–${time(end)}`
  return date(planned_start_at) === date(new Date().toISOString()) ? span : `${date(planned_start_at)}, ${span}`
}
