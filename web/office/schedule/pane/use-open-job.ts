import { job as jobs } from '../../../../src/records/job.ts'
import { type OpenJob, openJob } from '../../job/open-job.ts'
import type { WholeJob } from '../board/plan.ts'
import { useDesk } from '../desk.ts'
import { reasonText } from '../reasons.ts'
import { consequencesOf } from '../writes.ts'

/** How a job of the board is read and written: at once on the screen, one deed each, and kept while there is no connection. */
export function useBoardJob(row: WholeJob): OpenJob {
  const desk = useDesk()
  const { board, acts, mayPlan } = desk
  const known = (job: WholeJob) => ({ row: job, version: String(job.revision ?? '') || null })
  return openJob({
    known: known(row),
    mayChange: mayPlan,
    reasonText: (reason) => reasonText(reason, desk),
    write: ({ method, path, body, says, expects }, version) =>
      acts.send(row, says, {
        method,
        path,
        ...(body && { body }),
        ...(version && { ifMatch: Number(version) }),
        ...(expects && {
          expected: { record: jobs, id: row.id, changes: { ...expects, ...consequencesOf(row, expects) } },
        }),
      }),
    read: async () => {
      const { row: now } = await board.live.client.find(jobs, row.id, { query: { include: 'revision' } })
      return known(now as WholeJob) // Of the job that was asked for, with its revision.
    },
    refused: (error) => acts.tellRefused(row, error),
  })
}
