import { quotedAt, skipBlanks } from '#fields/quoted'

/** One term of a search: what must hold of a field, or a text to look for. */
export interface Term {
  field: string | null
  value: string
}

/**
 * The terms of `search`, with commas between: `@name:Harbour,@state=assigned,crane`. A value in double quotes may hold
 * commas and keeps its blanks, and a doubled quote in it stands for one: `@name:"Smith, John"`.
 */
export function termsOf(text: string): Term[] {
  const terms: Term[] = []
  for (let at = 0; at <= text.length; ) {
    const begins = skipBlanks(text, at)
    const named = /[@]([A-Za-z0-9_-]{1,64})[ \t]*[:=]/y
    named.lastIndex = begins
    const field = named.exec(text)?.[1] ?? null
    const from = skipBlanks(text, field === null ? begins : named.lastIndex)
    const quoted = quotedAt(text, from)
    const comma = text.indexOf(',', quoted?.end ?? from)
    const end = comma < 0 ? text.length : comma
    const value = quoted ? quoted.value : text.slice(from, end).trim()
    if (field !== null || value !== '') terms.push({ field, value })
    at = end + 1
  }
  return terms
}
