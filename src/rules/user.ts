import { ValidationError, validationError } from '#fields'
import { Problem } from '#problem'
import { session } from '#records/session'
import { signInLink } from '#records/sign-in-link'
import { tag } from '#records/tag'
import { type User, user } from '#records/user'
import { isSame } from './is-same.ts'
import { refuseWhileOpenJobsUse } from './open-jobs.ts'
import type { Change, MutationContext, Rule } from './rule.ts'
import { sessionsOf } from './sessions.ts'
import { signInLinksOf } from './sign-in-links.ts'

export const userRule: Rule<typeof user> = {
  async prepare({ tx }, { row, draft, before, addError }) {
    row.is_worker = row.permissions.mobile === 'full'
    row.is_admin = row.permissions.admin === 'full'
    row.can_message = row.is_admin || row.permissions.messaging === 'full'
    // `tag_ids` is another way to give tags; those already held keep their date.
    if (draft.tag_ids && !draft.tags) {
      const held = new Map(before?.tags.map((one) => [one.id, one]))
      row.tags = draft.tag_ids.map((id) => held.get(id) ?? { id, name: null, expires_at: null })
    }
    if (!draft.tag_ids && !draft.tags) return
    const tags: User['tags'] = []
    // One that doesn't say which tag it is was told of already.
    for (const { id, expires_at = null } of row.tags.filter((item) => item.id))
      tags.push({ id, name: (await tx.find(tag, id))?.name ?? null, expires_at })
    row.tags = tags
    const ids = new Set(row.tags.map((item) => item.id))
    if (ids.size < row.tags.length) addError('tags', new ValidationError('taken', 'has the same tag twice'))
    row.tags.sort((a, b) => a.id - b.id)
  },

  async check(context, change) {
    const { before, row, draft, addError } = change
    await checkReach(context, change)
    if (row && (draft.tags || draft.tag_ids)) {
      for (const [i, held] of row.tags.entries()) {
        const its = await context.tx.find(tag, held.id)
        if (its?.expires && !held.expires_at)
          addError(`tags[${i}].expires_at`, validationError.blank(), `Give the date until which ${its.name} is valid`)
      }
    }
    if (before && !row) await refuseWhileOpenJobsUse(context, 'worker_id', before.id, addError)
    const wasLast = before?.is_admin && before.enabled && !(row?.is_admin && row.enabled)
    if (wasLast && (await otherAdmins(context, before.id)) === 0)
      addError(
        row?.is_admin ? 'enabled' : row ? 'permissions.admin' : 'id',
        new ValidationError('last_admin', 'must stay with the last admin of the account'),
      )
  },

  /**
   * Whoever knew an old password is signed out, and so is who may not sign in any more, whichever door it came through;
   * and the links by which the password could still be set are good for nothing.
   */
  async after({ tx, remove, call }, { before, row }) {
    if (!before) return
    const isOut = !row?.enabled
    if (!isOut && row.password === before.password) return
    const all = tx.asSystem('all sessions and links end')
    for (const one of await signInLinksOf(all, before.id)) await remove(signInLink, one)
    for (const one of await sessionsOf(all, before.id))
      if (isOut || one.id !== call.actor.session) await remove(session, one)
  },
}

/** How somebody signs in, and what they may do then. */
const SIGN_IN_FIELDS = ['email', 'password', 'permissions', 'enabled'] as const

/**
 * Who is limited to some groups neither makes nor becomes anybody who sees more: no admin is made or touched by them, and
 * of those who are also in other groups, not how they sign in.
 */
async function checkReach(
  { tx, call: { actor } }: MutationContext,
  { before, row, draft, addError }: Change<typeof user>,
) {
  const { groups } = actor
  if (!groups || (actor.kind === 'user' && before?.id === actor.id)) return
  const whole = before && (await tx.asSystem('reach is compared with all groups').find(user, before.id))
  const isElsewhere = (one: User | null) => one?.group_ids.some((id) => !groups.includes(id))
  if (whole?.is_admin || (!row && isElsewhere(whole)))
    throw new Problem('forbidden', 'You may see this user but not change them: they see more than you')
  if (row?.is_admin)
    addError('permissions.admin', new ValidationError('forbidden', 'is not given by a key limited to some groups'))
  // One that comes back is in the groups it was in.
  if (isElsewhere(row) && !('group_ids' in draft))
    addError('group_ids', new ValidationError('forbidden', 'must be your own'))
  if (row && isElsewhere(whole))
    for (const name of SIGN_IN_FIELDS.filter((name) => !isSame(row[name], before?.[name])))
      addError(
        name,
        new ValidationError('forbidden', 'may not be changed by a key that does not see all groups of the user'),
      )
}

async function otherAdmins({ tx }: MutationContext, id: number) {
  const admins = await tx.asSystem('the last admin is so for everybody').list(user, {
    filters: [
      { field: 'is_admin', op: '=', value: 1 },
      { field: 'enabled', op: '=', value: 1 },
    ],
    limit: 2,
  })
  return admins.filter((admin) => admin.id !== id).length
}
