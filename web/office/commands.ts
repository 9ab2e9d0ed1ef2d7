import { useEffect } from 'react'
import type { IconName } from '../ui/icon.tsx'
import { Observable } from './observable.ts'

/** Something to do that the palette offers. */
export interface Command {
  id: string
  label: string
  icon: IconName
  shortcut?: string
  run: () => void
}

/** What the screens that are open offer, beside what can be done everywhere. */
export const commands = new Observable<Command[]>([])

/** Offers these while the screen is there; give it the same list until something of it changes. */
export function useCommands(offered: Command[]): void {
  useEffect(() => {
    commands.set([...commands.get(), ...offered])
    return () => commands.set(commands.get().filter((one) => !offered.includes(one)))
  }, [offered])
}
