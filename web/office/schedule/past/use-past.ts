import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../../client/index.ts'
import { toast } from '../../../ui/toast.tsx'
import { t } from '../../../ui/words.ts'
import type { Desk, Looking } from '../desk.ts'
import { Past } from './past.ts'

/** The desk of the instant that is looked at, once it has been read; null for now. */
export function usePast(
  desk: Desk,
  { view: { at }, scale, look }: Looking,
  isThere: boolean,
): { desk: Desk | null; past: Past | null } {
  const isAsked = at !== null
  const past = useMemo(() => (isAsked ? new Past(desk) : null), [isAsked, desk])
  useEffect(() => past?.end, [past])
  const [found, setFound] = useState<Desk | null>(null)
  useEffect(() => {
    if (!past || at === null || !isThere) return setFound(null)
    const ending = new AbortController()
    const giveUp = (title: string) => {
      toast({ kind: 'failed', title })
      look({ at: null })
    }
    const show = async () => {
      try {
        const made = await past.deskAt(at, scale, ending.signal)
        if (ending.signal.aborted) return
        if (made) setFound(made)
        else giveUp(t('Too much has happened since then to go back so far.'))
      } catch (error) {
        if (ending.signal.aborted) return
        if (!(error instanceof ApiError)) throw error
        giveUp(error.message)
      }
    }
    void show()
    return () => ending.abort()
  }, [past, at, scale, look, isThere])
  return { desk: isAsked ? found : null, past }
}
