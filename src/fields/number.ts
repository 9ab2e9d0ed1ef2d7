import { type FieldOf, fieldOf, type InvalidLiteral, type Options, type Raw, validationError } from './kind.ts'

/** A whole number that JavaScript holds exactly. Durations are integers, in seconds. */
export function integer<const O extends Options<number>>(options?: O): FieldOf<number, O> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options ?? {}
  return fieldOf<number, O>(
    {
      kind: 'integer',
      shape: 'leaf',
      column: 'integer',
      type: 'integer',
      parse: (raw: Raw) => {
        const value = parseInteger(raw)
        if (value < min) throw validationError.tooSmall(min)
        if (value > max) throw validationError.tooLarge(max)
        return Number(value)
      },
      text: String,
      json: (value: number) => value,
      load: (stored: unknown) => Number(stored),
      save: (value: number) => value,
      schema: {
        type: 'integer',
        ...(options?.min !== undefined && { minimum: min }),
        ...(options?.max !== undefined && { maximum: max }),
      },
      samples: {
        good: [Math.max(0, min), Math.min(5, max), ...(min < 0 ? [-5, min] : []), max],
        bad: ['abc', '5.9', '1e3', '12abc', '1_000', true, ['1'], '99999999999999999999'],
      },
    },
    options,
  )
}

/** An exact decimal, kept and given as text: no exponent, no trailing zeros, at least one digit after the point. */
export function decimal<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = options ?? {}
  return fieldOf<string, O>(
    {
      kind: 'decimal',
      shape: 'leaf',
      column: 'decimal',
      type: 'decimal',
      parse: (raw: Raw) => {
        const value = parseDecimal(raw)
        if (Number(value) < min) throw validationError.tooSmall(min)
        if (Number(value) > max) throw validationError.tooLarge(max)
        return value
      },
      text: (value: string) => value,
      json: (value: string) => value,
      load: (stored: unknown) => plainDecimal(String(stored)) ?? String(stored),
      save: (value: string) => value,
      schema: { type: 'string', pattern: '^-?\\d+\\.\\d+$' },
      samples: {
        good: [
          '0.0',
          '-36.8436',
          '0.00000001',
          '12345678901234567890.123456789',
          ...(options?.min === undefined ? [] : [`${options.min}.0`]),
        ].filter((value) => Number(value) >= min && Number(value) <= max),
        bad: ['abc', '1,5', '12abc', '.', 'NaN', 'Infinity', '1e99999', true, ['1']],
      },
    },
    options,
  )
}

const MAX_DIGITS = 60
const canonical = /^-?(?:0|[1-9]\d*)\.(?:0|\d*[1-9])$/

/** `-0012.50` → `-12.5`, `1e3` → `1000.0`; null when it isn't a number or would take more than 60 digits. */
export function plainDecimal(text: string): string | null {
  if (text.length <= MAX_DIGITS && canonical.test(text) && text !== '-0.0') return text
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim())
  if (!parts) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  if (whole === '' && fraction === '') return null
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction)
    .padStart(whole.length + fraction.length + Math.max(0, -point), '0')
    .padEnd(point, '0')
  if (digits.length > MAX_DIGITS) return null
  const cut = Math.max(point, 0)
  const left = digits.slice(0, cut).replace(/^0+(?=\d)/, '') || '0'
  const right = withoutZeros(digits.slice(cut)) || '0'
  return `${sign === '-' && /[1-9]/.test(left + right) ? '-' : ''}${left}.${right}`
}

const withoutZeros = (digits: string): string => (digits.endsWith('0') ? withoutZeros(digits.slice(0, -1)) : digits)

/** Sign and digits within 64 bits. */
export function plainInteger(text: string): bigint | null {
  if (!/^\s*[+-]?\d{1,30}\s*$/.test(text)) return null
  const value = BigInt(text.trim().replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? value : null
}

function parseDecimal(raw: Raw): string {
  const value =
    typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint' ? plainDecimal(String(raw)) : null
  if (value === null) throw validationError.notNumber()
  return value
}

function parseInteger(raw: Raw): number | bigint {
  if (typeof raw === 'number' && Number.isSafeInteger(raw)) return raw
  const text = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint' ? String(raw) : ''
  const value = plainInteger(text)
  if (value === null) throw notInteger(text)
  return value
}

/** What a text that is no integer should be told. */
function notInteger(text: string) {
  if (/^\s*[+]?\d+\s*$/.test(text)) return validationError.tooLarge(Number.MAX_SAFE_INTEGER)
  if (/^\s*-\d+\s*$/.test(text)) return validationError.tooSmall(Number.MIN_SAFE_INTEGER)
  return plainDecimal(text) === null ? validationError.notNumber() : validationError.notInteger()
}

/** The fault of a leaf that didn't keep to the type it gave. */
export function literalError(bad: InvalidLiteral) {
  if (bad.type === 'integer') return notInteger(bad.text)
  return ['decimal', 'float', 'double'].includes(bad.type) ? validationError.notNumber() : validationError.invalid()
}
