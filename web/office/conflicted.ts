import { useQuery } from '@tanstack/react-query'
import { conflict } from '../../src/records/conflict.ts'
import { useRecords } from '../ui/records/context.tsx'

/** A row for each open conflict; with more, what was found first comes when others are decided. */
const query = { state: 'open', per_page: 200, fields: 'id,job_id' }

/** Jobs about which there is something to decide, on whatever day they are; undefined until it is known. */
export function useConflictedJobs(): ReadonlySet<number> | undefined {
  const { client } = useRecords()
  const { data } = useQuery({
    queryKey: ['list', 'conflict', query],
    queryFn: ({ signal }) => client.list(conflict, query, { signal }),
    select: jobsOf,
  })
  return data
}

const jobsOf = ({ rows }: { rows: readonly { job_id: number }[] }) => new Set(rows.map(({ job_id }) => job_id))
