import { plainDay } from './instant.ts'
import { asText, type Field, type FieldOf, fieldOf, type Options, validationError } from './kind.ts'
import { text } from './text.ts'

const { required: _, ...plain } = text({ max: 10, required: true })

/** A day of the calendar, `2026-12-07`, in no zone. Sorts as it is said. */
const kind: Field<string> = {
  ...plain,
  kind: 'day',
  type: 'date',
  parse(raw) {
    const said = asText(raw).trim()
    const value = /^\d{4}-\d\d-\d\d$/.test(said) ? plainDay(said) : null
    if (value === null) throw validationError.invalid('Say a day such as 2026-12-07')
    return value
  },
  schema: { type: 'string', format: 'date' },
  samples: {
    good: ['9999-12-31', '2026-12-07', '0001-01-01', '2400-02-29'],
    bad: ['2026-02-30', '7.12.2026', '2026-12-07T08:00:00Z', 'Monday', ['2026-12-07']],
  },
}

export function day<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  return fieldOf(kind, options)
}
