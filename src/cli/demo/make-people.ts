import type { RawRow } from '#fields'
import { group } from '#records/group'
import { tag } from '#records/tag'
import { user } from '#records/user'
import { byName, type Desk, plainName } from './make.ts'
import { company, dispatchers, groups, phonePermissions, tags, workers } from './people.ts'

export interface People {
  groups: Map<string, RawRow>
  tags: Map<string, RawRow>
  users: Map<string, RawRow>
  /** Who set everything up. */
  chief: RawRow | undefined
  groupIds(names: readonly (string | undefined)[]): number[]
  tagIds(names: readonly (string | undefined)[]): number[]
}

/** Groups, tags, the office and the crews. */
export async function makePeople({ keep, keepAll, calendar, accountId, password }: Desk): Promise<People> {
  const keptGroups = byName(await keepAll(groups, group, ([name, description]) => ({ name, description })))
  const groupIds = idsIn(keptGroups)
  const common = (name = '') => ({ name, email: `${plainName(name)}@account-${accountId}.local`, password })

  const office = await keepAll(dispatchers, user, ({ groups, ...rest }) => ({
    ...rest,
    ...common(rest.name),
    group_ids: groupIds(groups),
  }))
  const chief = office[0]

  const draftOfTag = ([name, expires, description]: string[]) => ({ name, description, expires: expires === 'expires' })
  const keptTags = byName(await keepAll(tags, tag, draftOfTag, { by: chief }))

  const crew = await Promise.all(
    workers.map(([name, group, suburb, lat, lng, word, , held = ''], i) => {
      const { city, country } = company
      const draft = {
        ...common(name),
        phone: `+64 21 555 0${111 + i}`,
        third_party_id: `emp-${101 + i}`,
        group_ids: groupIds([group]),
        permissions: phonePermissions(word),
        tags: held.split(',').map(heldTag),
        start_location: { suburb, city, country, formatted_address: `${suburb}, ${city}`, lat, lng },
        capacity: 600,
      }
      const recorded_at = calendar.iso(calendar.now - i * 40_000)
      const telemetry = { heading: '0.0', lat, lng, recorded_at, speed: '0.0' }
      return keep(user, draft, { by: chief, server: { shift_on: i % 6 !== 3, latest_telemetry: telemetry } })
    }),
  )

  return {
    groups: keptGroups,
    tags: keptTags,
    users: byName([...office, ...crew]),
    chief,
    groupIds,
    tagIds: idsIn(keptTags),
  }

  /** `Gas fitting 210` is held for that many days more. */
  function heldTag(text: string): RawRow {
    const [, name = '', days] = /^(.*?)(?: (-?\d+))?$/.exec(text.trim()) ?? []
    return { id: keptTags.get(name)?.id, expires_at: days ? calendar.at(Number(days), 23 * 60 + 59) : null }
  }
}

const idsIn = (rows: Map<string, RawRow>) => (names: readonly (string | undefined)[]) =>
  names.flatMap((name) => (name ? [rows.get(name)?.id] : []))
