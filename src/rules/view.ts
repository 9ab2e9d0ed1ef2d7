import { ValidationError, validationError } from '#fields'
import { Problem } from '#problem'
import { screens, view } from '#records/view'
import { grants, isForeign } from './abilities.ts'
import type { Rule } from './rule.ts'

/** Views that one person may have. */
const MAX_VIEWS = 500

/** A view is of whoever saved it, on a screen that they may see. */
export const viewRule: Rule<typeof view> = {
  prepare({ call: { actor } }, { row, before }) {
    if (!before) row.user_id = actor.kind === 'user' ? actor.id : null
    row.shared ||= row.user_id === null
    row.permission = row.screen && screens[row.screen]
  },

  async check({ call: { actor }, tx }, { before, row, addError }) {
    if (before && isForeign(actor, view, before))
      throw new Problem('forbidden', 'You may use this view, but only its owner or an admin may change it')
    if (!row) return
    const { permissions } = actor
    if (permissions && row.screen && !grants(permissions, screens[row.screen], 'read'))
      addError('screen', new ValidationError('forbidden', 'is not a screen that you may see'))
    if (new URLSearchParams(row.query ?? '').has('api_key'))
      addError('query', new ValidationError('forbidden', 'must not hold a key', { remedy: 'Leave api_key out' }))
    if (row.user_id === null) return
    const own = await tx
      .asSystem('names are unique among the views of a person')
      .list(view, { filters: [{ field: 'user_id', op: '=', value: row.user_id }], limit: MAX_VIEWS + 1 }, [
        'id',
        'name',
        'screen',
      ])
    const others = own.filter(({ id }) => id !== row.id)
    const isTaken = ({ name, screen }: { name: string; screen: string }) =>
      screen === row.screen && name.toLowerCase() === row.name?.toLowerCase()
    if (others.some(isTaken)) addError('name', validationError.taken())
    if (!before && others.length >= MAX_VIEWS)
      addError(
        'name',
        new ValidationError('too_many', `would be of one view more than the ${MAX_VIEWS} that a person may have`, {
          params: { max: MAX_VIEWS },
        }),
      )
  },
}
