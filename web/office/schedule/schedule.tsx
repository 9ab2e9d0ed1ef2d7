import './schedule.css'
import './tray.css'
import './rack.css'
import './heads.css'
import './drag.css'
import './pane/pane.css'
import './week.css'
import './rack/dock.css'
import './list.css'
import './print.css'
import './sheets.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { localeOf } from '../../ui/language.ts'
import { live } from '../live.ts'
import { useObservable } from '../observable.ts'
import { usePreferences } from '../preferences.ts'
import { useSession } from '../session.ts'
import { mayChange } from '../tabs.ts'
import { useScreen } from '../use-screen.ts'
import { Acts } from './acts.ts'
import { Board } from './board/board.ts'
import { Desk, DeskContext, type Looking, LookingContext } from './desk.ts'
import { Lift } from './drag/lift.ts'
import { markOthers } from './others.ts'
import { TimeSlider } from './past/slider.tsx'
import { usePast } from './past/use-past.ts'
import { ScheduleBoard } from './schedule-board.tsx'
import { dayOf } from './time/zone.ts'
import { useBoardKeys } from './use-board-keys.ts'
import { useLoaded } from './use-loaded.ts'
import { useMarks } from './use-marks.ts'
import { usePresence } from './use-presence.ts'
import { useScale } from './use-scale.ts'
import { searchOf, type View, viewOf } from './view.ts'

/** The board of one account; it stays while the person looks at other tabs. */
let kept: { key: string; desk: Desk } | null = null

function useDeskOfSession(): Desk {
  const session = useSession()
  const { language } = usePreferences()
  const key = `${session.id} ${language}`
  if (kept?.key !== key)
    kept = {
      key,
      desk: new Desk({
        board: kept?.desk.board ?? new Board(live),
        zone: session.account.time_zone,
        locale: localeOf(language),
        mayPlan: mayChange(session, 'schedule') && mayChange(session, 'jobs'),
        acts: (desk) => new Acts(desk),
        lift: (desk) => new Lift(desk),
      }),
    }
  return kept.desk
}

export function Screen() {
  useScreen('schedule')
  const desk = useDeskOfSession()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const now = useObservable(desk.now)
  const today = dayOf(now, desk.zone)
  const view = useMemo(() => viewOf(search as Parameters<typeof viewOf>[0], today), [search, today])
  const look = useCallback(
    (change: Partial<View>) => {
      const next = { ...view, ...change }
      void navigate({
        to: '.',
        search: searchOf(next, today) as never,
        replace: change.day === undefined && change.zoom === undefined,
        // The rack keeps its own place.
        resetScroll: false,
      })
    },
    [view, navigate, today],
  )
  const scale = useScale(desk, view)
  const looking: Looking = useMemo(() => ({ view, scale, look }), [view, scale, look])
  useEffect(() => {
    const { client } = desk.board.live
    const tick = setInterval(() => desk.now.set(client.now()), 60_000)
    desk.now.set(client.now())
    return () => clearInterval(tick)
  }, [desk])
  const { user_id } = useSession()
  useEffect(() => markOthers(desk, user_id), [desk, user_id])
  const loaded = useLoaded(desk, looking)
  const { desk: then, past } = usePast(desk, looking, loaded.state === 'there')
  const shown = then ?? desk
  usePresence(desk, looking, user_id)
  useMarks(desk)
  useBoardKeys(shown, looking)
  return (
    <DeskContext value={shown}>
      <LookingContext value={looking}>
        <ScheduleBoard
          desk={shown}
          looking={looking}
          loaded={view.at !== null && !then ? { state: 'loading' } : loaded}
        >
          {past && <TimeSlider desk={desk} looking={looking} past={past} />}
        </ScheduleBoard>
      </LookingContext>
    </DeskContext>
  )
}
