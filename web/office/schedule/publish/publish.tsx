import './publish.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { caps, together } from '../../../ui/keys.ts'
import { t } from '../../../ui/words.ts'
import { useObservable } from '../../observable.ts'
import { draftsOf } from '../board/drafts.ts'
import type { Job } from '../board/plan.ts'
import { useDesk, useLooking } from '../desk.ts'
import { Before } from './before.tsx'
import { Ledger } from './ledger.tsx'
import { maxAtOnce, type Publication, publication } from './publication.ts'

/** Who will be told what, and how; then what became of it. */
export default function Publish({ onClose }: { onClose: () => void }) {
  const [done, setDone] = useState<Publication | null>(null)
  return done ? <Done done={done} onClose={onClose} /> : <Ask onClose={onClose} onDone={setDone} />
}

function Ask({ onClose, onDone }: { onClose: () => void; onDone: (done: Publication) => void }) {
  const desk = useDesk()
  const { scale, view } = useLooking()
  const { jobs, live } = desk.board
  const version = useSyncExternalStore(
    (listener) => jobs.onAny(listener),
    () => jobs.version,
  )
  const [held, setHeld] = useState<ReadonlySet<number>>(new Set())
  // While they go out they are drafts no longer, one after the other: what was asked about stays.
  const [sent, setSent] = useState<readonly Job[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the jobs
  const now = useMemo(() => draftsOf(desk.board, view, scale.from, scale.to), [version, scale, view])
  const all = sent ?? now
  const drafts = useMemo(() => all.slice(0, maxAtOnce), [all])
  const { data, error } = useQuery({
    queryKey: ['publication', drafts.map(({ id, revision }) => `${id} ${revision}`).join()],
    queryFn: ({ signal }) => publication(live.client, drafts, { dryRun: true, signal }),
    enabled: drafts.length > 0,
  })
  const can = new Set(data?.published_job_ids)
  const going = drafts.filter(({ id }) => can.has(id) && !held.has(id))
  const ids = new Set(going.map(({ id }) => id))
  const people = (data?.people ?? []).filter(({ notices }) => notices.some(({ job_id }) => ids.has(job_id))).length
  const publish = async () => {
    if (going.length === 0 || sent) return
    setSent(all)
    const done = await desk.acts.publish(going)
    setSent(null)
    if (done) onDone(done)
  }
  const shownAt = useShownAt(data)
  // Wherever the focus is in the sheet; a key that was pressed before the list could be seen is no yes.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isYes = event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.repeat
      if (isYes && event.timeStamp > shownAt.current) void publish()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  return (
    <Dialog
      open
      as="sheet"
      onClose={onClose}
      title={
        all.length > drafts.length
          ? t('Publish the first {count} of {all} changes', { count: drafts.length, all: all.length })
          : t('{count, plural, one {Publish # change} other {Publish # changes}}', { count: drafts.length })
      }
      foot={
        <>
          <span className="push dim sm">{t('One deed: it can be undone, but what was told stays told.')}</span>
          <Button onClick={onClose} shortcut="esc">
            {t('Keep as drafts')}
          </Button>
          <Button
            kind="primary"
            icon="send"
            shortcut={together(caps.mod, caps.enter)}
            busy={sent !== null}
            unless={
              !data
                ? t('It is being found out who will be told what')
                : going.length === 0 && t('All of them are held back')
            }
            onClick={() => void publish()}
          >
            {t('Publish {jobs}, tell {people, plural, one {# person} other {# people}}', {
              jobs: going.length,
              people,
            })}
          </Button>
        </>
      }
    >
      <div className="publish">
        <p className="two-ink">
          {t(
            '{going, plural, one {# goes out} other {# go out}}, to {people, plural, one {# person} other {# people}}. {held, plural, =0 {None is held back.} one {# is held back.} other {# are held back.}} Nobody has been told anything yet.',
            { going: going.length, people, held: drafts.length - going.length },
          )}
          {all.length > drafts.length &&
            ` ${t('These are the first {count}; {more} more come after them.', { count: drafts.length, more: all.length - drafts.length })}`}
        </p>
        {error && <p role="alert">{error.message}</p>}
        {data && <Before told={data} drafts={drafts} held={held} onHold={setHeld} />}
      </div>
    </Dialog>
  )
}

/** Since when something has been on the screen, as events tell the time; never while it is not. */
function useShownAt(what: unknown) {
  const shownAt = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    shownAt.current = Number.POSITIVE_INFINITY
    if (what === undefined) return
    // A frame begins before it is drawn; by the next one it has been.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        shownAt.current = performance.now()
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [what])
  return shownAt
}

function Done({ done, onClose }: { done: Publication; onClose: () => void }) {
  const desk = useDesk()
  const { done: deeds } = useObservable(desk.acts.deeds.stacks)
  const isUndone = !deeds.some(({ callId }) => callId === done.call_id)
  // By its toast, say.
  useEffect(() => {
    if (isUndone) onClose()
  }, [isUndone, onClose])
  const undo = () => {
    onClose()
    void desk.acts.undo()
  }
  return (
    <Dialog
      open
      as="sheet"
      onClose={onClose}
      title={t('{count, plural, one {# change published} other {# changes published}}', {
        count: done.published_job_ids.length,
      })}
      foot={
        <>
          <span className="push dim sm">{t('Undo makes drafts of them again, and tells nobody.')}</span>
          <Button icon="undo" onClick={undo}>
            {t('Undo the publishing')}
          </Button>
          <Button kind="primary" onClick={onClose} autoFocus>
            {t('Back to the board')}
          </Button>
        </>
      }
    >
      <Ledger done={done} />
    </Dialog>
  )
}
