import { ValidationError } from '#fields'
import { absence } from '#records/absence'
import { user } from '#records/user'
import { actsAsWorker } from './abilities.ts'
import { recheckHolidays } from './recurrence/index.ts'
import type { Rule } from './rule.ts'

/** A worker asks for their own; who plans enters what is granted. */
export const absenceRule: Rule<typeof absence> = {
  prepare({ call: { actor } }, { row }) {
    if (!actsAsWorker(actor, absence)) return
    row.user_id = actor.id
    row.state = 'asked'
  },

  async check({ tx }, { row, before, addError }) {
    if (!row) return
    if (row.from && row.to && row.to <= row.from)
      addError('to', new ValidationError('too_early', 'must be later than from', { remedy: 'Say when it ends' }))
    if (!row.user_id || row.user_id === before?.user_id) return
    const person = await tx.find(user, row.user_id)
    if (person && person.permissions.mobile !== 'full')
      addError(
        'user_id',
        new ValidationError('not_a_worker', `${person.id} (${person.name}) is no worker`, {
          params: { id: person.id, name: person.name },
          remedy: 'Choose a worker',
        }),
      )
  },

  async after(context, { row, before }) {
    if ([row, before].some((one) => one && one.user_id === null)) await recheckHolidays(context)
  },
}
