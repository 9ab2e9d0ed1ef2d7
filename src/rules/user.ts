import { type RawRow, Wrong, wrong } from '#fields'
import { Problem } from '#problem'
import { refuseWhileOpenJobsUse } from './open-jobs.ts'
import type { Change, Rule, Writing } from './rule.ts'
import { same } from './same.ts'
import { sessionsOf } from './sessions.ts'

export const user: Rule = {
  async prepare({ tx, record }, { row, draft, before, fault }) {
    row.is_worker = row.permissions.mobile === 'full'
    row.is_admin = row.permissions.admin === 'full'
    row.can_message = row.is_admin || row.permissions.messaging === 'full'
    // `tag_ids` is another way to give tags; those already held keep their date.
    if (draft.tag_ids && !draft.tags) {
      const held = new Map<number, RawRow>((before?.tags ?? []).map((tag: RawRow) => [tag.id, tag]))
      row.tags = draft.tag_ids.map((id: number) => held.get(id) ?? { id, expires_at: null })
    }
    if (!draft.tag_ids && !draft.tags) return
    const tags: RawRow[] = []
    // One that doesn't say which tag it is was told of already.
    for (const { id, expires_at = null } of row.tags.filter((item: RawRow) => item.id))
      tags.push({ id, name: (await tx.find(record('tag'), id))?.name ?? null, expires_at })
    row.tags = tags
    const ids = new Set(row.tags.map((item: RawRow) => item.id))
    if (ids.size < row.tags.length) fault('tags', new Wrong('taken', 'has the same tag twice'))
    row.tags.sort((a: RawRow, b: RawRow) => a.id - b.id)
  },

  async check(writing, change) {
    const { before, row, draft, fault } = change
    await checkReach(writing, change)
    if (row && (draft.tags || draft.tag_ids)) {
      for (const [i, held] of row.tags.entries()) {
        const tag = await writing.tx.find(writing.record('tag'), held.id)
        if (tag?.expires && !held.expires_at)
          fault(`tags[${i}].expires_at`, wrong.blank(), `Give the date until which ${tag.name} is valid`)
      }
    }
    if (before && !row) await refuseWhileOpenJobsUse(writing, 'worker_id', before.id, fault)
    const wasLast = before?.is_admin && before.enabled && !(row?.is_admin && row.enabled)
    if (wasLast && (await otherAdmins(writing, before.id)) === 0)
      fault(
        row?.is_admin ? 'enabled' : row ? 'permissions.admin' : 'id',
        new Wrong('last_admin', 'must stay with the last admin of the account'),
      )
  },

  /** Whoever knew an old password is signed out, and so is who may not sign in any more, whichever door it came through. */
  async after({ tx, remove, call }, { before, row }) {
    if (!before) return
    const isOut = !row?.enabled
    if (!isOut && row.password === before.password) return
    for (const one of await sessionsOf(tx.unlimited(), before.id))
      if (isOut || one.id !== call.actor.session) await remove('session', one)
  },
}

/** How somebody signs in, and what they may do then. */
const SIGN_IN = ['email', 'password', 'permissions', 'enabled']

/**
 * Who is limited to some groups neither makes nor becomes anybody who sees more: no admin is made or touched by him, and
 * of those who are also in other groups, not how they sign in.
 */
async function checkReach({ tx, record, call: { actor } }: Writing, { before, row, draft, fault }: Change) {
  const { groups } = actor
  if (!groups || (actor.kind === 'user' && before?.id === actor.id)) return
  const whole = before && (await tx.unlimited().find(record('user'), before.id))
  const isElsewhere = (one: RawRow | null) => one?.group_ids.some((id: number) => !groups.includes(id))
  if (whole?.is_admin || (!row && isElsewhere(whole)))
    throw new Problem('forbidden', 'You may see this user, who sees more than you, and not change them')
  if (row?.is_admin) fault('permissions.admin', new Wrong('forbidden', 'is not given by a key limited to some groups'))
  // One that comes back is in the groups it was in.
  if (isElsewhere(row) && !('group_ids' in draft)) fault('group_ids', new Wrong('forbidden', 'must be your own'))
  if (row && isElsewhere(whole))
    for (const name of SIGN_IN.filter((name) => !same(row[name], before?.[name])))
      fault(name, new Wrong('forbidden', 'may not be changed by a key that does not see all groups of the user'))
}

async function otherAdmins({ tx, record }: Writing, id: number) {
  const filters = [
    { field: 'is_admin', op: '=' as const, value: 1 },
    { field: 'enabled', op: '=' as const, value: 1 },
  ]
  const admins = await tx
    .unlimited()
    .list(record('user'), { filters, words: [], sort: null, after: null, limit: 2, offset: 0 })
  return admins.filter((admin) => admin.id !== id).length
}
