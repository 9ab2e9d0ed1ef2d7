import { present, type RawRow } from '#fields'
import { type Ask, makeAll, type NewPerson, type Person, signIn } from './actors.ts'
import type { Desk } from './desk.ts'
import { company, dispatchers, groups, phonePermissions, tags, workers } from './people.ts'
import { byName } from './rows.ts'

export interface People {
  groups: Map<string, RawRow>
  tags: Map<string, RawRow>
  /** Everybody by name, signed in. */
  people: Map<string, Person>
  /** Who sets everything up. */
  chief: Person
  groupIds(names: readonly (string | undefined)[]): number[]
  tagIds(names: readonly (string | undefined)[]): number[]
}

/** Groups, tags, the office and the crews. */
export async function makePeople({ request, program, calendar, newPerson }: Desk): Promise<People> {
  const groupDrafts = groups.map(([name, description]) => ({ name, description }))
  const groupsMade = byName(await makeAll(program, '/groups', 'group', groupDrafts))
  const groupIds = idsIn(groupsMade)

  const office = dispatchers.map(({ groups, ...rest }) => ({
    ...rest,
    ...newPerson(rest.name),
    group_ids: groupIds(groups),
  }))
  const officeIn = await hire(program, office)
  const chief = present(officeIn[0])

  const tagDrafts = tags.map(([name, expires, description]) => ({ name, description, expires: expires === 'expires' }))
  const tagsMade = byName(await makeAll(chief.ask, '/tags', 'tag', tagDrafts))

  const crew = workers.map(([name = '', group, suburb, lat, lng, word, , held = ''], i) => {
    const { city, country } = company
    return {
      ...newPerson(name),
      phone: `+64 21 555 0${111 + i}`,
      third_party_id: `emp-${101 + i}`,
      group_ids: groupIds([group]),
      permissions: phonePermissions(word),
      tags: held.split(',').map(heldTag),
      start_location: { suburb, city, country, formatted_address: `${suburb}, ${city}`, lat, lng },
      capacity: 600,
    }
  })
  const crewIn = await hire(chief.ask, crew)
  // Some have the day off.
  await Promise.all(crewIn.map(({ ask }, i) => ask('POST', '/shift', { shift: { on: i % 6 !== 3 } })))

  return {
    groups: groupsMade,
    tags: tagsMade,
    people: new Map([...officeIn, ...crewIn].map((person) => [person.name, person])),
    chief,
    groupIds,
    tagIds: idsIn(tagsMade),
  }

  /** At once, since a password takes a while to seal and to check. */
  function hire(by: Ask, drafts: (NewPerson & RawRow)[]): Promise<Person[]> {
    return Promise.all(
      drafts.map(async (draft) => {
        await by('POST', '/users', { user: draft })
        return signIn(request, draft)
      }),
    )
  }

  /** `Gas fitting 210` is held for that many days more. */
  function heldTag(text: string): RawRow {
    const [, name = '', days] = /^(.*?)(?: (-?\d+))?$/.exec(text.trim()) ?? []
    return { id: tagsMade.get(name)?.id, expires_at: days ? calendar.at(Number(days), 23 * 60 + 59) : null }
  }
}

const idsIn = (rows: Map<string, RawRow>) => (names: readonly (string | undefined)[]) =>
  names.flatMap((name) => (name ? [rows.get(name)?.id] : []))
