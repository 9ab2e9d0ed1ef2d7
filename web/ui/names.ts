/** First letters of the first and the last word; one in scripts without words. */
export function initialsOf(name: string): string {
  const words = name.replace(/[ʻ’']/g, '').split(/\s+/).filter(Boolean)
  const first = [...(words[0] ?? '')][0] ?? '?'
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toLocaleUpperCase()
}
