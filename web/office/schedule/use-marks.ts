import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { device } from '../../../src/records/device.ts'
import { useRecords } from '../../ui/records/context.tsx'
import { useConflictedJobs } from '../conflicted.ts'
import { useOpens } from '../tabs.ts'
import { atOnce, threadsQuery } from '../threads.ts'
import type { Desk } from './desk.ts'

/** Devices tell of themselves past the journal: they are asked for again after so long. */
const devicesMs = 60_000
const most = 200

/** What cards and rows show that is in no job: messages that nobody here has read, conflicts, and phones on which something waits. */
export function useMarks(desk: Desk): void {
  const { client } = useRecords()
  const opens = useOpens()
  const { data: threads } = useQuery({ ...threadsQuery(client, undefined, atOnce), enabled: opens('messages') })
  const conflicted = useConflictedJobs()
  const query = { per_page: most, sort: '-heard_at', fields: 'id,user_id,waiting_entries,heard_at' }
  const { data: devices } = useQuery({
    queryKey: ['list', 'device', query],
    queryFn: ({ signal }) => client.list(device, query, { signal }),
    refetchInterval: devicesMs,
  })
  useEffect(() => {
    const unread = new Map<number, number>()
    for (const thread of threads?.rows ?? []) {
      const count = thread.unread
      if (thread.job_id !== null && count > 0) unread.set(thread.job_id, (unread.get(thread.job_id) ?? 0) + count)
    }
    desk.unread.set(unread)
  }, [desk, threads])
  useEffect(() => {
    if (conflicted) desk.conflicted.set(conflicted)
  }, [desk, conflicted])
  useEffect(() => {
    const waiting = new Map<number, { count: number; heardAt: number }>()
    for (const { user_id: whose, waiting_entries: count, heard_at } of devices?.rows ?? [])
      if (count > 0 && heard_at && !waiting.has(whose)) waiting.set(whose, { count, heardAt: Date.parse(heard_at) })
    desk.phones.set(waiting)
  }, [desk, devices])
}
