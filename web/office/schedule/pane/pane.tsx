import { useEffect } from 'react'
import { t } from '../../../ui/words.ts'
import { CandidateList, Candidates } from '../../job/candidates.tsx'
import { Conflicts } from '../../job/conflicts.tsx'
import { Fields } from '../../job/fields.tsx'
import { History } from '../../job/history.tsx'
import { OpenJobContext } from '../../job/open-job.ts'
import { Notes, Place } from '../../job/place.tsx'
import { Steps } from '../../job/steps.tsx'
import { useObservable } from '../../observable.ts'
import { isWhole, type Job, type WholeJob } from '../board/plan.ts'
import { useDesk, useJob, useLooking } from '../desk.ts'
import { Elsewhere } from './elsewhere.tsx'
import { Head } from './head.tsx'
import { Matter } from './matter.tsx'
import { Messages, WriteToWorker } from './messages.tsx'
import { useBoardJob } from './use-open-job.ts'

/** Details of the job that is open, or of the one in the hand: what is typed about the first stays meanwhile. */
export function Pane({ isLoaded, onClose }: { isLoaded: boolean; onClose: () => void }) {
  const { view } = useLooking()
  const lifted = useObservable(useDesk().lift.lifted)
  const open = useWholeJob(view.job)
  // A pane that opened while a card is in the hand would push the rack away under it.
  const held = useWholeJob((view.job !== null && lifted?.job.id) || null)
  if (!open && !held)
    return isLoaded && view.job !== null && lifted === null ? <Elsewhere id={view.job} onClose={onClose} /> : null
  return (
    <>
      {open && (
        <aside className="details" aria-label={t('Job')} hidden={held !== undefined}>
          {isWhole(open) ? <Whole key={open.id} job={open} onClose={onClose} /> : <Head job={open} onClose={onClose} />}
        </aside>
      )}
      {held && (
        <aside className="details" aria-label={t('Job')}>
          {isWhole(held) ? <InHand job={held} onClose={onClose} /> : <Head job={held} onClose={onClose} />}
        </aside>
      )}
    </>
  )
}

/** A job, of which the rest is asked for where only its card is known. */
function useWholeJob(id: number | null): Job | undefined {
  const desk = useDesk()
  const job = useJob(id)
  const isCard = job !== undefined && !isWhole(job)
  useEffect(() => {
    // Without an answer the head stays, and the next change brings the rest.
    if (id !== null && isCard && !desk.isPast) desk.board.whole(id).catch(() => {})
  }, [desk, id, isCard])
  return job
}

interface WholeProps {
  job: WholeJob
  onClose: () => void
}

const Whole = ({ job, onClose }: WholeProps) => (
  <OpenJobContext value={useBoardJob(job)}>
    <Head job={job} onClose={onClose} />
    <div className="scroll">
      <Details job={job} />
    </div>
    <WriteToWorker job={job} />
  </OpenJobContext>
)

const InHand = ({ job, onClose }: WholeProps) => (
  <OpenJobContext value={useBoardJob(job)}>
    <Head job={job} onClose={onClose} />
    <div className="scroll">
      <CandidatesInHand />
    </div>
    <div className="bar foot dim sm">{t('Esc puts the card back. Arrow keys move it.')}</div>
  </OpenJobContext>
)

const Details = ({ job }: { job: WholeJob }) => (
  <>
    <Conflicts />
    <Matter job={job} />
    <Candidates />
    <Steps />
    <Fields />
    <Place />
    <Messages job={job} />
    <Notes />
    <History />
  </>
)

/** Who can take what is in the hand, at the time that it is held over. */
function CandidatesInHand() {
  const candidates = useObservable(useDesk().lift.candidates)
  return candidates && <CandidateList candidates={candidates} />
}
