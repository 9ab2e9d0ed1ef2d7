import { useEffect } from 'react'
import { useObservable } from '../observable.ts'
import { type Desk, useDesk } from './desk.ts'
import { stepText } from './drag/keyboard.ts'

/** What is in the hand is said as it moves; the newest wins. */
export function useAnnounced(desk: Desk) {
  useEffect(() => {
    const say = () => {
      const lifted = desk.lift.lifted.get()
      if (lifted?.with === 'keyboard') desk.said.set(stepText(desk, lifted))
    }
    const ends = [desk.lift.lifted.subscribe(say), desk.lift.candidates.subscribe(say)]
    return () => {
      for (const end of ends) end()
    }
  }, [desk])
}

/** What a screen reader is told. */
export function Said() {
  return (
    <div className="vh" role="status" aria-live="polite">
      {useObservable(useDesk().said)}
    </div>
  )
}
