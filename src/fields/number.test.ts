import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ValidationError } from './kind.ts'
import { decimal, integer, plainDecimal, plainInteger } from './number.ts'

const context = { path: 'v', errors: [] }

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((list) => list.join(''))

/** Decimals as people and programs write them: `-0012.50`, `.5`, `5.`, `+1E3`. */
const written = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.oneof(
      fc.tuple(digits(1, 12), fc.constant('')),
      fc.tuple(
        digits(1, 12),
        digits(0, 12).map((text) => `.${text}`),
      ),
      fc.tuple(
        fc.constant(''),
        digits(1, 12).map((text) => `.${text}`),
      ),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(15)).map((e) => e.join('')),
    ),
    fc.constantFrom('', ' ', '\n '),
  )
  .map(([sign, [whole, fraction], exponent, space]) => `${space}${sign}${whole}${fraction}${exponent}${space}`)

describe('a decimal', () => {
  test('of any spelling becomes canonical, and is the same number', () => {
    fc.assert(
      fc.property(written, (text) => {
        const canonical = plainDecimal(text)
        assert.match(canonical ?? '', /^(-(?!0\.0$))?(0|[1-9]\d*)\.(0|\d*[1-9])$/)
        assert.equal(plainDecimal(canonical ?? ''), canonical)
        assert.ok(sameNumber(canonical ?? '', text), `${text} became ${canonical}`)
      }),
      { numRuns: 5000 },
    )
  })

  test('is refused when it is no number, or takes more than 60 digits', () => {
    const bad = [
      '',
      ' ',
      '.',
      '-',
      '+.',
      'e5',
      '1e',
      '1e+',
      '--1',
      '1 2',
      '1_000',
      '1,5',
      '0x10',
      '٣',
      'NaN',
      '1e999',
      '1e-61',
      '1'.repeat(61),
    ]
    for (const text of bad) assert.equal(plainDecimal(text), null, text)
    assert.equal(plainDecimal('1'.repeat(60)), `${'1'.repeat(60)}.0`)
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) assert.equal(plainDecimal(text), null)
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps to its bounds, both included', () => {
    const lat = decimal({ min: -90, max: 90 })
    for (const good of ['90', '-90', '89.999999999999999', 0, -36.8436]) lat.parse(good, context)
    for (const bad of ['90.5', '-91', '1e3', 181]) assert.throws(() => lat.parse(bad, context), ValidationError)
  })

  test('of JSON is the number that was written there', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), (number) => {
        const text = plainDecimal(String(number))
        if (text !== null) assert.equal(Number(text), number === 0 ? 0 : number)
      }),
    )
  })
})

describe('an integer', () => {
  test('is sign and digits within 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.constantFrom('', '+', '0'), (number, lead) => {
        const text = number < 0n ? `-${String(-number)}` : `${lead}${number}`
        const fits = BigInt.asIntN(64, number) === number
        assert.equal(plainInteger(text), fits ? number : null)
      }),
    )
    for (const bad of ['', '5.0', '1e3', '0x1f', '1_000', '5 6', '٣', '- 5', 'Infinity'])
      assert.equal(plainInteger(bad), null, bad)
  })

  test('is one that JavaScript holds exactly, and says what is wrong with another', () => {
    const field = integer()
    assert.equal(field.parse(Number.MAX_SAFE_INTEGER, context), Number.MAX_SAFE_INTEGER)
    const wrongs = { '9007199254740993': /less than or equal/, '5.9': /must be an integer/, abc: /is not a number/ }
    for (const [text, message] of Object.entries(wrongs)) assert.throws(() => field.parse(text, context), { message })
    assert.throws(() => field.parse(5.5, context), { message: 'must be an integer' })
    assert.throws(() => field.parse(1e21, context), ValidationError)
    assert.throws(() => integer({ min: 0 }).parse('-1', context), { message: 'must be greater than or equal to 0' })
  })
})

/** Whether two decimals are one number, by whole numbers alone. */
function sameNumber(a: string, b: string): boolean {
  const [[n, scaleOfN], [m, scaleOfM]] = [scaled(a), scaled(b)]
  const scale = Math.max(scaleOfN, scaleOfM)
  return n * 10n ** BigInt(scale - scaleOfN) === m * 10n ** BigInt(scale - scaleOfM)
}

function scaled(text: string): [number: bigint, scale: number] {
  const [mantissa = '', exponent = '0'] = text.trim().toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.')
  const scale = fraction.length - Number(exponent)
  const number = BigInt(`${whole}${fraction}` || '0') * (mantissa.startsWith('-') ? -1n : 1n)
  return scale < 0 ? [number * 10n ** BigInt(-scale), 0] : [number, scale]
}
