import { user } from '../../../src/records/user.ts'
import type { JournalEvent } from '../../client/index.ts'
import { initialsOf } from '../../ui/names.ts'
import type { Desk } from './desk.ts'

/** So long a card says who changed it. */
const shownMs = 10 * 60_000

/** Marks what others change, as it comes. @returns what ends it */
export function markOthers(desk: Desk, me: number): () => void {
  const { live } = desk.board
  const names = new Map<number, Promise<string>>()
  const nameOf = (id: number) => {
    const known = desk.workerName(id)
    if (known) return Promise.resolve(known)
    const asked = names.get(id) ?? live.client.find(user, id).then(({ row }) => row.name)
    names.set(id, asked)
    return asked
  }
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const end = live.onEvents((events) => {
    for (const event of events) {
      const who = actorOf(event)
      if (event.record === 'job' && who !== null && who !== me)
        // Whoever can't be named is no reason to say nothing.
        void nameOf(who).then(
          (name) => mark(Number(event.record_id), initialsOf(name)),
          () => mark(Number(event.record_id), '?'),
        )
    }
  })
  return () => {
    end()
    for (const timer of timers) clearTimeout(timer)
  }

  function mark(job: number, initials: string) {
    desk.touched.set(new Map(desk.touched.get()).set(job, initials))
    const timer = setTimeout(() => {
      timers.delete(timer)
      const left = new Map(desk.touched.get())
      if (left.delete(job)) desk.touched.set(left)
    }, shownMs)
    timers.add(timer)
  }
}

const actorOf = ({ actor }: JournalEvent) => (actor?.kind === 'user' ? actor.id : null)
