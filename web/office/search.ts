/** What stands behind the `?` of an address: plain words, so that a link can be read. Several of a name are a list. */
export function parseSearch(text: string): { [name: string]: string | string[] } {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

/** Nothing is said of what is empty. */
export function stringifySearch(search: { [name: string]: unknown }): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one))
  const text = parameters.toString()
  return text ? `?${text}` : ''
}
