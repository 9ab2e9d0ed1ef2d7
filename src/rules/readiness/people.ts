import { later } from '#fields/instant'
import { group } from '#records/group'
import { user } from '#records/user'
import { workingWeek } from '#records/working-week'
import { seesOffice } from '../abilities.ts'
import { coordinatesOf } from '../coordinates.ts'
import { weekOf } from '../working-time.ts'
import { type Check, MAX_ROWS } from './check.ts'

const SOON_MS = 60 * 24 * 3600_000

const enabled = { field: 'enabled' as const, op: '=' as const, value: 1 }
const workers = { filters: [enabled, { field: 'is_worker' as const, op: '=' as const, value: 1 }], limit: MAX_ROWS }
const ofUser = { record: user, mend: { method: 'PATCH', path: '/v5/users/{id}' } }

export const workersWithoutWeek: Check = {
  ...ofUser,
  name: 'workers_without_week',
  level: 'stops',
  summary: 'workers have no working week, so that nothing warns of work outside of their hours',
  mend: { method: 'POST', path: '/v5/working_weeks' },
  async find({ store }) {
    const weeks = await store.list(workingWeek, { filters: [], limit: MAX_ROWS }, ['user_id', 'group_id'])
    const people = await store.list(user, workers, ['id', 'group_ids'])
    return people.flatMap((one) => (weekOf(weeks, one) ? [] : [one.id]))
  },
}

export const workersWithoutPlace: Check = {
  ...ofUser,
  name: 'workers_without_place',
  level: 'soon',
  summary: 'workers have no place where their day begins, so that the way to their first job counts as nothing',
  async find({ store }) {
    const people = await store.list(user, workers, ['id', 'start_location'])
    return people.flatMap(({ id, start_location }) => (coordinatesOf(start_location) ? [] : [id]))
  },
}

export const tagsThatExpire: Check = {
  ...ofUser,
  name: 'tags_expiring',
  level: 'soon',
  summary: 'workers hold a tag that has expired or does within 60 days, and get no job that asks for it after that',
  async find({ store, now }) {
    const soon = later(now, SOON_MS)
    const people = await store.list(user, workers, ['id', 'tags'])
    const expires = ({ expires_at: at }: { expires_at: string | null }) => at !== null && at < soon
    return people.flatMap(({ id, tags }) => (tags.some(expires) ? [id] : []))
  },
}

export const groupsUnseen: Check = {
  record: group,
  name: 'groups_unseen',
  level: 'soon',
  summary: 'groups have no dispatcher, so that only admins find what is in them alone',
  mend: { method: 'PATCH', path: '/v5/groups/{id}' },
  async find({ store }) {
    const groups = await store.list(group, { filters: [], limit: MAX_ROWS }, ['id'])
    const people = await store.list(user, { filters: [enabled], limit: MAX_ROWS }, ['group_ids', 'permissions'])
    const seen = new Set(people.flatMap(({ group_ids, permissions }) => (seesOffice(permissions) ? group_ids : [])))
    return groups.flatMap(({ id }) => (seen.has(id) ? [] : [id]))
  },
}
