/** What a page may load and do; all of it from this server, and nothing that isn't named. */
export interface Allows {
  [directive: string]: string
}

/** The Content-Security-Policy of a page. */
export const policyOf = (allows: Allows): string =>
  Object.entries({
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...allows,
  })
    .map((directive) => directive.join(' '))
    .join('; ')
