import { Icon } from '../../../ui/icon.tsx'
import { useObservable } from '../../observable.ts'
import type { Layout } from '../board/layout.ts'
import { useDesk, useLooking } from '../desk.ts'
import { rangeText, titleOf } from '../words.ts'
import { targetAt } from './suggest.ts'
import { whyText } from './suggestions.ts'

/** Where the jobs would be if what is suggested were taken. */
export function SuggestedGhosts({ layout }: { layout: Layout }) {
  const desk = useDesk()
  const { scale } = useLooking()
  const shown = useObservable(desk.suggest.shown)
  return shown?.suggestions.map(({ job }) => {
    const place = shown.chosen.get(job.id)
    const row = place && layout.placed.find((one) => one.row.kind === 'worker' && one.row.worker.id === place.worker_id)
    if (!place || !row) return null
    const { from, to } = targetAt(job, place)
    const [x, end] = [Math.max(0, scale.x(from)), Math.min(scale.width, scale.x(to))]
    if (end <= x) return null
    const kind = place.reasons.length > 0 ? 'warning' : 'ok'
    const style = {
      '--tv': `var(--${kind}-fill)`,
      '--to': `var(--${kind}-on)`,
      insetInlineStart: `calc(var(--who) + ${x}px)`,
      width: Math.max(4, end - x - 2),
      top: row.top + 3,
      height: row.height - 6,
    }
    return (
      <span key={job.id} className="ghost suggested" data-suggested={job.id} style={style} title={whyText(place, desk)}>
        <span className="t">
          <Icon name="route" />
          {rangeText(from, to, desk.zone)}
        </span>
        <span className="c clip" dir="auto">
          {titleOf(job)}
        </span>
      </span>
    )
  })
}
