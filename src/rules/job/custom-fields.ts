import type { Actor } from '#call'
import { type RawRow, Wrong, wrong } from '#fields'
import { plainBoolean } from '#fields/flag'
import { plainInstant } from '#fields/instant'
import { isShown } from '#records/work'
import type { Change } from '../rule.ts'

/** What a value of each type must look like; a type that isn't here takes any text. (records.md, 8) */
const forms: { [type: string]: (value: string, field: RawRow) => Wrong | null } = {
  number: (value) => (/^-?(\d+\.?\d*|\.\d+)$/.test(value) ? null : wrong.notNumber()),
  currency: (value) => (/^-?(\d+\.?\d*|\.\d+)$/.test(value) ? null : wrong.notNumber()),
  datetime: (value) => (plainInstant(value) ? null : wrong.invalid()),
  link: (value) => (/^https?:\/\/[^\s/]+/i.test(value) ? null : wrong.invalid()),
  checkbox: (value) => (plainBoolean(value) === null ? wrong.invalid() : null),
  pick_list: (value, { options }) => (options.length === 0 || options.includes(value) ? null : wrong.notInList()),
  multi_pick_list: (value, { options }) =>
    options.length === 0 || value.split(',').every((one) => options.includes(one.trim())) ? null : wrong.notInList(),
  header: () => new Wrong('not_for_header', 'is not for a header'),
}

/** Checks what custom fields say, and that a phone doesn't end a job before it has filled what it must. */
export function checkValues(actor: Actor, { row, before, fault }: Change & { row: RawRow }): void {
  const old = new Map<number, RawRow>((before?.custom_fields ?? []).map((field: RawRow) => [field.id, field]))
  row.custom_fields.forEach((field: RawRow, i: number) => {
    const at = `custom_fields[${i}]`
    if (field.type === 'link' && !['hidden', 'read_only'].includes(field.permission)) field.permission = 'read_only'
    if (field.value !== null && field.value !== old.get(field.id)?.value) {
      const problem = ['image', 'signature'].includes(field.type) ? null : forms[field.type]?.(field.value, field)
      if (problem) fault(`${at}.value`, problem)
    }
    const shown = field.show_when && row.custom_fields.find(({ name }: RawRow) => name === field.show_when.field)
    if (field.show_when && !['pick_list', 'multi_pick_list', 'checkbox'].includes(shown?.type))
      fault(`${at}.show_when.field`, wrong.invalid(), 'Name a choice or a checkbox of the same record')
  })
  const onPhone = actor.kind === 'user' && actor.id === row.worker_id
  if (onPhone && row.completed_at && !before?.completed_at)
    row.custom_fields.forEach((field: RawRow, i: number) => {
      const filled = field.value ?? field.attachment_id ?? field.signature_id
      if (field.permission === 'required' && !filled && isShown(field, row.custom_fields))
        fault(`custom_fields[${i}].value`, wrong.blank(), `Fill in ${field.name} before the last step`)
    })
}
