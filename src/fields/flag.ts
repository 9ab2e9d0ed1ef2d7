import { type FieldOf, fieldOf, type Options, type Raw, validationError } from './kind.ts'

/** Yes or no. */
export function flag<const O extends Options<boolean>>(options?: O): FieldOf<boolean, O> {
  return fieldOf<boolean, O>(
    {
      kind: 'flag',
      shape: 'leaf',
      column: 'boolean',
      type: 'boolean',
      parse: (raw: Raw) => {
        const value = plainBoolean(
          typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : '',
        )
        if (value === null) throw validationError.invalid('Say true or false')
        return value
      },
      text: String,
      json: (value: boolean) => value,
      load: (stored: unknown) => stored === true || stored === 1,
      save: (value: boolean) => (value ? 1 : 0),
      schema: { type: 'boolean' },
      samples: { good: [true, false], bad: ['maybe', '2', 'yess', 3, ['true']] },
    },
    options,
  )
}

/** true 1 t y yes on / false 0 f n no off, in any case; null for anything else. */
export function plainBoolean(text: string): boolean | null {
  const word = text.trim().toLowerCase()
  if (['true', '1', 't', 'y', 'yes', 'on'].includes(word)) return true
  if (['false', '0', 'f', 'n', 'no', 'off'].includes(word)) return false
  return null
}
