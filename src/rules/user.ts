import { type RawRow, Wrong, wrong } from '#fields'
import { refuseWhileOpenJobsUse } from './open-jobs.ts'
import type { Rule } from './rule.ts'

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

  async check(writing, { before, row, draft, fault }) {
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
  async after({ tx, record, remove, call }, { before, row }) {
    if (!before) return
    const isOut = !row?.enabled
    if (!isOut && row.password === before.password) return
    const filters = [{ field: 'user_id', op: '=' as const, value: before.id }]
    const sessions = await tx
      .unlimited()
      .list(record('session'), { filters, words: [], sort: null, after: null, limit: 1000, offset: 0 })
    for (const one of sessions) if (isOut || one.id !== call.actor.session) await remove('session', one)
  },
}

async function otherAdmins({ tx, record }: Parameters<NonNullable<Rule['check']>>[0], id: number) {
  const filters = [
    { field: 'is_admin', op: '=' as const, value: 1 },
    { field: 'enabled', op: '=' as const, value: 1 },
  ]
  const admins = await tx
    .unlimited()
    .list(record('user'), { filters, words: [], sort: null, after: null, limit: 2, offset: 0 })
  return admins.filter((admin) => admin.id !== id).length
}
