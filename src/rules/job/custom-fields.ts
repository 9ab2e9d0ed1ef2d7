import type { Actor } from '#call'
import { ValidationError, validationError } from '#fields'
import { plainBoolean } from '#fields/flag'
import { plainInstant } from '#fields/instant'
import { joinQuoted, splitQuoted } from '#fields/quoted'
import type { Job, job } from '#records/job'
import { isRevealed } from '#records/work'
import type { Saving } from '../rule.ts'

type CustomField = Job['custom_fields'][number]

/** What a value of each type must look like; a type that isn't here takes any text. (docs/contract.md#templates-and-custom-fields) */
const validators: { [T in CustomField['type']]?: (value: string, field: CustomField) => ValidationError | null } = {
  number: (value) => (/^-?(\d+(\.\d*)?|\.\d+)$/.test(value) ? null : validationError.notNumber()),
  currency: (value) => (/^-?(\d+(\.\d*)?|\.\d+)$/.test(value) ? null : validationError.notNumber()),
  datetime: (value) =>
    plainInstant(value) ? null : validationError.invalid('Say an instant such as 2026-11-20T09:15:00Z'),
  link: (value) =>
    /^https?:\/\/[^\s/]+/i.test(value)
      ? null
      : validationError.invalid('Say an address such as https://example.com/path'),
  checkbox: (value) => (plainBoolean(value) === null ? validationError.invalid('Say true or false') : null),
  pick_list: (value, { options }) =>
    options.length === 0 || options.includes(value) ? null : validationError.notInList(options),
  multi_pick_list(value, field) {
    const options = new Set(field.options)
    // One whole option, commas and all, is what was meant.
    if (options.has(value)) field.value = joinQuoted([value])
    else if (options.size > 0 && !splitQuoted(value).every((one) => options.has(one)))
      return validationError.notInList(field.options)
    return null
  },
  header: () => new ValidationError('not_for_header', 'is not for a header'),
  image: () => new ValidationError('not_for_file', 'is filled by a photo only'),
  signature: () => new ValidationError('not_for_file', 'is filled by a signature only'),
}

/** A value as it is kept: what is empty is none, and a checkbox says one word for yes. */
function storedValue({ type, value }: CustomField): string | null {
  if (type === 'text') return value
  if (value?.trim() === '') return null
  const checked = type === 'checkbox' ? plainBoolean(value ?? '') : null
  return checked === null ? value : String(checked)
}

/** Makes a value what is kept of it; answers what is wrong with it. */
export function normalizeValue(field: CustomField): ValidationError | null {
  field.value = storedValue(field)
  return field.value === null ? null : (validators[field.type]?.(field.value, field) ?? null)
}

/** What fills a field: a file fills those of files. */
const filledValue = ({ type, value, attachment_id, signature_id }: CustomField) =>
  type === 'image' ? attachment_id : type === 'signature' ? signature_id : value

/** Checks what custom fields say, and that a phone doesn't end a job before it has filled what it must. */
export function checkValues(actor: Actor, { row, before, addError }: Saving<typeof job>): void {
  const old = new Map(before?.custom_fields.map((field) => [field.id, field]))
  row.custom_fields.forEach((field, i) => {
    const at = `custom_fields[${i}]` as const
    if (field.type === 'link' && !['hidden', 'read_only'].includes(field.permission)) field.permission = 'read_only'
    const problem = field.value === old.get(field.id)?.value ? null : normalizeValue(field)
    if (problem) addError(`${at}.value`, problem)
    const when = field.show_when
    const shown = when && row.custom_fields.find(({ name }) => name === when.field)
    if (when && !['pick_list', 'multi_pick_list', 'checkbox'].includes(shown?.type ?? ''))
      addError(`${at}.show_when.field`, validationError.invalid(), 'Name a choice or a checkbox of the same record')
  })
  const isAssignedWorker = actor.kind === 'user' && actor.id === row.worker_id
  if (isAssignedWorker && row.completed_at && !before?.completed_at)
    row.custom_fields.forEach((field, i) => {
      if (field.permission === 'required' && !filledValue(field) && isRevealed(field, row.custom_fields))
        addError(`custom_fields[${i}].value`, validationError.blank(), `Fill in ${field.name} before the last step`)
    })
}
