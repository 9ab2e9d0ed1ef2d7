import { randomBytes } from 'node:crypto'
import { type NewPerson, type Request, withKey } from './actors.ts'
import { calendarOf } from './calendar.ts'
import { company } from './people.ts'
import { plainName } from './rows.ts'

/** What the parts of the demo are made with. */
export type Desk = ReturnType<typeof deskOf>

export const deskOf = (request: Request, accountId: number, key: string) => ({
  request,
  calendar: calendarOf(company.zone),
  /** The program that has the key. */
  program: withKey(request, key),
  newPerson: (name: string): NewPerson => ({
    name,
    email: `${plainName(name)}@account-${accountId}.local`,
    password: randomBytes(12).toString('base64url'),
  }),
})
