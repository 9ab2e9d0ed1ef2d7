import { useMemo, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Face, Verdict } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { cardsOf } from './board/card.ts'
import { draftsOf, isMoved } from './board/drafts.ts'
import { type Job, type Plan, planOf } from './board/plan.ts'
import { type Desk, useDesk, useLooking } from './desk.ts'
import { dayOf } from './time/zone.ts'
import { dayText, kindOf, markText, rangeText, titleOf } from './words.ts'

/** Who will be told what. Each can be held back; the rest goes out in one deed. */
export default function Publish({ onClose }: { onClose: () => void }) {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const { jobs } = desk.board
  const version = useSyncExternalStore(
    (listener) => jobs.onAny(listener),
    () => jobs.version,
  )
  const [held, setHeld] = useState<ReadonlySet<number>>(new Set())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the jobs
  const drafts = useMemo(() => draftsOf(desk.board, view, scale.from, scale.to), [version, scale, view])
  const going = drafts.filter(({ id }) => !held.has(id))
  const people = byWorker(drafts, desk.compare)
  const told = new Set(going.map(({ worker_id }) => worker_id)).size
  const hold = (ids: readonly number[], isHeld: boolean) =>
    setHeld((now) => (isHeld ? now.union(new Set(ids)) : now.difference(new Set(ids))))
  const publish = () => {
    onClose()
    void desk.acts.publish(going)
  }
  return (
    <Dialog
      open
      as="sheet"
      onClose={onClose}
      title={t('{count, plural, one {Publish # change} other {Publish # changes}}', { count: drafts.length })}
      foot={
        <>
          <span className="push dim sm">{t('One deed: it can be undone, but what was told stays told.')}</span>
          <Button onClick={onClose}>{t('Keep as drafts')}</Button>
          <Button
            kind="primary"
            icon="send"
            unless={going.length === 0 && t('All of them are held back')}
            onClick={publish}
          >
            {t('Publish {jobs}, tell {people, plural, one {# person} other {# people}}', {
              jobs: going.length,
              people: told,
            })}
          </Button>
        </>
      }
    >
      <p className="two-ink">
        {t(
          '{going, plural, one {# goes out} other {# go out}}, to {people, plural, one {# person} other {# people}}. {held, plural, =0 {None is held back.} one {# is held back.} other {# are held back.}} Nobody has been told anything yet.',
          {
            going: going.length,
            people: told,
            held: drafts.length - going.length,
          },
        )}
      </p>
      <ul className="told">
        {people.map(([name, own]) => (
          <li key={own[0]?.worker_id}>
            <Face name={name} />
            <div className="push">
              <b>{name}</b>
              {own.map((job) => (
                <One key={job.id} job={job} isHeld={held.has(job.id)} onHold={(isHeld) => hold([job.id], isHeld)} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function One({ job, isHeld, onHold }: { job: Job; isHeld: boolean; onHold: (isHeld: boolean) => void }) {
  const desk = useDesk()
  const now = useObservable(desk.now)
  const plan = planOf(job)
  const told = isMoved(job) ? toldPlanOf(job) : null
  const mark = cardsOf(desk.board.jobs.where('row', job.worker_id), now).find((card) => card.job.id === job.id)?.mark
  return (
    <>
      <label className="line told-job">
        <input type="checkbox" className="tick" checked={!isHeld} onChange={(event) => onHold(!event.target.checked)} />
        <span className="clip">
          <b>{titleOf(job)}</b> {kindOf(job)}
        </span>
        <span className="push" />
        {told && <s className="dim">{timeOfPlan(told, desk)}</s>}
        {plan && <b className="when-told">{timeOfPlan(plan, desk)}</b>}
      </label>
      {mark && <Verdict kind={mark.kind === 'late' ? 'no' : 'warn'} title={markText(mark)} />}
    </>
  )
}

const short: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }

const timeOfPlan = ({ from, to }: Plan, { zone, locale }: Desk) =>
  `${dayText(dayOf(from, zone), locale, short)}, ${rangeText(from, to, zone)}`

/** What the worker was told last. */
function toldPlanOf({ published_plan: told }: Job): Plan | null {
  if (!told?.planned_start_at) return null
  const from = Date.parse(told.planned_start_at)
  return { from, to: from + (told.planned_duration ?? 3600) * 1000 }
}

function byWorker(jobs: readonly Job[], compare: (a: string, b: string) => number): [string, Job[]][] {
  const own = Map.groupBy(jobs, (job) => job.worker_name ?? '')
  return [...own].toSorted(([a], [b]) => compare(a, b))
}
