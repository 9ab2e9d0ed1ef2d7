import { weekdays } from '#records/working-week'
import type { Desk } from './desk.ts'
import type { People } from './make-people.ts'

/** When the company works, with half an hour off at noon; and who is away. */
export async function makeHours({ chief, people }: People, { calendar }: Desk): Promise<void> {
  const spans = weekdays.slice(0, 5).flatMap((weekday) => [
    { weekday, from: '07:30', to: '12:00' },
    { weekday, from: '12:30', to: '16:45' },
  ])
  await chief.ask('POST', '/working_weeks', { working_week: { spans } })
  const away = (name: string, kind: string, from: string, to: string, note: string) =>
    chief.ask('POST', '/absences', { absence: { user_id: people.get(name)?.id, kind, from, to, note } })
  await away('Hana Yoshida', 'training', calendar.at(0, 13 * 60), calendar.at(0, 16 * 60 + 45), 'First aid course')
  await away('Ingrid Solberg', 'holiday', calendar.at(2, 0), calendar.at(5, 0), 'Annual leave')
}
