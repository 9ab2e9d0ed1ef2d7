import { type Bad, type Field, type Maybe, type Options, type Raw, wrong } from './kind.ts'

/** A whole number that JavaScript holds exactly. Durations are integers, in seconds. */
export function integer<const O extends Options<number>>(options?: O): Field<Maybe<number, O>> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options ?? {}
  return {
    kind: 'integer',
    shape: 'leaf',
    column: 'integer',
    type: 'integer',
    parse: (raw: Raw) => {
      const value = parseInteger(raw)
      if (value < min) throw wrong.tooSmall(min)
      if (value > max) throw wrong.tooLarge(max)
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
    ...options,
  } as Field<Maybe<number, O>>
}

/** An exact decimal, kept and given as text: no exponent, no trailing zeros, at least one digit after the point. */
export function decimal<const O extends Options<string>>(options?: O): Field<Maybe<string, O>> {
  return {
    kind: 'decimal',
    shape: 'leaf',
    column: 'decimal',
    type: 'decimal',
    parse: (raw: Raw) => {
      const value = parseDecimal(raw)
      if (options?.min !== undefined && Number(value) < options.min) throw wrong.tooSmall(options.min)
      if (options?.max !== undefined && Number(value) > options.max) throw wrong.tooLarge(options.max)
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
        ...(options?.max === undefined ? ['0.00000001', '12345678901234567890.123456789'] : []),
      ],
      bad: ['abc', '1,5', '12abc', '.', 'NaN', 'Infinity', '1e99999', true, ['1']],
    },
    ...options,
  } as Field<Maybe<string, O>>
}

const MOST_DIGITS = 60
const canonical = /^(?:-(?!0\.0$))?(?:0|[1-9]\d*)\.(?:0|\d*[1-9])$/

/** `-0012.50` → `-12.5`, `1e3` → `1000.0`; null when it isn't a number or would take more than 60 digits. */
export function plainDecimal(text: string): string | null {
  if (text.length <= MOST_DIGITS && canonical.test(text)) return text
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim())
  if (!parts) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  if (whole === '' && fraction === '') return null
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction)
    .padStart(whole.length + fraction.length + Math.max(0, -point), '0')
    .padEnd(point, '0')
  if (digits.length > MOST_DIGITS) return null
  const cut = Math.max(point, 0)
  const left = digits.slice(0, cut).replace(/^0+(?=\d)/, '') || '0'
  const right = digits.slice(cut).replace(/0+$/, '') || '0'
  return `${sign === '-' && /[1-9]/.test(left + right) ? '-' : ''}${left}.${right}`
}

/** Sign and digits within 64 bits. */
export function plainInteger(text: string): bigint | null {
  if (!/^\s*[+-]?\d{1,30}\s*$/.test(text)) return null
  const value = BigInt(text.trim().replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? value : null
}

function parseDecimal(raw: Raw): string {
  const value =
    typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint' ? plainDecimal(String(raw)) : null
  if (value === null) throw wrong.notNumber()
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
  return plainDecimal(text) === null ? wrong.notNumber() : wrong.notInteger()
}

/** The fault of a leaf that didn't keep to the type it gave. */
export function faultOf(bad: Bad) {
  if (bad.type === 'integer') return notInteger(bad.text)
  return ['decimal', 'float', 'double'].includes(bad.type) ? wrong.notNumber() : wrong.invalid()
}
