import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { isOver } from '../../ui/job-state.ts'
import { Face, VerdictMark } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { t } from '../../ui/words.ts'
import { useOpenJob } from './open-job.ts'
import { Section } from './section.tsx'
import type { Candidate } from './verdict.ts'

const shownFirst = 5

/** Who can take the job at its time, best first; one press gives it to them. */
export function Candidates() {
  const { job, mayChange } = useOpenJob()
  const { client } = useRecords()
  const isAsked = mayChange && !isOver(job) && job.progress_state === 'not_started' && !job.locked_at
  const { data = [] } = useQuery({
    queryKey: ['candidates', 'job', job.id],
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const path = `jobs/${job.id}/candidates`
      return (await client.request<{ candidates: Candidate[] }>('GET', path, { signal })).body.candidates
    },
  })
  return isAsked && data.length > 0 && <CandidateList candidates={data} isChoice />
}

/** Workers and what speaks against them, in the order that they come in. */
export function CandidateList({
  candidates,
  isChoice = false,
}: {
  candidates: readonly Candidate[]
  isChoice?: boolean
}) {
  const [all, setAll] = useState(false)
  const can = candidates.filter(({ available }) => available).length
  const shown = all ? candidates : candidates.slice(0, shownFirst)
  return (
    <Section
      title={t('Who can take it')}
      beside={t('{can} of {all}', { can, all: candidates.length })}
      end={
        candidates.length > shown.length && (
          <Button small kind="quiet" onClick={() => setAll(true)}>
            {t('Show all {count}', { count: candidates.length })}
          </Button>
        )
      }
    >
      <ul className="candidates">
        {shown.map((candidate) => (
          <One key={candidate.worker_id} candidate={candidate} isChoice={isChoice} />
        ))}
      </ul>
    </Section>
  )
}

function One({ candidate, isChoice }: { candidate: Candidate; isChoice: boolean }) {
  const { job, path, act, reasonText } = useOpenJob()
  const { formats } = useRecords()
  const { worker_id, worker_name: name, available, reasons, distance_km } = candidate
  const worst = reasons.find(({ blocks }) => blocks) ?? reasons[0]
  const why = worst && reasonText(worst)
  const isTheirs = worker_id === job.worker_id
  return (
    <li>
      <Face name={name} />
      <VerdictMark kind={available ? (worst ? 'warn' : 'yes') : 'no'} />
      <span>
        <b dir="auto">{name}</b>
        <span className="sm two-ink" title={worst?.remedy ?? undefined}>
          {[
            isTheirs && t('has it'),
            why ?? t('free'),
            distance_km !== null && t('{km} km away', { km: formats.number(distance_km) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {isChoice && available && !isTheirs && (
        <Button
          small
          aria-label={t('Give it to {name}', { name })}
          onClick={() =>
            void act({
              method: 'PATCH',
              path,
              body: { job: { worker_id }, base: { worker_id: job.worker_id } },
              says: t('Given to {name}', { name }),
              expects: { worker_id },
            })
          }
        >
          {t('Give')}
        </Button>
      )}
    </li>
  )
}
