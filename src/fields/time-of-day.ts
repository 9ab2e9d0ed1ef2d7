import { asText, type Field, type FieldOf, fieldOf, type Options, ValidationError } from './kind.ts'
import { text } from './text.ts'

const FORM = /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/

const { required: _, ...plain } = text({ max: 5, required: true })

/** A time of day as people write it, `08:00`; `24:00` ends the day. Sorts as it is said. */
const kind: Field<string> = {
  ...plain,
  kind: 'time_of_day',
  parse(raw) {
    const said = asText(raw).trim()
    if (!FORM.test(said)) throw new ValidationError('not_a_time', 'must be a time of day such as 08:00')
    return said
  },
  schema: { type: 'string', pattern: FORM.source },
  samples: { good: ['08:00', '00:00', '24:00', '23:59'], bad: ['8:00', '24:01', '08:60', 'noon', ['08:00']] },
}

export function timeOfDay<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  return fieldOf(kind, options)
}
