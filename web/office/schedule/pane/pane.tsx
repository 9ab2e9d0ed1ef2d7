import { useEffect } from 'react'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { isOver, isWhole, type Job, type WholeJob } from '../board/plan.ts'
import { useDesk, useJob, useLooking } from '../desk.ts'
import { titleOf } from '../words.ts'
import { Contact } from './contact.tsx'
import { Fields } from './fields.tsx'
import { Head } from './head.tsx'
import { History } from './history.tsx'
import { InPlace } from './in-place.tsx'
import { Matter } from './matter.tsx'
import { Messages, Write } from './messages.tsx'
import { Steps } from './steps.tsx'
import { Candidates, WhoCan } from './who-can.tsx'

/** Details of one job: the one that is open, or the one in the hand. */
export function Pane({ onClose }: { onClose: () => void }) {
  const desk = useDesk()
  const { view } = useLooking()
  const lifted = useObservable(desk.lift.lifted)
  // A pane that opened while a card is in the hand would push the rack away under it.
  const job = useJob(view.job === null ? null : (lifted?.job.id ?? view.job))
  if (!job) return null
  return (
    <aside className="details" aria-label={t('Job')}>
      <Head job={job} onClose={onClose} />
      <div className="scroll">{lifted ? <Candidates job={job} /> : <Details key={job.id} job={job} />}</div>
      {lifted ? (
        <div className="bar foot dim sm">{t('Esc puts the card back. Arrow keys move it.')}</div>
      ) : (
        <Write key={job.id} job={job} />
      )}
    </aside>
  )
}

function Details({ job }: { job: Job }) {
  const desk = useDesk()
  const { id } = job
  const isKnown = isWhole(job)
  useEffect(() => {
    // Without an answer the head stays, and the next change brings the rest.
    if (!isKnown) desk.board.whole(id).catch(() => {})
  }, [desk, id, isKnown])
  if (!isKnown) return null
  return (
    <>
      <Matter job={job} />
      {!isOver(job) && job.progress_state === 'not_started' && desk.mayPlan && <WhoCan job={job} />}
      <Steps job={job} />
      <Fields job={job} />
      <Contact job={job} />
      <Messages job={job} />
      <Notes job={job} />
      <History job={job} />
    </>
  )
}

function Notes({ job }: { job: WholeJob }) {
  const { acts, mayPlan } = useDesk()
  if (!mayPlan && !job.notes) return null
  const save = (notes: string) =>
    void acts.change(t('Notes of {customer}', { customer: titleOf(job) }), [{ job, changes: { notes: notes || null } }])
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Notes')}</h3>
      </div>
      {mayPlan ? (
        <InPlace label={t('Notes')} value={job.notes ?? ''} placeholder={t('What to know')} onSave={save} long />
      ) : (
        <p className="notes">{job.notes}</p>
      )}
    </section>
  )
}
