import { array, choice, id, instant, part, price, type RawRow, ref, text, texts, uuidRef, Wrong } from '#fields'
import { plainBoolean } from '#fields/flag'
import { location } from './location.ts'

/** What templates and jobs have in common. (records.md, 8 and 9) */

const ofType =
  (...types: string[]) =>
  (row: { type?: string }) =>
    types.includes(row.type ?? '')

export const customFieldTypes = [
  'text',
  'number',
  'datetime',
  'link',
  'checkbox',
  'currency',
  'location',
  'pick_list',
  'multi_pick_list',
  'image',
  'signature',
  'header',
] as const

const step = {
  id: id(),
  name: text({ required: true, max: 255, about: 'What is to be done' }),
  location: location(),
  completed_at: instant({ phone: true, about: 'When it was completed' }),
  completed_by_user_id: ref('user', { server: true, about: 'Who completed it' }),
}

/** The pieces, for what shows a part of them. */
export const work = { step }

/** Of a job, where a phone fills them in; a template's are the office's. */
interface Filling {
  phone?: true
}

export const steps = (options: Filling = {}) =>
  array('step', step, { ...options, match: ['id', 'name'], max: 200, about: 'Steps, in order' })

export const customFields = (options: Filling = {}) =>
  array(
    'custom_field',
    {
      id: id(),
      name: text({ required: true, max: 255, about: 'Its label' }),
      type: choice(customFieldTypes, { default: 'text', also: { free_text: 'text' }, about: 'What it holds' }),
      value: text({ phone: true, about: 'What was filled in' }),
      permission: choice(['optional', 'read_only', 'hidden', 'required'], {
        default: 'optional',
        about: 'What a phone may do with it',
      }),
      options: { ...texts('option', { about: 'What can be chosen' }), only: ofType('pick_list', 'multi_pick_list') },
      show_when: part(
        {
          field: text({ required: true, max: 255, about: 'Name of a choice or checkbox of the same record' }),
          value: text({ about: 'What it must say' }),
        },
        { about: 'Shown only where another field says so' },
      ),
      attachment_id: { ...uuidRef('attachment', { server: true, about: 'Id of its JPEG' }), only: ofType('image') },
      signature_id: { ...uuidRef('signature', { server: true, about: 'Id of its PNG' }), only: ofType('signature') },
    },
    {
      ...options,
      onPhone: shownOnPhone,
      match: ['id', 'name'],
      max: 500,
      about: 'Custom fields, in order',
    },
  )

/** Whether a field is revealed by the one that it depends on. */
export function isShown({ show_when: when }: RawRow, fields: RawRow[]): boolean {
  if (!when) return true
  const other = fields.find(({ name }) => name === when.field)
  const value: string | null = other?.value ?? null
  if (other?.type === 'checkbox' && value !== null) return plainBoolean(value) === plainBoolean(when.value ?? '')
  return value === when.value || (value?.split(',').some((one) => one.trim() === when.value) ?? false)
}

/** Without those that are hidden; where one of these reveals another, that is decided here, and not told. */
function shownOnPhone(fields: RawRow[]): RawRow[] {
  const isHidden = (name: string | undefined) => fields.find((field) => field.name === name)?.permission === 'hidden'
  return fields.flatMap((field) => {
    if (field.permission === 'hidden') return []
    if (!field.show_when || !isHidden(field.show_when.field)) return [field]
    return isShown(field, fields) ? [{ ...field, show_when: null }] : []
  })
}

export const lineItems = () =>
  array(
    'line_item',
    {
      code: text({ max: 255, about: 'Item code' }),
      description: text({ about: 'What it is' }),
      quantity: price({ about: 'How many are planned' }),
      actual_quantity: price({ phone: true, about: 'How many were used' }),
      price: price({ about: 'Price of one, written as it was sent' }),
    },
    { phone: true, match: ['code'], max: 2000, about: 'What is used and charged' },
  )

export const timeWindows = () =>
  array(
    'time_window',
    {
      from: instant({ required: true, about: 'Begins' }),
      to: instant({ required: true, about: 'Ends' }),
      kind: choice(['within', 'outside'], { default: 'within', about: 'Whether work belongs in it or out of it' }),
    },
    {
      match: [],
      max: 100,
      settle: ({ from, to }) =>
        from && to && to < from ? [['to', new Wrong('too_early', 'must not be before from')]] : [],
      about: 'When work may happen',
    },
  )
