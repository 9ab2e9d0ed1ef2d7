/** What a header says; of one that came several times, the last. */
export const headerValue = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.at(-1) : header
