import { useEffect } from 'react'
import { toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'
import { presences } from '../live.ts'
import { useLooked } from '../presence.ts'
import type { Desk, Looking } from './desk.ts'
import { titleOf } from './words.ts'
import { isoOf } from './writes.ts'

/** Tells the others which days are looked at here and what is in the hand, and marks the cards that they hold. */
export function usePresence(desk: Desk, { scale: { from, to } }: Looking, me: number): void {
  useLooked({ board: { from: isoOf(from), to: isoOf(to) } })
  useEffect(() => {
    const { lift } = desk
    const tell = () => presences.hold(lift.lifted.get()?.jobs.map(({ id }) => id) ?? [])
    const mark = () => {
      const held = new Map<number, string>()
      for (const { user_id, user_name, held_job_ids } of presences.all)
        if (user_id !== me) for (const id of held_job_ids) held.set(id, user_name ?? '')
      const before = desk.held.get()
      desk.held.set(held)
      const job = lift.lifted.get()?.job
      const name = job && held.get(job.id)
      // Both have it: who takes it second could not be told before.
      if (job && name !== undefined && !before.has(job.id))
        toast({
          kind: 'others',
          title: t('{name} has {customer} in their hand, too', { name, customer: titleOf(job) }),
        })
    }
    const ends = [lift.lifted.subscribe(tell), presences.onChange(mark)]
    mark()
    return () => {
      for (const end of ends) end()
      presences.hold([])
    }
  }, [desk, me])
}
