import {
  array,
  choice,
  type Field,
  id,
  instant,
  part,
  price,
  ref,
  text,
  texts,
  uuidRef,
  ValidationError,
} from '#fields'
import { plainBoolean } from '#fields/flag'
import { joinQuoted, splitQuoted } from '#fields/quoted'
import { location } from './location.ts'

/** What templates and jobs have in common. (docs/contract.md#templates-and-custom-fields) */

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
  completed_at: instant({ workerEditable: true, about: 'When it was completed' }),
  completed_by_user_id: ref('user', { server: true, about: 'Who completed it' }),
}

/** The pieces, for what shows a part of them. */
export const work = { step }

const plainValue = text({ workerEditable: true, about: 'What was filled in' })
const plainText = text({ required: true })

/** A text; what several of are chosen may come as a list, and is kept as one text of them. */
const filledIn: Field<string | null> = {
  ...plainValue,
  samples: { ...plainValue.samples, bad: [{ a: 'x' }, [['x']]] },
  parse: (raw, place) =>
    Array.isArray(raw)
      ? plainValue.parse(joinQuoted(raw.map((one) => plainText.parse(one, place))), place)
      : plainValue.parse(raw, place),
}

/** Of a job, where a phone fills them in; a template's are the office's. */
interface WorkerOptions {
  workerEditable?: true
}

export const steps = (options: WorkerOptions = {}) =>
  array('step', step, { ...options, match: ['id', 'name'], max: 200, about: 'Steps, in order' })

export const customFields = (options: WorkerOptions = {}) =>
  array(
    'custom_field',
    {
      id: id(),
      name: text({ required: true, max: 255, about: 'Its label' }),
      type: choice(customFieldTypes, { default: 'text', about: 'What it holds' }, { free_text: 'text' }),
      value: filledIn,
      permission: choice(['optional', 'read_only', 'hidden', 'required'], {
        default: 'optional',
        about: 'What a phone may do with it',
      }),
      options: {
        ...texts('option', { about: 'What can be chosen' }),
        onlyWhen: ofType('pick_list', 'multi_pick_list'),
      },
      show_when: part(
        {
          field: text({ required: true, max: 255, about: 'Name of a choice or checkbox of the same record' }),
          value: text({ about: 'What it must say' }),
        },
        { about: 'Shown only where another field says so' },
      ),
      attachment_id: { ...uuidRef('attachment', { server: true, about: 'Id of its JPEG' }), onlyWhen: ofType('image') },
      signature_id: {
        ...uuidRef('signature', { server: true, about: 'Id of its PNG' }),
        onlyWhen: ofType('signature'),
      },
    },
    {
      ...options,
      redactForWorker: redactHiddenFields,
      match: ['id', 'name'],
      max: 500,
      about: 'Custom fields, in order',
    },
  )

/** What decides whether a custom field is shown. */
interface Revealed {
  name: string
  type: string
  value: string | null
  permission: string
  show_when: { field: string; value: string | null } | null
}

/** Whether a field is revealed by the one that it depends on. */
export function isRevealed({ show_when: when }: Revealed, fields: Revealed[]): boolean {
  if (!when) return true
  const other = fields.find(({ name }) => name === when.field)
  const value: string | null = other?.value ?? null
  if (other?.type === 'checkbox' && value !== null) return plainBoolean(value) === plainBoolean(when.value ?? '')
  return value === when.value || (value !== null && splitQuoted(value).some((one) => one === when.value))
}

/** Without those that are hidden; where one of these reveals another, that is decided here, and not told. */
function redactHiddenFields<F extends Revealed>(fields: F[]): F[] {
  const named = new Map(fields.toReversed().map((field) => [field.name, field]))
  const isHidden = (name: string) => named.get(name)?.permission === 'hidden'
  return fields.flatMap((field) => {
    if (field.permission === 'hidden') return []
    if (!field.show_when || !isHidden(field.show_when.field)) return [field]
    return isRevealed(field, fields) ? [{ ...field, show_when: null }] : []
  })
}

export const lineItems = () => {
  const items = array(
    'line_item',
    {
      id: id(),
      code: text({ max: 255, about: 'Item code' }),
      description: text({ about: 'What it is' }),
      quantity: price({ about: 'How many are planned' }),
      actual_quantity: price({ workerEditable: true, about: 'How many were used' }),
      price: price({ workerReadable: 'mobile_invoice', about: 'Price of one, written as it was sent' }),
    },
    { workerEditable: true, match: ['id', 'code'], max: 2000, about: 'What is used and charged' },
  )
  // Those that were kept before items had ids are numbered, until their job is changed.
  const load: typeof items.load = (stored) => items.load(stored).map((item, i) => ({ ...item, id: item.id ?? i + 1 }))
  return { ...items, load }
}

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
      normalize: ({ from, to }) =>
        from && to && to < from ? [['to', new ValidationError('too_early', 'must not be before from')]] : [],
      about: 'When work may happen',
    },
  )
