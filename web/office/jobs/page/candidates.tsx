import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { isOver } from '../../../ui/job-state.ts'
import { Face, VerdictMark } from '../../../ui/marks.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import { t } from '../../../ui/words.ts'
import { useOpenJob } from './open-job.ts'
import { Section } from './section.tsx'

/** One worker and what speaks against them, as the server says it. (docs/api/jobs.md) */
interface Candidate {
  worker_id: number
  worker_name: string
  available: boolean
  distance_km: number | null
  reasons: { code: string; blocks: boolean; message: string; remedy: string | null }[]
}

const shownFirst = 5

/** Who can take the job at its time, best first; one press gives it to them. */
export function Candidates() {
  const { job, mayChange } = useOpenJob()
  const { client } = useRecords()
  const [all, setAll] = useState(false)
  const isAsked = mayChange && !isOver(job) && job.progress_state === 'not_started' && !job.locked_at
  const { data = [] } = useQuery({
    queryKey: ['candidates', 'job', job.id],
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const path = `jobs/${job.id}/candidates`
      return (await client.request<{ candidates: Candidate[] }>('GET', path, { signal })).body.candidates
    },
  })
  if (!isAsked || data.length === 0) return null
  const can = data.filter(({ available }) => available).length
  const shown = all ? data : data.slice(0, shownFirst)
  return (
    <Section
      title={t('Who can take it')}
      beside={t('{can} of {all}', { can, all: data.length })}
      end={
        data.length > shown.length && (
          <Button small kind="quiet" onClick={() => setAll(true)}>
            {t('Show all {count}', { count: data.length })}
          </Button>
        )
      }
    >
      <ul className="candidates">
        {shown.map((candidate) => (
          <One key={candidate.worker_id} candidate={candidate} />
        ))}
      </ul>
    </Section>
  )
}

function One({ candidate }: { candidate: Candidate }) {
  const { job, path, act } = useOpenJob()
  const { formats } = useRecords()
  const { worker_id, worker_name: name, available, reasons, distance_km } = candidate
  const worst = reasons.find(({ blocks }) => blocks) ?? reasons[0]
  const isTheirs = worker_id === job.worker_id
  return (
    <li>
      <Face name={name} />
      <VerdictMark kind={available ? (reasons.length > 0 ? 'warn' : 'yes') : 'no'} />
      <span>
        <b dir="auto">{name}</b>
        <span className="sm two-ink">
          {[
            isTheirs && t('has it'),
            worst ? [worst.message, worst.remedy].filter(Boolean).join('. ') : t('free'),
            distance_km !== null && t('{km} km away', { km: formats.number(distance_km) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {available && !isTheirs && (
        <Button
          small
          aria-label={t('Give it to {name}', { name })}
          onClick={() =>
            void act({
              method: 'PATCH',
              path,
              body: { job: { worker_id }, base: { worker_id: job.worker_id } },
              says: t('Given to {name}', { name }),
            })
          }
        >
          {t('Give')}
        </Button>
      )}
    </li>
  )
}
