import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { VerdictMark } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import type { Job } from '../board/plan.ts'
import type { Candidate } from '../board/verdict.ts'
import { candidatesFor } from '../candidates.ts'
import { useDesk } from '../desk.ts'
import { rowVerdictOf, targetOf } from '../drag/lift.ts'

/** Who can take it at its time, best first; one press gives it to them. */
export function WhoCan({ job }: { job: Job }) {
  const desk = useDesk()
  const { data } = useQuery({
    queryKey: ['candidates', job.id, job.revision],
    queryFn: ({ signal }) => candidatesFor(desk.board.live.client, job, targetOf(job, desk.now.get()), signal),
    // With each change it is asked anew; were the list gone meanwhile, what stands below would move under the pointer.
    placeholderData: keepPreviousData,
  })
  if (!data) return null
  return <CandidateList job={job} candidates={data} isChoice />
}

/** While it is in the hand: at the time that it is held over. */
export function Candidates({ job }: { job: Job }) {
  const candidates = useObservable(useDesk().lift.candidates)
  return candidates && <CandidateList job={job} candidates={candidates} />
}

/** So many are listed; of the others it is said how many there are. */
const listed = 8

function CandidateList({
  job,
  candidates,
  isChoice = false,
}: {
  job: Job
  candidates: readonly Candidate[]
  isChoice?: boolean
}) {
  const desk = useDesk()
  const can = candidates.filter(({ available }) => available).length
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Who can take it')}</h3>
        <span className="push" />
        <span className="dim plain">{t('{can} of {all}', { can, all: candidates.length })}</span>
      </div>
      {candidates.slice(0, listed).map((candidate) => {
        const verdict = rowVerdictOf(candidate, desk)
        const isTheirs = candidate.worker_id === job.worker_id
        return (
          <div className="line who-can" key={candidate.worker_id}>
            <VerdictMark kind={verdict.kind} />
            <span className="push">
              <b>{candidate.worker_name}</b>
              <br />
              <span className="sm two-ink" title={verdict.reasons[0]?.remedy}>
                {verdict.line}
              </span>
            </span>
            {isChoice && !isTheirs && candidate.available && (
              <Button
                small
                aria-label={t('Give it to {name}', { name: candidate.worker_name })}
                onClick={() => void desk.acts.give([job], candidate.worker_id)}
              >
                {t('Give')}
              </Button>
            )}
          </div>
        )
      })}
      {candidates.length > listed && (
        <div className="sm dim more">{t('{count} more', { count: candidates.length - listed })}</div>
      )}
    </section>
  )
}
