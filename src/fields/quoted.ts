/** Texts in one, with commas between. One that holds commas, quotes or blanks at its ends is in double quotes (RFC 4180). */

export function splitQuoted(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at <= text.length; ) {
    const from = skipBlanks(text, at)
    const quoted = quotedAt(text, from)
    const comma = text.indexOf(',', quoted?.end ?? from)
    const end = comma < 0 ? text.length : comma
    found.push(quoted ? quoted.value : text.slice(from, end).trim())
    at = end + 1
  }
  return found
}

export const joinQuoted = (texts: string[]): string =>
  texts.map((text) => (/[,"]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')

const blanks = /\s*/y
/** Where the blanks end that begin here. */
export function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at
  blanks.exec(text)
  return blanks.lastIndex
}

/** A whole value in quotes, up to a comma or the end; a quote that isn't closed before the term ends is one like any other sign. */
export function quotedAt(text: string, at: number): { value: string; end: number } | null {
  if (text[at] !== '"') return null
  let value = ''
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] !== '"') value += text[i]
    else if (text[i + 1] === '"') value += text[i++]
    else {
      const end = skipBlanks(text, i + 1)
      return end === text.length || text[end] === ',' ? { value, end } : null
    }
  }
  return null
}
