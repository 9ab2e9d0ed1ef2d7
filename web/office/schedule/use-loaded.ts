import { useEffect, useState } from 'react'
import { follow, live } from '../live.ts'
import { useSession } from '../session.ts'
import type { Desk, Looking } from './desk.ts'
import { addDays, instantAt } from './time/zone.ts'

export type Loaded = { state: 'loading' } | { state: 'there' } | { state: 'failed'; error: Error }

/** Reads what is looked at, and again when the browser has slept or the journal began anew. */
export function useLoaded(desk: Desk, { scale }: Looking): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ state: desk.board.workers.size > 0 ? 'there' : 'loading' })
  const { zone } = desk
  const session = useSession().id
  const from = instantAt(scale.spans[0]?.day ?? '', 0, zone)
  const to = instantAt(addDays(scale.spans.at(-1)?.day ?? '', 1), 0, zone)
  useEffect(() => {
    let isOver = false
    const load = async () => {
      try {
        await follow(session)
        await Promise.all([desk.board.loadPeople(), desk.board.load(from, to), desk.acts.deeds.restore()])
        desk.now.set(desk.board.live.client.now())
        if (!isOver) setLoaded({ state: 'there' })
      } catch (error) {
        if (!isOver && (error as Error).name !== 'AbortError') setLoaded({ state: 'failed', error: error as Error })
      }
    }
    live.reload = () => void load()
    void load()
    return () => {
      isOver = true
    }
  }, [desk, session, from, to])
  return loaded
}
