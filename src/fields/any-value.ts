import { parseJson } from './id.ts'
import { type FieldOf, fieldOf, type Options, type Raw } from './kind.ts'

/** A value of whatever field: as it stands in JSON; in XML the text of that. */
export function anyValue<const O extends Options<Raw>>(options?: O): FieldOf<Raw, O> {
  return fieldOf<Raw, O>(
    {
      kind: 'any',
      shape: 'leaf',
      column: 'json',
      parse: (raw) => raw,
      text: (value) => JSON.stringify(value),
      json: (value) => value,
      // In a wrapping, since one database gives JSON as text and the other gives the value, which may be a text itself.
      load: (stored) => parseJson<{ value: Raw }>(stored).value,
      save: (value) => JSON.stringify({ value }),
      schema: { type: ['string', 'number', 'boolean', 'object', 'array'] },
      samples: { good: [], bad: [] },
    },
    options,
  )
}
