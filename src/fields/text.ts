import { asText, type Field, type FieldOf, fieldOf, type Options, type Raw, validationError } from './kind.ts'

/** Text as it came, of so many characters at most. */
const plain = (max: number): Field<string> => ({
  kind: 'text',
  shape: 'leaf',
  column: 'text',
  parse: (raw) => checkLength(asText(raw), max),
  text: (value) => value,
  json: (value) => value,
  load: String,
  save: (value) => value,
  schema: { type: 'string', maxLength: max },
  samples: { good: ['x', ' a  b ', 'é 漢 😀 <&>"\'', 'line\nline\tx\r', ']]>', '0'], bad: [{ a: 'x' }, ['x']] },
})

/** Text of any length up to `max` characters (65,535 unless said otherwise). Kept as it came. */
export function text<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  return fieldOf(plain(options?.max ?? 65_535), options)
}

/** An e-mail address; unique without regard to case where it is unique. */
export function email<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  return fieldOf(
    {
      ...plain(255),
      max: 255,
      kind: 'email',
      caseless: true,
      parse: (raw: Raw) => {
        const value = checkLength(asText(raw).trim(), 255)
        if (value === '') throw validationError.blank()
        if (!/^[^@\s]+@[^@\s]+$/.test(value)) throw validationError.invalid('Say an address such as ana@example.com')
        return value
      },
      schema: { type: 'string', format: 'email', maxLength: 255 },
      samples: { good: ['jo@example.com', 'J.O+x@Example.Com'], bad: ['jo', 'a b@c', '@', 'a@b@c d', ['a@b']] },
    },
    options,
  )
}

/** One of a closed list of words; `also` are others that callers know one by. */
export function choice<const W extends string, const O extends Options<W>>(
  words: readonly W[],
  options?: O,
  also: { [word: string]: NoInfer<W> } = {},
): FieldOf<W, O> {
  return fieldOf<W, O>(
    {
      kind: 'choice',
      shape: 'leaf',
      column: 'text',
      parse(raw) {
        const said = asText(raw).trim()
        if (said === '') throw validationError.blank()
        const meant = Object.hasOwn(also, said) ? also[said] : said
        const word = words.find((one) => one === meant)
        if (word === undefined) throw validationError.notInList(words)
        return word
      },
      text: String,
      json: (value) => value,
      // One that was taken out of the list since is still read.
      load: (stored) => stored as W,
      save: (value) => value,
      schema: { type: 'string', enum: words },
      samples: { good: [...words], bad: ['no such word', words[0]?.toUpperCase() ?? '', ['x']] },
    },
    options,
  )
}

/** A price: text that looks like a decimal, written as it was sent (`85.00` stays `85.00`). */
export function price<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  return fieldOf<string, O>(
    {
      ...plain(40),
      kind: 'price',
      parse: (raw: Raw) => {
        const value = checkLength(asText(raw).trim(), 40)
        if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value)) throw validationError.notNumber()
        return value
      },
      schema: { type: 'string', pattern: '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)$', maxLength: 40 },
      samples: {
        good: ['85.00', '0', '-1.50', '.5', '12345678901234567890.12'],
        bad: ['abc', '1,5', '', '1e3', '$5', '٣'],
      },
    },
    options,
  )
}

/** An address on the web, http or https. */
export function link<const O extends Options<string>>(options?: O): FieldOf<string, O> {
  return fieldOf(
    {
      ...plain(2048),
      max: 2048,
      kind: 'link',
      parse: (raw: Raw) => {
        const value = checkLength(asText(raw).trim(), 2048)
        if (value === '') throw validationError.blank()
        if (!/^https?:\/\/[^\s/]/i.test(value) || !URL.canParse(value))
          throw validationError.invalid('Say a whole address such as https://example.com/path')
        return value
      },
      schema: { type: 'string', format: 'uri', maxLength: 2048 },
      samples: {
        good: ['https://example.com/a?b=c#d'],
        bad: ['ftp://example.com', 'javascript:alert(1)', 'http://', 'https://example.com:99999/', 'http://[::1/'],
      },
    },
    options,
  )
}

/** A password: read, digested before it is kept, never written to any wire, log or event. */
export const secret = <const O extends Options<string>>(options: O): FieldOf<string, O & { writeOnly: true }> =>
  fieldOf({ ...plain(1000), kind: 'secret', secret: true }, { max: 1000, writeOnly: true, ...options })

function checkLength(value: string, max: number): string {
  // Code points, as a person counts; the cheap length first, of which a code point has two at most.
  if (value.length > 2 * max || (value.length > max && [...value].length > max)) throw validationError.tooLong(max)
  // A NUL can't be kept by PostgreSQL, and no XML can carry it.
  if (value.includes('\0')) throw validationError.invalid()
  return value
}
