import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { useSession } from '../session.ts'
import { useDesk, useLooking } from './desk.ts'
import { dayOf } from './time/zone.ts'
import { daysText, dayText, timeText } from './words.ts'

/** On paper only: whose schedule it is, of which days, and as of when. */
export function PrintHead() {
  const desk = useDesk()
  const { scale } = useLooking()
  const { account } = useSession()
  const now = useObservable(desk.now)
  const [first, last] = [scale.spans[0]?.day ?? '', scale.spans.at(-1)?.day ?? '']
  const days = first === last ? dayText(first, desk.locale) : daysText(first, last, desk.locale)
  const printed = `${dayText(dayOf(now, desk.zone), desk.locale)}, ${timeText(now, desk.zone)}`
  return (
    <div className="print-head" aria-hidden="true">
      <span>{`${account.name}, ${days}`}</span>
      <span>{t('As of {time}', { time: printed })}</span>
    </div>
  )
}
