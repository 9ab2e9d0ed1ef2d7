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
  image: () => new Wrong('not_for_file', 'is filled by a photo only'),
  signature: () => new Wrong('not_for_file', 'is filled by a signature only'),
}

/** A value as it is kept: what is empty is none, and a checkbox says one word for yes. */
function kept({ type, value }: RawRow): string | null {
  if (type === 'text') return value
  if (value?.trim() === '') return null
  const checked = type === 'checkbox' ? plainBoolean(value ?? '') : null
  return checked === null ? value : String(checked)
}

/** Makes a value what is kept of it; answers what is wrong with it. */
export function settleValue(field: RawRow): Wrong | null {
  field.value = kept(field)
  return field.value === null ? null : (forms[field.type]?.(field.value, field) ?? null)
}

/** What fills a field: a file fills those of files. */
const filled = ({ type, value, attachment_id, signature_id }: RawRow) =>
  type === 'image' ? attachment_id : type === 'signature' ? signature_id : value

/** Checks what custom fields say, and that a phone doesn't end a job before it has filled what it must. */
export function checkValues(actor: Actor, { row, before, fault }: Change & { row: RawRow }): void {
  const old = new Map<number, RawRow>((before?.custom_fields ?? []).map((field: RawRow) => [field.id, field]))
  row.custom_fields.forEach((field: RawRow, i: number) => {
    const at = `custom_fields[${i}]`
    if (field.type === 'link' && !['hidden', 'read_only'].includes(field.permission)) field.permission = 'read_only'
    const problem = field.value === old.get(field.id)?.value ? null : settleValue(field)
    if (problem) fault(`${at}.value`, problem)
    const shown = field.show_when && row.custom_fields.find(({ name }: RawRow) => name === field.show_when.field)
    if (field.show_when && !['pick_list', 'multi_pick_list', 'checkbox'].includes(shown?.type))
      fault(`${at}.show_when.field`, wrong.invalid(), 'Name a choice or a checkbox of the same record')
  })
  const onPhone = actor.kind === 'user' && actor.id === row.worker_id
  if (onPhone && row.completed_at && !before?.completed_at)
    row.custom_fields.forEach((field: RawRow, i: number) => {
      if (field.permission === 'required' && !filled(field) && isShown(field, row.custom_fields))
        fault(`custom_fields[${i}].value`, wrong.blank(), `Fill in ${field.name} before the last step`)
    })
}
