import { type FieldError, fieldError, ValidationError, validationError } from '#fields'
import { PAGE_SIZE } from '#limits'
import { invalid } from '#problem'
import { lastValue } from './target.ts'

/** What a whole number among the parameters may be. */
export interface IntegerRange {
  default: number
  min: number
  max: number
  /** More than the most is the most, and no fault. */
  cut?: true
}

export const pagingLimits: { page: IntegerRange; per_page: IntegerRange } = {
  page: { default: 1, min: 1, max: 1_000_000 },
  per_page: { ...PAGE_SIZE, min: 1, cut: true },
}

/** Parameters that every address takes. */
export const commonParameters = ['api_key', 'use_third_party_id', 'include']

/**
 * Whole numbers among the parameters of an address. What it doesn't take is a fault, never a silently different answer.
 * @throws Problem invalid (422)
 */
export function readIntegers<N extends string>(
  query: URLSearchParams,
  numbers: { [name in N]: IntegerRange },
  others: string[] = [],
): { [name in N]: number } {
  const errors: FieldError[] = []
  const read = Object.entries<IntegerRange>(numbers).map(([name, number]) => {
    const value = wholeOf(lastValue(query, name), number)
    if (value instanceof ValidationError) errors.push(fieldError(name, value))
    return [name, value]
  })
  refuseUnknownParameters(query, [...Object.keys(numbers), ...others], errors)
  if (errors.length > 0) throw invalid(errors)
  return Object.fromEntries(read)
}

/** Notes each parameter that an address does not take. */
export function refuseUnknownParameters(query: URLSearchParams, known: string[], errors: FieldError[]): void {
  for (const name of new Set(query.keys()))
    if (!known.includes(name) && !commonParameters.includes(name))
      errors.push({ field: name, code: 'unknown', message: 'is not a parameter here' })
}

/** The whole number that a text says, or what is wrong with it. */
export function wholeOf(
  text: string | null,
  { default: fallback, min, max, cut }: IntegerRange,
): number | ValidationError {
  if (!text) return fallback
  if (!/^-?\d+$/.test(text))
    return /^-?\d+\.\d+$/.test(text) ? validationError.notInteger() : validationError.notNumber()
  const value = Number(text)
  if (value < min) return validationError.tooSmall(min)
  return value <= max ? value : cut ? max : validationError.tooLarge(max)
}
