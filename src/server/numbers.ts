import { type Fault, faultAt, type Wrong, wrong } from '#fields'
import { invalid } from '#problem'
import { last } from './target.ts'

/** What a whole number among the parameters may be. */
export interface Whole {
  default: number
  least: number
  most: number
}

export const pages: { page: Whole; per_page: Whole } = {
  page: { default: 1, least: 1, most: 1_000_000 },
  per_page: { default: 50, least: 1, most: 1000 },
}

/** Parameters that every address takes. */
export const always = ['api_key', 'use_third_party_id', 'include']

/**
 * Whole numbers among the parameters of an address. What it doesn't take is a fault, never a silently different answer.
 * @throws Problem invalid (422)
 */
export function readNumbers<N extends string>(
  query: URLSearchParams,
  numbers: { [name in N]: Whole },
  others: string[] = [],
): { [name in N]: number } {
  const faults: Fault[] = []
  const read = Object.entries<Whole>(numbers).map(([name, { default: fallback, least, most }]) => {
    const text = last(query, name)
    if (!text) return [name, fallback]
    const value = Number(text)
    const problem = faultOf(text, { least, most })
    if (problem) faults.push(faultAt(name, problem))
    return [name, value]
  })
  for (const name of new Set(query.keys()))
    if (!(name in numbers) && !others.includes(name) && !always.includes(name))
      faults.push({ field: name, code: 'unknown', message: 'is not a parameter here' })
  if (faults.length > 0) throw invalid(faults)
  return Object.fromEntries(read)
}

/** What is wrong with a text as a whole number. */
export function faultOf(text: string, { least, most }: Pick<Whole, 'least' | 'most'>): Wrong | null {
  if (!/^-?\d+$/.test(text)) return wrong.notNumber()
  const value = Number(text)
  return value < least ? wrong.tooSmall(least) : value > most ? wrong.tooLarge(most) : null
}
