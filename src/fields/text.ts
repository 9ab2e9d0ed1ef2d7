import { asText, type Field, type Maybe, type Options, type Raw, wrong } from './kind.ts'

const leaf = {
  shape: 'leaf',
  column: 'text',
  text: (value: string) => value,
  json: (value: string) => value,
  load: (stored: unknown) => stored as string,
  save: (value: string) => value,
} as const

/** Text of any length up to `max` characters (65,535 unless said otherwise). Kept as it came. */
export function text<const O extends Options<string>>(options?: O): Field<Maybe<string, O>> {
  const max = options?.max ?? 65_535
  return {
    kind: 'text',
    ...leaf,
    parse: (raw: Raw) => within(asText(raw), max),
    schema: { type: 'string', maxLength: max },
    samples: { good: ['x', ' a  b ', 'é 漢 😀 <&>"\'', 'line\nline\tx\r', ']]>', '0'], bad: [{ a: 'x' }, ['x']] },
    ...options,
  } as Field<Maybe<string, O>>
}

/** An e-mail address; unique without regard to case where it is unique. */
export function email<const O extends Options<string>>(options?: O): Field<Maybe<string, O>> {
  return {
    ...text({ max: 255, ...options }),
    kind: 'email',
    caseless: true,
    parse: (raw: Raw) => {
      const value = within(asText(raw).trim(), 255)
      if (value === '') throw wrong.blank()
      if (!/^[^@\s]+@[^@\s]+$/.test(value)) throw wrong.invalid()
      return value
    },
    schema: { type: 'string', format: 'email', maxLength: 255 },
    samples: { good: ['jo@example.com', 'J.O+x@Example.Com'], bad: ['jo', 'a b@c', '@', 'a@b@c d', ['a@b']] },
  } as Field<Maybe<string, O>>
}

/** One of a closed list of words. */
export function choice<const W extends string, const O extends Options<W>>(
  words: readonly W[],
  /** `also` are other words that callers know one by. */
  { also, ...options }: O & { also?: { [word: string]: W } } = {} as O,
): Field<Maybe<W, O>> {
  return {
    kind: 'choice',
    ...leaf,
    parse: (raw: Raw) => {
      const said = asText(raw).trim()
      const word = (also && Object.hasOwn(also, said) ? also[said] : said) as W
      if (!words.includes(word)) throw wrong.notInList()
      return word
    },
    schema: { type: 'string', enum: words },
    samples: { good: [...words], bad: ['no such word', words[0]?.toUpperCase() ?? '', ['x']] },
    ...options,
  } as unknown as Field<Maybe<W, O>>
}

/** A price: text that looks like a decimal, written as it was sent (`85.00` stays `85.00`). */
export function price<const O extends Options<string>>(options?: O): Field<Maybe<string, O>> {
  return {
    kind: 'price',
    ...leaf,
    parse: (raw: Raw) => {
      const value = within(asText(raw).trim(), 40)
      if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(value)) throw wrong.notNumber()
      return value
    },
    schema: { type: 'string', pattern: '^[+-]?(\\d+\\.?\\d*|\\.\\d+)$', maxLength: 40 },
    samples: {
      good: ['85.00', '0', '-1.50', '.5', '12345678901234567890.12'],
      bad: ['abc', '1,5', '', '1e3', '$5', '٣'],
    },
    ...options,
  } as Field<Maybe<string, O>>
}

/** An address on the web, http or https. */
export function link<const O extends Options<string>>(options?: O): Field<Maybe<string, O>> {
  return {
    ...text({ max: 2048, ...options }),
    kind: 'link',
    parse: (raw: Raw) => {
      const value = within(asText(raw).trim(), 2048)
      if (value === '') throw wrong.blank()
      if (!/^https?:\/\/[^\s/]+/i.test(value)) throw wrong.invalid()
      return value
    },
    schema: { type: 'string', format: 'uri', maxLength: 2048 },
    samples: { good: ['https://example.com/a?b=c#d'], bad: ['ftp://example.com', 'javascript:alert(1)', 'http://'] },
  } as Field<Maybe<string, O>>
}

/** A password: read, digested before it is kept, never written to any wire, log or event. */
export const secret = (options?: Options<string>) =>
  ({ ...text({ max: 1000, ...options }), kind: 'secret', writeOnly: true, secret: true }) as Field<string | null>

function within(value: string, max: number): string {
  // Code points, as a person counts; the cheap length first, of which a code point has two at most.
  if (value.length > 2 * max || (value.length > max && [...value].length > max)) throw wrong.tooLong(max)
  // A NUL can't be kept by PostgreSQL, and no XML can carry it.
  if (value.includes('\0')) throw wrong.invalid()
  return value
}
