import { isOver, type Job, planOf, travelBetween } from '../board/plan.ts'
import { useLooking } from '../desk.ts'
import { durationText } from '../words.ts'

/** The ways between the jobs of a worker: dotted, with their minutes; solid and red where the gap is shorter than the way. */
export function Gaps({ jobs, lanes }: { jobs: readonly Job[]; lanes: readonly number[] }) {
  const { scale } = useLooking()
  const first = jobs.filter(
    (job, i) =>
      lanes[i] === 0 && planOf(job) && job.confirmation !== 'declined' && (!isOver(job) || job.canceled_at === null),
  )
  return first.map((job, i) => {
    const before = first[i - 1]
    const [plan, earlier] = [planOf(job), before && planOf(before)]
    const way = before && travelBetween(before, job)
    if (!plan || !earlier || way === null || way === undefined || plan.from - earlier.to < 360_000) return null
    const [x, end] = [scale.x(earlier.to), scale.x(plan.from)]
    const isShort = way > plan.from - earlier.to
    const words = durationText(way)
    return (
      <span
        key={job.id}
        className={isShort ? 'gap short' : 'gap'}
        style={{ insetInlineStart: x, width: end - x - 2 }}
        data-way={end - x < 20 ? undefined : end - x > 44 ? words : Math.round(way / 60_000)}
      />
    )
  })
}
