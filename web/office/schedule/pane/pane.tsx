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
import { isWhole, type WholeJob } from '../board/plan.ts'
import { useDesk, useJob, useLooking } from '../desk.ts'
import { Elsewhere } from './elsewhere.tsx'
import { Head } from './head.tsx'
import { Matter } from './matter.tsx'
import { Messages, WriteToWorker } from './messages.tsx'
import { useBoardJob } from './use-open-job.ts'

/** Details of one job: the one that is open, or the one in the hand. */
export function Pane({ isLoaded, onClose }: { isLoaded: boolean; onClose: () => void }) {
  const desk = useDesk()
  const { view } = useLooking()
  const lifted = useObservable(desk.lift.lifted)
  // A pane that opened while a card is in the hand would push the rack away under it.
  const job = useJob(view.job === null ? null : (lifted?.job.id ?? view.job))
  const id = job?.id
  const isKnown = job !== undefined && isWhole(job)
  useEffect(() => {
    // Without an answer the head stays, and the next change brings the rest.
    if (id !== undefined && !isKnown && !desk.isPast) desk.board.whole(id).catch(() => {})
  }, [desk, id, isKnown])
  if (!job)
    return isLoaded && view.job !== null && lifted === null ? <Elsewhere id={view.job} onClose={onClose} /> : null
  return (
    <aside className="details" aria-label={t('Job')}>
      {isWhole(job) ? <Whole key={id} job={job} onClose={onClose} /> : <Head job={job} onClose={onClose} />}
    </aside>
  )
}

function Whole({ job, onClose }: { job: WholeJob; onClose: () => void }) {
  const { lift } = useDesk()
  const isLifted = useObservable(lift.lifted) !== null
  return (
    <OpenJobContext value={useBoardJob(job)}>
      <Head job={job} onClose={onClose} />
      <div className="scroll">{isLifted ? <CandidatesInHand /> : <Details job={job} />}</div>
      {isLifted ? (
        <div className="bar foot dim sm">{t('Esc puts the card back. Arrow keys move it.')}</div>
      ) : (
        <WriteToWorker job={job} />
      )}
    </OpenJobContext>
  )
}

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
